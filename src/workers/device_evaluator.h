#pragma once
// Evaluates candidates on NVIDIA GPUs: build workers make L0 to L2 (NVRTC and the emulator's checks), then a worker on a card verifies
// (L1 and L3), times against the original and reads counters. Stages of different candidates overlap.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluation/device/device_session.h"
#include "evaluation/evaluation.h"
#include "gpu/compiler.h"
#include "workers/worker_pool.h"

namespace optiml::workers {

struct DeviceSettings {
    std::vector<int> ordinals = {0};               // a worker a card
    std::size_t build_workers = 4;                 // processes that compile and emulate
    std::string program;                           // the optiml program, which `PROGRAM worker ...` starts
    evaluation::device::SessionSettings session;
    std::optional<gpu::MetricTier> tier = gpu::MetricTier::one_pass;
    bool emulator_checks = true;                   // false: L2 is left out, and evaluations say L1
    double build_seconds = 60;                     // limits a candidate, each stage
    double device_seconds = 10;
};

class DeviceEvaluator final : public evaluation::Evaluator {
public:
    // Starts all workers; the original is built and checked first. Errors: (environment) no card, no compiler, no worker starts;
    // (user, faulty_original) as EmulatedEvaluator::make.
    static Result<std::unique_ptr<DeviceEvaluator>> make(const task::Task& task, const DeviceSettings& settings);
    ~DeviceEvaluator() override;

    evaluation::Evaluation evaluate(const task::Candidate& candidate) override;
    std::string identity() const override { return identity_; }

    std::uint64_t worker_restarts() const;
    // Why there are no counters; empty if there are.
    std::string no_counters_because() const;

private:
    DeviceEvaluator(const task::Task& task, DeviceSettings settings);

    Status open_workers();
    struct Built {
        evaluation::Evaluation evaluation;
        std::string compiled;  // the candidate's JSON with cubin and kernels, as the device workers want it
    };
    Built build(const task::Candidate& candidate);
    void measure(const std::string& compiled, evaluation::Evaluation& evaluation);

    const task::Task task_;
    DeviceSettings settings_;
    std::string identity_;
    std::unique_ptr<WorkerPool> builders_;
    std::vector<std::unique_ptr<WorkerPool>> devices_;
    std::atomic<std::uint64_t> next_device_ = 0;
};

}  // namespace optiml::workers
