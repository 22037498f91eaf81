#include "verification_corpus.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "task/candidate_file.h"

namespace optiml::evaluation {
namespace {

CorpusVariant variant_of(const nlohmann::json& json) {
    CorpusVariant variant;
    variant.file = json.at("file");
    variant.plan = json.value("plan", "");
    variant.wrong = json.at("verdict") == "wrong";
    if (!variant.wrong) return variant;
    variant.kinds = json.at("kinds").get<std::vector<std::string>>();
    variant.fault = json.at("fault");
    variant.line = json.at("line");
    variant.line_in_plan = json.value("line_in_plan", false);
    return variant;
}

}  // namespace

Result<std::vector<CorpusBase>> read_corpus(const std::filesystem::path& folder, const Disk& disk) {
    const std::filesystem::path file = folder / "manifest.json";
    const auto text = disk.read(file);
    if (!text) return tl::make_unexpected(text.error());
    std::vector<CorpusBase> bases;
    try {
        const nlohmann::json manifest = nlohmann::json::parse(*text);
        for (const nlohmann::json& base : manifest.at("bases")) {
            bases.push_back({base.at("name"), base.at("task"), {}});
            for (const nlohmann::json& variant : base.at("variants")) bases.back().variants.push_back(variant_of(variant));
        }
    } catch (const nlohmann::json::exception& error) {
        return user_error(error.what(), {file.string()}, "write the entry like the others of the file");
    }
    return bases;
}

std::string_view name_of(CorpusOutcome outcome) {
    switch (outcome) {
        case CorpusOutcome::found: return "found";
        case CorpusOutcome::other_kind: return "other kind";
        case CorpusOutcome::missed: return "missed";
        case CorpusOutcome::accepted: return "accepted";
        case CorpusOutcome::false_alarm: return "false alarm";
    }
    return "";
}

CorpusOutcome outcome_of(const CorpusVariant& variant, const Evaluation& evaluation) {
    if (!variant.wrong) return evaluation.accepted ? CorpusOutcome::accepted : CorpusOutcome::false_alarm;
    if (evaluation.accepted) return CorpusOutcome::missed;
    const bool expected = std::any_of(evaluation.findings.begin(), evaluation.findings.end(), [&](const Finding& finding) {
        return std::find(variant.kinds.begin(), variant.kinds.end(), name_of(finding.kind)) != variant.kinds.end();
    });
    return expected ? CorpusOutcome::found : CorpusOutcome::other_kind;
}

Result<CorpusBench> CorpusBench::make(const std::filesystem::path& folder, const CorpusBase& base, gpu::Compiler& compiler, const Disk& disk,
                                      EmulatedSettings settings) {
    settings.time = false;
    CorpusBench bench;
    bench.folder_ = folder;
    bench.disk_ = &disk;
    auto task = task::load_task(folder / base.task, disk);
    if (!task) return tl::make_unexpected(task.error());
    bench.task_ = std::move(*task);
    auto evaluator = EmulatedEvaluator::make(bench.task_, compiler, disk, settings);
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    bench.evaluator_ = std::move(*evaluator);
    return bench;
}

Result<Evaluation> CorpusBench::evaluate(const CorpusVariant& variant) const {
    const std::filesystem::path plan = variant.plan.empty() ? std::filesystem::path() : folder_ / variant.plan;
    const auto candidate = task::load_candidate(task_, folder_ / variant.file, plan, *disk_);
    if (!candidate) return tl::make_unexpected(candidate.error());
    return evaluator_->evaluate(*candidate);
}

Evaluation CorpusBench::evaluate_original() const { return evaluator_->evaluate(task::original_of(task_)); }

}  // namespace optiml::evaluation
