#pragma once
// Which share of each buffer a plan touches, from the blocks of it that were run.

#include <optional>
#include <vector>

#include "evaluation/sampled_run.h"
#include "task/candidate.h"

namespace optiml::evaluation {

enum class Direction : std::uint8_t { read, written };

// Of a buffer's elements; what several blocks or launches touch counts for each of them, so that a complete share may exceed 1.
struct Share {
    double value = 0;
    double error = 0;  // standard error, from the blocks' differences; 0 where all blocks were run
};

// nullopt: the buffer is empty, or of some launch that may touch it no block was run.
std::optional<Share> share_of(const std::vector<SampledLaunch>& launches, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction);
// Of a whole run (PlanRunOptions::footprints).
double share_of(const std::vector<emulator::BufferFootprint>& touched, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction);

// Whether those shares at small sizes say something about large ones: no launch that may touch the buffer decides by data what it
// reads of it, nor by what the plan itself writes what it writes.
bool is_foreseeable(const Build& build, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction);

// A buffer of the task that the original reads or writes whole, at its small sizes and at some large ones.
struct WholeBuffer {
    std::size_t buffer = 0;  // in the plan; the task's buffers come first in every plan
    Direction direction = Direction::read;
};

// From the original's run at the small sizes and its blocks at large ones, over plans resolved at each.
std::vector<WholeBuffer> whole_buffers(const std::vector<emulator::BufferFootprint>& small, const task::ResolvedPlan& small_plan,
                                       const std::vector<SampledLaunch>& large, const task::ResolvedPlan& large_plan);

// Looks for parts that a candidate leaves out at large sizes though at the small ones it does not: a capped grid, a second pass over the
// first 1,024 partial sums. Shares of sampled blocks that have fallen are settled by more blocks before anything is said.
class CoverageCheck {
public:
    // plan and run: of the candidate, at the large sizes; the workspace is that of the run.
    CoverageCheck(const VerificationContext& context, const Build& build, const task::Candidate& candidate, const task::ResolvedPlan& plan,
                  Workspace& workspace, const SampledRun& run, const Deadline& deadline);

    std::optional<Finding> find(const std::vector<WholeBuffer>& whole_of_original);

private:
    std::optional<Finding> find(const WholeBuffer& part);
    std::vector<WholeBuffer> scratch_written_whole() const;
    std::optional<Share> settled_share(const WholeBuffer& part);
    double small_share(const WholeBuffer& part);
    Finding finding_of(const WholeBuffer& part, double small, double large) const;

    const VerificationContext& context_;
    const Build& build_;
    const task::Candidate& candidate_;
    const task::ResolvedPlan& plan_;
    Workspace& workspace_;
    const Deadline& deadline_;
    std::vector<SampledLaunch> launches_;
    std::vector<bool> is_settled_;                                      // by launch
    std::optional<task::ResolvedPlan> small_plan_;
    std::optional<std::vector<emulator::BufferFootprint>> small_;       // run once it is asked for
};

}  // namespace optiml::evaluation
