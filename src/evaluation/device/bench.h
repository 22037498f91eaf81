#pragma once
// The original and room for one candidate at one choice of sizes: inputs, two sets of working buffers, the masked truth.
//
//   pristine     inputs as generated, for the current values; what stray writes did to them is mended before a truth is computed from them
//   original     the buffers the original runs on; its outputs become the truth, masked with a key that stays on the host
//   candidate    the buffers a candidate runs on: always the same addresses, other values each time
//
// The truth exists, masked, before the candidate's inputs are written, and is uncovered only after the candidate has finished.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/device/device_program.h"
#include "evaluation/device/wider_original.h"
#include "evaluation/evaluation.h"
#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "gpu/profiler.h"
#include "task/resolved.h"

namespace optiml::evaluation::device {

// How far an output may be from the truth: |candidate - truth| <= absolute + relative * |truth|.
struct Bound {
    double absolute = 0;
    double relative = 0;
    double spread = 0;  // by how much two runs of the original on equal values differ
};

// What the original computes a truth in.
enum class Arithmetic : std::uint8_t {
    as_written,
    f64,  // for floats of f32
};

struct BenchSettings {
    task::Sizes sizes;
    std::uint64_t seed = 1;            // of values
    std::uint64_t secret = 0;          // of this process, from the system: no candidate can compute what covers the truth
    double tolerance_factor = 4;
    std::optional<double> absolute;    // the user's own bounds
    std::optional<double> relative;
    bool bitwise = false;
    // As another bench of the same task and sizes found them:
    std::optional<double> terms_per_output;
    std::optional<std::vector<Bound>> bounds;
};

class Bench {
public:
    // Unless the bounds are known, runs the original a few times to learn its spread, and, unless terms_per_output is known or it takes
    // long, once under the profiler (if any) to count its additions: both decide how rounding errors may grow. Errors: (environment)
    // memory; (faulty_original) the original fails on the device. disk: outlives this.
    static Result<std::unique_ptr<Bench>> make(gpu::Device& device, gpu::HelperKernels& kernels, const task::Task& task,
                                               const CompiledCandidate& original, const BenchSettings& settings, gpu::Profiler* profiler,
                                               const Disk& disk);
    // Of the longest sum behind an output element (error_growth.h).
    double terms_per_output() const { return terms_per_output_; }
    const std::vector<Bound>& bounds() const { return bounds_; }  // by the task's buffers

    // New values, and their truth: that of f64 where the original is known to be inaccurate. round: any number; equal rounds give equal
    // values.
    gpu::DeviceStatus refresh(std::uint64_t round);
    gpu::DeviceStatus refresh(std::uint64_t round, Arithmetic arithmetic);
    // How far the truth of this round, computed as written, is from that in f64, by the root mean square of the latter; 0: within the
    // bounds of candidates. nullopt: one of the two is not finite where the other is.
    gpu::DeviceResult<std::optional<double>> error_of_original(WiderOriginal& wider);
    // From now on candidates are judged by f64 first, the original being so far off. wider: must outlive this.
    void take_as_inaccurate(WiderOriginal& wider, double error) { wider_ = &wider, error_of_original_ = error; }
    // 0: not known to be inaccurate.
    double known_error_of_original() const { return error_of_original_; }
    // From now on the truth of this round and later ones is kept, masked, once it was computed: refresh() then runs no original.
    void keep_truths_from(std::uint64_t round);
    // False: it was not kept.
    bool forget_truth(std::uint64_t round) { return truths_.erase({round, Arithmetic::as_written}) + truths_.erase({round, Arithmetic::f64}) > 0; }
    std::uint64_t truth_bytes() const;
    // New values without their truth: for timed runs, most of which are not judged. refresh() with the same round gives the truth later.
    gpu::DeviceStatus renew(std::uint64_t round);

    // A candidate made ready to run on the candidate's buffers.
    struct Seat {
        task::ResolvedPlan plan;
        Buffers scratch;
        DeviceProgram program;
        bool may_use_atomics = false;
        bool is_judged_in_f64 = false;  // right by such a truth, at least once
    };
    // module: the candidate's cubin, loaded; must outlive the seat.
    tl::expected<Seat, Finding> seat(const CompiledCandidate& candidate, const gpu::DeviceModule& module);
    DeviceProgram& original_program() { return original_program_; }

    // Copies inputs in, poisons outputs and scratch, renews guards: before a run whose outputs will be judged.
    gpu::DeviceStatus lay_out(Seat& seat);
    // The same but for the guards, which the next judgement finds as all runs since the last left them.
    gpu::DeviceStatus lay_out_values(Seat& seat);
    // Restores only what a run changes (inout buffers): before a timed run.
    gpu::DeviceStatus restore(bool for_original);
    // Runs it and judges outputs, guards and inputs; nullopt: all as it should be. A device fault is a finding too.
    std::optional<Finding> run_and_judge(Seat& seat);
    // Runs it once more on the values of its last judged run, and judges it by that run first (nondeterministic), then as ever.
    std::optional<Finding> repeat_and_judge(Seat& seat);
    // Judges the outputs that are there now, without running.
    std::optional<Finding> judge(Seat& seat);

