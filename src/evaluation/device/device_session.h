#pragma once
// Everything a worker holds for one task on one GPU: benches at several sizes, timer, profiler. Evaluates compiled candidates:
// L1 and L3 on the device, times against the original, counters. L0 and L2 lie before it (build and emulator).

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "evaluation/device/bench.h"
#include "evaluation/evaluation.h"
#include "gpu/clocks.h"
#include "gpu/compiler.h"
#include "gpu/profiler.h"
#include "gpu/timing.h"

namespace optiml::evaluation::device {

struct SessionSettings {
    task::Sizes timing_sizes;                 // large
    std::vector<task::Sizes> odd_sizes;       // small ones, each verified before anything is timed
    std::uint64_t seed = 1;
    double tolerance_factor = 4;
    double half_width = 0.01;                 // times are wanted to within this, relative
    double seconds_a_candidate = 2;           // at most, for timing
    double confidence = 0.999;                // of the speed-up's interval
    double hopeless_factor = 1.5;             // a candidate this much slower is not timed further
    std::uint32_t repeats = 2;                // verified runs at the timing sizes, with fresh values each
    bool take_warm_time = false;
};

class DeviceSession {
public:
    // Errors: (environment) no GPU, no memory, no NVRTC; (faulty_original) the original fails on the device.
    static Result<std::unique_ptr<DeviceSession>> open(int ordinal, const task::Task& task, const CompiledCandidate& original,
                                                       const SessionSettings& settings, const Disk& disk);

    // tier: which counters; nullopt: none. Never an Error: what goes wrong is in the evaluation. After a sticky failure
    // (is_lost()) this process can evaluate nothing more.
    Evaluation evaluate(const CompiledCandidate& candidate, std::optional<gpu::MetricTier> tier);
    bool is_lost() const { return lost_; }
    const gpu::DeviceProperties& properties() const { return device_->properties(); }
    // Why there are no counters; empty if there are.
    const std::string& no_counters_because() const { return no_counters_because_; }

private:
    DeviceSession(const task::Task& task, SessionSettings settings) : task_(task), settings_(std::move(settings)) {}

    Status prepare(int ordinal, const CompiledCandidate& original, const Disk& disk);
    std::optional<Finding> verify(const CompiledCandidate& candidate);
    std::optional<Finding> verify_at(Bench& bench, const CompiledCandidate& candidate, std::uint32_t runs);
    std::optional<Finding> time(Bench::Seat& seat, Evaluation& evaluation);
    std::optional<Finding> check_rate(const Timing& timing) const;
    void profile(Bench::Seat& seat, gpu::MetricTier tier, Evaluation& evaluation);
    bool check_context();  // false once it is lost

    const task::Task& task_;
    SessionSettings settings_;
    SteadyClock clock_;
    std::unique_ptr<gpu::Device> device_;
    std::unique_ptr<gpu::Compiler> compiler_;
    std::unique_ptr<gpu::HelperKernels> kernels_;
    std::unique_ptr<gpu::Clocks> clocks_;      // null: no NVML
    std::unique_ptr<gpu::Timer> timer_;
    std::unique_ptr<gpu::Profiler> profiler_;  // null: no counters
    std::string no_counters_because_;
    std::vector<std::unique_ptr<Bench>> odd_benches_;
    std::unique_ptr<Bench> bench_;
    std::uint64_t round_ = 0;
    bool lost_ = false;
};

}  // namespace optiml::evaluation::device
