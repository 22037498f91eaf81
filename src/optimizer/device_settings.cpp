#include "optimizer/device_settings.h"

#include "gpu/device.h"
#include "process/own_program.h"
#include "task/resolved.h"
#include "workers/messages.h"

namespace optiml::optimizer {
namespace {

// Small odd sizes for the card itself: the emulator has already been through many more.
constexpr std::size_t kOddSizes = 4;

constexpr double kLargeSeconds = 480;  // making 2^31 values on the host takes some 10 s a buffer

// ncu takes seconds a candidate: nobody gets it for a whole search who has not asked for it.
workers::CounterCollector collector_of(const EvaluatorRequest& request) {
    if (request.gpu.profiler == "ncu") return workers::CounterCollector::ncu;
    const bool may_climb = request.gpu.profiler == "auto" && request.few_candidates;
    return may_climb ? workers::CounterCollector::first_permitted : workers::CounterCollector::cupti;
}

}  // namespace

workers::DeviceSettings device_settings(const EvaluatorRequest& request, std::vector<int> ordinals, std::uint32_t builders,
                                        const std::optional<task::Sizes>& large) {
    workers::DeviceSettings settings;
    const auto card = gpu::Device::describe(ordinals.front());
    if (card) settings.compute_capability = card->compute_capability;
    settings.ordinals = std::move(ordinals);
    settings.build_workers = settings.eager_build_workers = builders;
    settings.program = process::own_program().string();
    settings.emulator_checks = request.emulator_checks;
    settings.session.timing_sizes = request.timing_sizes;
    settings.session.odd_sizes = task::edge_sizes(request.task, request.task.plan, kOddSizes);
    settings.session.tolerance_factor = request.task.checks.tolerance_factor;
    settings.session.take_warm_time = request.few_candidates;
    if (request.thoroughness == Thoroughness::final) {
        settings.eager_build_workers = 1;  // finalists come one after another
        settings.edge_factor = 3;
        settings.session.seed = 2;
        settings.session.repeats = 5;
        settings.session.half_width = 0.005;
        settings.session.seconds_a_candidate = 2;
        settings.spare_devices = 0;
        settings.session.hopeless_factor = 100;
        settings.session.reuse_original = false;
        settings.session.take_warm_time = true;
        settings.session.odd_sizes = task::edge_sizes(request.task, request.task.plan, 4 * kOddSizes);
        settings.tier = gpu::MetricTier::four_passes;
        settings.device_seconds = 60;
    }
    if (const auto tier = workers::tier_named(request.gpu.tier)) settings.tier = tier;
    settings.session.only_verify = request.only_verify;
    if (request.only_verify) settings.tier.reset();
    settings.collector = collector_of(request);
    settings.session.in_process_counters = settings.collector != workers::CounterCollector::ncu;
    if (large) {
        settings.session.large_sizes = large;
        settings.device_seconds += kLargeSeconds;
        settings.opening_seconds += kLargeSeconds;
        settings.spare_devices = 0;  // the large buffers are there once
    }
    return settings;
}

}  // namespace optiml::optimizer
