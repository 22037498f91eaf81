#pragma once
// Everything a worker holds for one task on one GPU: benches at several sizes over the card's tools. Evaluates compiled candidates:
// L1 and L3 on the device, times against the original, counters. L0 and L2 lie before it (build and emulator).

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "base/random.h"
#include "evaluation/device/bench.h"
#include "evaluation/device/device_tools.h"
#include "evaluation/device/joint_counting.h"
#include "evaluation/device/rounds.h"
#include "evaluation/evaluation.h"

namespace optiml::evaluation::device {

struct SessionSettings {
    task::Sizes timing_sizes;                 // large
    std::vector<task::Sizes> odd_sizes;       // small ones, each verified before anything is timed
    std::optional<task::Sizes> large_sizes;   // verified at last, where memory allows (not_large_because() says why not)
    std::uint64_t seed = 1;
    double tolerance_factor = 4;
    double half_width = 0.01;                 // times are wanted to within this, relative
    double seconds_a_candidate = 2;           // at most, for timing
    double confidence = 0.999;                // of the speed-up's interval
    double hopeless_factor = 1.5;             // a candidate this much slower is not timed further
    std::uint32_t repeats = 2;                // verified runs at the timing sizes, with fresh values each
    bool reuse_original = true;               // its latest times serve against candidates that are far away (gpu/known_times.h)
    bool take_warm_time = false;
    bool only_verify = false;                 // no times: nothing is rejected for slowness or for a throttling card
    bool in_process_counters = true;          // false: they are left to another process; only one can have a device's
    bool judges_in_f64 = true;                // where the original is inaccurate, by its own computation in f64; takes a compiler
};

// What the first session of a task found out on a kind of card; later ones take it over instead of finding it out again.
struct SessionKnowledge {
    std::vector<std::uint8_t> helper_cubin;
    std::vector<double> terms_per_output;     // at the timing sizes, then at each of the odd ones; empty: not known
    std::vector<std::vector<Bound>> bounds;   // in the same order
    double original_seconds = 0;              // 0: not known
};

class DeviceSession {
public:
    // Errors: (environment) no memory; (faulty_original) the original fails on the device. task, disk: outlive the session.
    static Result<std::unique_ptr<DeviceSession>> open(std::unique_ptr<DeviceTools> tools, const task::Task& task, const CompiledCandidate& original,
                                                       const SessionSettings& settings, const SessionKnowledge& knowledge, const Disk& disk);

    // One candidate after another; the counters of those that are accepted are read together at the end, since starting to read costs more
    // than all else. tier: which counters; nullopt: none. By candidate, never an Error: what goes wrong is in the evaluation. nullopt:
    // not evaluated, since another candidate lost the device first; a new session can. After a sticky failure (is_lost()) this process
    // can evaluate nothing more.
    std::vector<std::optional<Evaluation>> evaluate(const std::vector<CompiledCandidate>& candidates, std::optional<gpu::MetricTier> tier);
    // Only the counters, of a candidate that was accepted before.
    Evaluation profile(const CompiledCandidate& candidate, gpu::MetricTier tier);
    // The context is gone, or a kernel runs that never ends. Destroying the session would then wait for it: end the process instead.
    bool is_lost() const { return lost_; }
    // It was lost by the original's run in f64. What was not evaluated then a session can evaluate that judges as written.
    bool is_lost_in_f64() const { return lost_ && wider_original_ != nullptr && wider_original_->has_lost_device(); }
    // The original in f64 is not tried, if it was not so far.
    void judge_as_written() { settings_.judges_in_f64 = false; }
    // One run of the original at the timing sizes with fresh values, on the host's clock.
    double original_seconds() const { return original_seconds_; }
    const gpu::DeviceProperties& properties() const { return tools_->device->properties(); }
    // Why there are no counters; empty if there are.
    const std::string& no_counters_because() const { return tools_->no_counters_because(); }
    SessionKnowledge knowledge() const;
    // Why nothing is verified at the large sizes; empty if it is, or none were asked for.
    const std::string& not_large_because() const { return not_large_because_; }

private:
    struct Trial;
    using Trials = std::vector<std::unique_ptr<Trial>>;

    DeviceSession(std::unique_ptr<DeviceTools> tools, const task::Task& task, SessionSettings settings)
        : task_(task), settings_(std::move(settings)), tools_(std::move(tools)) {}

    Status prepare(const CompiledCandidate& original, const SessionKnowledge& knowledge, const Disk& disk);
    Status prepare_large(const CompiledCandidate& original, BenchSettings settings, const Disk& disk);
    gpu::Profiler* profiler() { return settings_.in_process_counters ? tools_->profiler() : nullptr; }
    double seconds_of_original(Bench& bench, std::uint64_t round);  // with making its values; 0: it failed
    void keep_truths();
    void limit_hangs(double original_seconds);
    std::optional<Finding> load(const CompiledCandidate& candidate, Trial& trial);
    std::optional<Finding> verify(Trial& trial);
    std::optional<Finding> verify_large(Bench::Seat& seat);
    std::optional<Finding> verify_at(Bench& bench, Bench::Seat& seat, std::uint32_t runs);
    std::optional<Finding> repeat(Bench::Seat& seat);
    std::optional<Finding> judge_by_all(Bench& bench, Bench::Seat& seat, std::uint64_t round);
    bool learn_accuracy(Bench& bench);
    WiderOriginal* wider_original();
    bool make_wider_original();
    void note_accuracy(const Trial& trial, Evaluation& evaluation) const;
    std::optional<Finding> confirm(Bench& bench, Bench::Seat& seat, std::uint64_t round, std::optional<Finding> finding);
    std::optional<Finding> time(Bench::Seat& seat, Evaluation& evaluation);
    Timing timing_from(const gpu::PairedTimes& times) const;
    // An original that takes so long is run as seldom as can be.
    bool is_slow() const { return original_seconds_ > 0.2; }
    std::uint32_t verified_runs() const { return is_slow() ? 1 : settings_.repeats; }
    std::optional<Finding> check_rate(const Timing& timing) const;
    std::optional<Finding> measure(Trial& trial);
    void conclude(Trial& trial, std::optional<Finding> finding);
    void notice_loss();
    void let_go(std::unique_ptr<Trial> trial);
    void count(Trials& trials, std::optional<gpu::MetricTier> tier, std::vector<std::optional<Evaluation>>& evaluations);
    void read_counters(Trials& trials, std::optional<gpu::MetricTier> tier);
    gpu::CountedWork counted_work(Bench::Seat& seat);

    const task::Task& task_;
    SessionSettings settings_;
    std::unique_ptr<DeviceTools> tools_;
    std::vector<std::unique_ptr<Bench>> odd_benches_;
    std::unique_ptr<Bench> bench_;
    task::Candidate original_;
    std::unique_ptr<WiderOriginal> wider_original_;  // null: not asked for so far, or there is none
    std::optional<bool> believes_f64_;         // nullopt: not asked for so far
    std::set<const Bench*> weighed_;           // where it is known whether the original is accurate
    const std::uint64_t secret_ = system_secret();
    double original_seconds_ = 0, large_original_seconds_ = 0;
    std::unique_ptr<Bench> large_bench_;       // null: none
    std::string not_large_because_;
    Rounds rounds_{secret_};
    gpu::KnownTimes known_original_;
    JointCounter counter_;
    bool lost_ = false;
};

}  // namespace optiml::evaluation::device
