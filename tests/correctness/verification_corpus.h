#pragma once
// Kernels with variants that are known to be right or wrong (corpus/manifest.json), and what an evaluator makes of them.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "evaluation/evaluator.h"
#include "task/task.h"

namespace optiml::evaluation {

struct CorpusVariant {
    std::string file;                // relative to the corpus
    std::string plan;                // its own launches; empty: the original's
    bool wrong = false;
    std::vector<std::string> kinds;  // of findings, one of which a wrong variant must have
    std::string fault;               // in words
    std::uint32_t line = 0;          // of the fault, in `file`, or in `plan` where line_in_plan
    bool line_in_plan = false;
};

struct CorpusBase {
    std::string name;
    std::string task;                // its task file, relative to the corpus
    std::vector<CorpusVariant> variants;
};

// Errors (user): no manifest, or one that is not of this form.
Result<std::vector<CorpusBase>> read_corpus(const std::filesystem::path& folder, const Disk& disk);

enum class CorpusOutcome : std::uint8_t { found, other_kind, missed, accepted, false_alarm };
std::string_view name_of(CorpusOutcome outcome);
// found, other_kind, missed: wrong variants that were rejected for their fault, for something else, or not at all.
CorpusOutcome outcome_of(const CorpusVariant& variant, const Evaluation& evaluation);

// A base with its evaluator, which verifies and does not time.
class CorpusBench {
public:
    // Errors: what EmulatedEvaluator::make says of the original.
    static Result<CorpusBench> make(const std::filesystem::path& folder, const CorpusBase& base, gpu::Compiler& compiler, const Disk& disk,
                                    EmulatedSettings settings);
    // Errors (user): a file that cannot be read, a plan that does not fit.
    Result<Evaluation> evaluate(const CorpusVariant& variant) const;
    Evaluation evaluate_original() const;
    std::vector<Finding> original_findings() const { return evaluator_->original_findings(); }

private:
    std::filesystem::path folder_;
    const Disk* disk_ = nullptr;
    task::Task task_;
    std::unique_ptr<EmulatedEvaluator> evaluator_;
};

}  // namespace optiml::evaluation
