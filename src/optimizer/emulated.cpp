#include "optimizer/emulated.h"

#include <fmt/format.h>

#include "evaluation/evaluator.h"

namespace optiml::optimizer {
namespace {

evaluation::EmulatedSettings settings_of(const EvaluatorRequest& request, std::uint32_t host_threads) {
    evaluation::EmulatedSettings settings;
    settings.device = request.device.substr(request.device.find(':') + 1);
    settings.timing_sizes = request.timing_sizes;
    settings.host_threads = host_threads;
    settings.time = settings.profile = !request.only_verify;
    if (request.thoroughness == Thoroughness::final) {
        settings.seed = 2;  // other values, schedules and blocks than in the search
        settings.edge_sizes *= 3;
        settings.own_edge_sizes *= 3;
        settings.seconds_a_candidate *= 3;
    }
    return settings;
}

}  // namespace

Result<std::unique_ptr<evaluation::Evaluator>> make_emulated_evaluator(const EvaluatorRequest& request, gpu::Compiler& compiler,
                                                                       const Disk& disk, std::uint32_t host_threads, Log& log) {
    auto evaluator = evaluation::EmulatedEvaluator::make(request.task, compiler, disk, settings_of(request, host_threads));
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    for (const evaluation::Finding& finding : (*evaluator)->original_findings()) {
        std::string sizes;
        for (const auto& [name, value] : finding.sizes) sizes += fmt::format(" {} = {}", name, value);
        log.write(LogLevel::warning, fmt::format("the original is faulty at{}, candidates are not verified there: {}:{}: {}: {}", sizes,
                                                 finding.file, finding.line, name_of(finding.kind), finding.message));
    }
    return std::move(*evaluator);
}

}  // namespace optiml::optimizer
