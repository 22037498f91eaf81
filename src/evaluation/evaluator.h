#pragma once
// Evaluates candidates without a GPU: builds them with NVRTC, runs them on the PTX emulator with all checks, compares their results
// with the original's, and models their time from counters of sampled blocks.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "evaluation/evaluation.h"
#include "gpu/compiler.h"
#include "task/task.h"

namespace optiml::evaluation {

struct EmulatedSettings {
    std::string device = "h200";              // a built-in device model
    std::optional<std::uint32_t> compute_capability;  // of a card: candidates are checked under its limits, whatever device says
    std::uint64_t seed = 1;                   // of values, schedules and sampled blocks
    std::size_t edge_sizes = 40;              // sizes of the original's plan that candidates are verified at, as far as they are cheap
    std::size_t own_edge_sizes = 12;          // further ones around a candidate's own blocks
    bool verify = true;                       // false: L0 only, then time
    bool large = true;                        // sample blocks at sizes that cannot be run whole, too
    bool time = true;                         // model the time of what was accepted
    bool profile = true;                      // with counters, and by line
    std::optional<task::Sizes> timing_sizes;  // default: the task's large sizes
    double sampled_thread_instructions = 3e7; // work a launch is sampled with, about 0.2 s of one core
    double seconds_a_candidate = 60;          // at most; what takes longer is a finding of kind time_limit
    std::uint32_t host_threads = 1;
};

class EmulatedEvaluator final : public Evaluator {
public:
    // Builds and checks the original first. The compiler must outlive the evaluator; the disk is read only here and from evaluate().
    // Errors: (user) the original does not compile, an unknown device, values that cannot be made; (faulty_original) it races, reads
    // or writes out of bounds, or the like at the small sizes; (environment) it needs what the emulator has not.
    static Result<std::unique_ptr<EmulatedEvaluator>> make(const task::Task& task, gpu::Compiler& compiler, const Disk& disk,
                                                           const EmulatedSettings& settings);
    ~EmulatedEvaluator() override;

    Evaluation evaluate(const task::Candidate& candidate) override;
    std::string identity() const override;
    // Rises whenever the same candidate may come out differently; part of identity().
    static int version();

    // What the original itself does wrong at other than the small sizes. Candidates are not verified at those sizes; users are told.
    std::vector<Finding> original_findings() const;

private:
    struct Implementation;
    explicit EmulatedEvaluator(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace optiml::evaluation
