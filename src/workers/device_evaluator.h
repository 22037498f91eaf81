#pragma once
// Evaluates candidates on NVIDIA GPUs: build workers make L0 to L2 (NVRTC and the emulator's checks), then a worker on a card verifies
// (L1 and L3), times against the original and reads counters. Stages of different candidates overlap.

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/device/device_session.h"
#include "evaluation/evaluation.h"
#include "gpu/compiler.h"
#include "workers/card_queue.h"
#include "workers/worker_pool.h"

namespace optiml::workers {

// Who reads the counters of accepted candidates.
enum class CounterCollector : std::uint8_t {
    cupti,            // the device's worker, in process
    ncu,              // the Nsight Compute CLI, some seconds a candidate
    first_permitted,  // CUPTI, else ncu, else sudo -n ncu
};

struct DeviceSettings {
    std::vector<int> ordinals = {0};               // a worker a card
    std::uint32_t compute_capability = 90;         // of the cards
    std::size_t build_workers = 4;                 // processes that compile and emulate, at most
    std::size_t eager_build_workers = 1;           // of them, started at once; the others as they are needed
    std::string program;                           // the optiml program, which `PROGRAM worker ...` starts
    evaluation::device::SessionSettings session;
    std::optional<gpu::MetricTier> tier = gpu::MetricTier::one_pass;
    gpu::MetricTier deep_tier = gpu::MetricTier::four_passes;  // for what the search goes on from
    bool emulator_checks = true;                   // false: L2 is left out, and evaluations say L1
    std::size_t edge_factor = 1;                   // so many times the usual number of sizes for the emulator's checks
    double build_seconds = 60;                     // limits a candidate, each stage
    double device_seconds = 10;
    double opening_seconds = 120;                  // for a worker to be ready
    std::size_t spare_devices = 1;                 // opened workers a card that wait to replace one that fails
    std::size_t together = 16;                     // candidates a card takes at once, at most: their counters are read in one session
    CounterCollector collector = CounterCollector::cupti;
};

class DeviceEvaluator final : public evaluation::Evaluator {
public:
    // Starts all workers at once; the original is built and checked before anything else. Errors: (environment) no card, no compiler,
    // no worker starts; (user, faulty_original) as EmulatedEvaluator::make.
    static Result<std::unique_ptr<DeviceEvaluator>> make(const task::Task& task, const DeviceSettings& settings);
    ~DeviceEvaluator() override;

    evaluation::Evaluation evaluate(const task::Candidate& candidate) override;
    // Measures the counters of deep_tier, before all candidates that wait, unless they are there.
    void deepen(const task::Candidate& candidate, evaluation::Evaluation& evaluation) override;
    void rest() override;
    std::string identity() const override { return identity_; }

    std::uint64_t worker_restarts() const;
    std::size_t waiting_for_a_card() const { return queue_->waiting(); }
    // Why there are no counters; empty if there are.
    std::string no_counters_because() const { return opened("no_counters_because"); }
    // Why nothing is verified at the large sizes; empty if it is, or none were asked for.
    std::string not_large_because() const { return opened("not_large_because"); }

private:
    DeviceEvaluator(const task::Task& task, DeviceSettings settings);

    Status open_workers();
    PoolSettings builder_pool() const;
    PoolSettings device_pool(int ordinal) const;
    std::string opened(const char* key) const;
    struct Built {
        evaluation::Evaluation evaluation;
        std::string compiled;  // the candidate's JSON with cubin and kernels, as the device workers want it
    };
    Built build(const task::Candidate& candidate);
    void measure(std::string compiled, evaluation::Evaluation& evaluation);
    std::vector<CardReply> hand_over(std::size_t card, const std::vector<const std::string*>& candidates);
    WorkerPool& least_busy_device();
    Answer ask_first(const std::string& line);
    std::size_t together(double original_seconds) const;
    void read_with_ncu(const task::LaunchPlan& plan, const std::string& compiled, gpu::MetricTier tier, evaluation::Evaluation& evaluation);

    const task::Task task_;
    DeviceSettings settings_;
    std::string identity_;
    std::atomic<bool> ncu_refused_ = false;            // it costs seconds to be told again
    std::atomic<bool> judges_as_written_ = false;      // the original in f64 has lost a card
    std::promise<std::string> original_;               // compiled; empty: it does not build
    std::shared_future<std::string> original_compiled_;
    std::unique_ptr<WorkerPool> builders_;
    std::vector<std::unique_ptr<WorkerPool>> devices_;
    std::unique_ptr<CardQueue> queue_;                 // of devices_
};

}  // namespace optiml::workers
