#include "suite_kit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace optiml::evaluation {

gpu::Compiler& shared_compiler() {
    static const std::unique_ptr<gpu::Compiler> compiler = [] {
        auto loaded = gpu::load_compiler();
        if (!loaded) throw std::runtime_error(loaded.error().text());
        return std::move(*loaded);
    }();
    return *compiler;
}

SuiteKit::SuiteKit(const std::string& name, EmulatedSettings settings) {
    settings.time = false;
    auto loaded = task::load_task(suite_path(name + ".toml"), disk);
    if (!loaded) throw std::runtime_error(loaded.error().text());
    task = std::move(*loaded);
    auto made = EmulatedEvaluator::make(task, shared_compiler(), disk, settings);
    if (!made) throw std::runtime_error(made.error().text());
    evaluator = std::move(*made);
}

std::string text_of(const Evaluation& evaluation) {
    std::string text = std::string(name_of(evaluation.level)) + (evaluation.accepted ? " accepted" : " rejected");
    for (const Finding& finding : evaluation.findings) {
        text += fmt::format("\n{} {}:{} {}", name_of(finding.kind), finding.file, finding.line, finding.message);
        for (const auto& [name, value] : finding.sizes) text += fmt::format(" {}={}", name, value);
        text += " " + finding.pattern;
    }
    for (const auto& [stage, seconds] : evaluation.stage_seconds) text += fmt::format("\n{}: {:.3f} s", stage, seconds);
    return text;
}

}  // namespace optiml::evaluation