    const task::ResolvedPlan& plan() const { return plan_; }
    std::uint64_t input_bytes() const;
    std::uint64_t round() const { return round_; }  // the present one
    const task::Sizes& sizes() const { return settings_.sizes; }

private:
    Bench(gpu::Device& device, gpu::HelperKernels& kernels, const task::Task& task, BenchSettings settings, const Disk& disk)
        : device_(device), kernels_(kernels), task_(task), disk_(disk), settings_(std::move(settings)) {}

    Status prepare(const CompiledCandidate& original);
    Status write_declared_inputs();
    Status write_declared(std::size_t buffer);
    // All inputs for a truth of this round, whatever candidates did to them.
    gpu::DeviceStatus write_inputs(std::uint64_t round);
    gpu::DeviceStatus mend_declared_inputs();
    gpu::DeviceResult<std::vector<gpu::Comparison>> changes_of_declared_inputs();
    gpu::DeviceStatus queue_digest(std::size_t slot, std::size_t buffer, const GuardedBuffer& content);
    Status run_first();
    Status learn_spread();
    double count_terms(gpu::Profiler* profiler);
    gpu::DeviceStatus lay_out_original();
    gpu::DeviceStatus run_original();
    gpu::DeviceStatus run_wider();
    gpu::DeviceStatus mask_truth();
    void keep_truth();
    std::optional<Finding> run(Seat& seat);
    gpu::DeviceStatus keep_first_results();
    std::optional<Finding> judge_by_first(Seat& seat, std::size_t buffer);
    gpu::DeviceStatus mask_first(std::size_t buffer);
    gpu::DeviceStatus bring_back(const Buffers& truth);
    std::vector<gpu::DeviceAddress> addresses(const Buffers& own, const Buffers& scratch) const;
    GuardedBuffer& candidate_buffer(Seat& seat, std::size_t i) { return i < task_buffers_ ? candidate_[i] : seat.scratch[i - task_buffers_]; }
    gpu::DeviceStatus queue_comparison_of_truth(std::size_t buffer, gpu::DeviceAddress exact);
    gpu::DeviceStatus queue_with_truth(std::size_t buffer, const std::function<gpu::DeviceStatus(gpu::DeviceAddress truth)>& compare);
    gpu::DeviceStatus queue_comparison(std::size_t slot, std::size_t buffer, gpu::DeviceAddress judged, gpu::DeviceAddress truth);
    std::optional<double> error_from(const std::vector<gpu::Comparison>& found) const;
    gpu::DeviceStatus queue_content_check(std::size_t slot, std::size_t buffer);
    static std::optional<Finding> judge_guards(const std::string& buffer, const gpu::Comparison& found);
    std::optional<Finding> judge_input(std::size_t buffer, const gpu::Comparison& found) const;
    std::optional<Finding> judge_output(std::size_t buffer, const gpu::Comparison& found) const;
    bool is_result(std::size_t buffer) const { return plan_.buffers[buffer].role == task::Role::output || plan_.buffers[buffer].role == task::Role::inout; }
    bool is_declared(std::size_t buffer) const { return digests_.count(buffer) > 0; }
    bool is_input(std::size_t buffer) const { return plan_.buffers[buffer].role != task::Role::output; }
    std::uint64_t key(std::size_t buffer) const;  // of the truth that is there

    gpu::Device& device_;
    gpu::HelperKernels& kernels_;
    const task::Task& task_;
    const Disk& disk_;
    BenchSettings settings_;
    task::ResolvedPlan plan_;          // the original's
    std::size_t task_buffers_ = 0;     // plan_.buffers[0..task_buffers_) are the task's
    std::unique_ptr<gpu::DeviceModule> original_module_;
    DeviceProgram original_program_;
    Buffers pristine_, original_, candidate_, original_scratch_;
    Buffers first_results_;            // by task buffer, masked: what a candidate's next run is compared with
    std::vector<Bound> bounds_;        // by buffer
    std::map<std::size_t, std::uint64_t> digests_;  // of the inputs that stay as they were declared, by the task's buffers
    double terms_per_output_ = 1;
    std::uint64_t round_ = 0;
    Arithmetic arithmetic_ = Arithmetic::as_written;  // of the truth
    WiderOriginal* wider_ = nullptr;   // null: the original is not known to be inaccurate
    double error_of_original_ = 0;
    std::uint64_t first_kept_ = UINT64_MAX;
    std::map<std::pair<std::uint64_t, Arithmetic>, Buffers> truths_;  // by round: of each result in turn
};

// Turns a failure on the device into what it says about the candidate.
Finding finding_of(const gpu::DeviceFailure& failure, const std::string& kernel);

}  // namespace optiml::evaluation::device
