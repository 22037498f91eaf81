#include "workers/ncu_profile.h"

#include <algorithm>

#include "evaluation/device/measured_profile.h"
#include "evaluation/device/single_run.h"
#include "gpu/nsight/ncu.h"
#include "workers/run_once.h"

namespace optiml::workers {
namespace {

constexpr std::size_t kMostProfiledLaunches = 16;  // as in process

evaluation::Profile profile_of(const gpu::nsight::NcuCapture& capture, const std::vector<std::string>& kernels, const std::vector<std::string>& metrics) {
    std::vector<evaluation::device::LaunchCounters> launches;
    for (std::size_t i = 0; i < capture.launches.size(); ++i) {
        // The plan's names, which the report writes with parameters and types; the order is the same.
        evaluation::device::LaunchCounters launch{i < kernels.size() ? kernels[i] : capture.launches[i].kernel, {}};
        for (const std::string& metric : metrics) launch.counters[metric] = capture.launches[i].counters.at(metric);
        launches.push_back(std::move(launch));
    }
    evaluation::Profile profile = evaluation::device::measured_profile(launches, capture.rung);
    for (std::size_t i = 0; i < capture.launches.size(); ++i) {
        profile.launches[i].grid = capture.launches[i].grid;
        profile.launches[i].block = capture.launches[i].block;
    }
    return profile;
}

}  // namespace

Result<evaluation::Profile> profile_with_ncu(const task::Task& task, const task::LaunchPlan& plan, const std::string& compiled, const NcuSettings& settings) {
    const auto kernels = evaluation::device::launched_kernels(task, plan, settings.sizes);
    if (!kernels) return tl::make_unexpected(kernels.error());
    const auto run = WatchedRun::make(settings.program, settings.ordinal, task, compiled, settings.sizes);
    if (!run) return tl::make_unexpected(run.error());
    const std::vector<std::string> metrics = gpu::metrics_of(settings.tier, settings.chip);
    const auto capture = gpu::nsight::profile({metrics, run->command(), kMostProfiledLaunches, settings.time_limit_seconds});
    if (!capture) return tl::make_unexpected(capture.error());
    const std::size_t expected = std::min(kernels->size(), kMostProfiledLaunches);
    if (capture->launches.size() != expected) {
        return environment_error("ncu saw " + std::to_string(capture->launches.size()) + " launches where the plan makes " + std::to_string(expected));
    }
    return profile_of(*capture, *kernels, metrics);
}

}  // namespace optiml::workers
