#include "evaluation/recorded.h"

#include <fmt/format.h>

#include "base/text.h"

namespace optiml::evaluation {

Evaluation RecordingEvaluator::evaluate(const task::Candidate& candidate) {
    Evaluation evaluation = inner_.evaluate(candidate);
    const std::lock_guard lock(mutex_);
    lines_[candidate.digest().hex()] = to_json(evaluation);
    return evaluation;
}

std::string RecordingEvaluator::recording() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const auto& [digest, json] : lines_) text += fmt::format("{} {}\n", digest, json);
    return text;
}

Result<ReplayedEvaluator> ReplayedEvaluator::from(std::string_view recording) {
    ReplayedEvaluator evaluator;
    for (const std::string_view line : lines_of(recording)) {
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos) return internal_error("a line of recorded evaluations has no digest");
        auto evaluation = evaluation_from_json(line.substr(space + 1));
        if (!evaluation) return tl::make_unexpected(std::move(evaluation.error()));
        evaluator.evaluations_[std::string(line.substr(0, space))] = std::move(*evaluation);
    }
    return evaluator;
}

Evaluation ReplayedEvaluator::evaluate(const task::Candidate& candidate) {
    const auto found = evaluations_.find(candidate.digest().hex());
    if (found != evaluations_.end()) return found->second;
    Evaluation evaluation;
    evaluation.findings.push_back({FindingKind::unsupported, "this candidate was not recorded"});
    return evaluation;
}

}  // namespace optiml::evaluation
