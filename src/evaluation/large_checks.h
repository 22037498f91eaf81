#pragma once
// Verification at sizes that cannot be run whole: blocks sampled over data made on demand, a candidate's beside the original's.

#include <optional>
#include <vector>

#include "base/clock.h"
#include "evaluation/coverage.h"
#include "evaluation/reference.h"
#include "task/candidate.h"

namespace optiml::evaluation {

class LargeChecks {
public:
    explicit LargeChecks(const VerificationContext& context) : context_(context) {}

    // Samples the original at every large size, once. Sizes at which it fails are left out: nothing is asked of candidates there. Where
    // it takes too long even for a few blocks, sizes of as many elements in another shape take their place. most_elements: that the
    // original can index, see index_limit.
    void prepare(std::int64_t most_elements);

    // The candidate's launches must be possible, and its sampled blocks clean; elements of results that blocks of both wrote must
    // agree; and no part may be left out that at the small sizes is not (coverage.h). A sample that runs too long says nothing.
    std::vector<Finding> check(const Build& build, const task::Candidate& candidate, const Deadline& deadline) const;

    // What the original does wrong at the task's own large sizes.
    const std::vector<Finding>& original_findings() const { return original_findings_; }

    // A stretch of a result, read after sampling.
    struct Window {
        std::size_t buffer = 0;
        std::uint64_t first = 0;
        std::vector<bool> written;
        std::vector<double> value;     // of floats and integers alike
        std::vector<double> bound;     // of the original: how far a candidate may be
    };
    struct LargeTrial {
        task::Sizes sizes;
        std::vector<Window> windows;   // empty: results are not compared
        std::vector<WholeBuffer> whole;
    };
    const std::vector<LargeTrial>& trials() const { return trials_; }

private:
    enum class Sampling {
        kept,       // candidates are held against it
        left_out,   // the original fails, or the sizes cannot be set up
        incomplete  // a few blocks of the original take too long, or the emulator refuses them: in another shape they may not
    };

    void run_small();
    Sampling add_trial(const task::Sizes& sizes);
    std::vector<Window> windows_of(const task::ResolvedPlan& plan, const Workspace& workspace, const task::Sizes& sizes) const;
    std::vector<Finding> check(const LargeTrial& trial, const Build& build, const task::Candidate& candidate, const Deadline& deadline) const;

    const VerificationContext& context_;
    std::optional<task::ResolvedPlan> small_plan_;
    std::vector<emulator::BufferFootprint> small_;  // what the original touches at its small sizes
    std::vector<LargeTrial> trials_;
    std::vector<Finding> original_findings_;
};

}  // namespace optiml::evaluation
