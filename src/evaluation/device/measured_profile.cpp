#include "evaluation/device/measured_profile.h"

#include <algorithm>

namespace optiml::evaluation::device {
namespace {

constexpr const char* kDuration = "gpu__time_duration.sum";

double nanoseconds_of(const LaunchCounters& launch) {
    const auto found = launch.counters.find(kDuration);
    return found == launch.counters.end() ? 0 : found->second;
}

}  // namespace

Profile measured_profile(const std::vector<LaunchCounters>& launches, std::string collector) {
    Profile profile;
    profile.source = Source::measured;
    profile.collector = std::move(collector);
    std::map<std::string, double> weights;
    const bool is_timed = std::any_of(launches.begin(), launches.end(), [](const LaunchCounters& launch) { return nanoseconds_of(launch) > 0; });
    for (const LaunchCounters& launch : launches) {
        const double weight = is_timed ? nanoseconds_of(launch) : 1;
        for (const auto& [name, value] : launch.counters) {
            const bool adds_up = name.ends_with(".sum");
            profile.counters[name] += adds_up ? value : value * weight;
            weights[name] += adds_up ? 0 : weight;
        }
        LaunchProfile entry;
        entry.kernel = launch.kernel;
        entry.time_ms = nanoseconds_of(launch) / 1e6;
        entry.counters = launch.counters;
        profile.launches.push_back(std::move(entry));
    }
    for (auto& [name, value] : profile.counters) {
        if (weights[name] > 0) value /= weights[name];
    }
    return profile;
}

Profile driver_profile(const gpu::Device& device, const DeviceProgram& program, std::size_t most_launches) {
    const double threads_per_sm = device.properties().threads_per_sm;
    std::vector<LaunchCounters> launches;
    for (const DeviceProgram::LaunchView& launch : program.launches()) {
        if (launches.size() == most_launches) break;
        LaunchCounters entry{*launch.kernel, {}};
        const double threads = static_cast<double>(launch.shape->block[0]) * launch.shape->block[1] * launch.shape->block[2];
        entry.counters["launch__block_size"] = threads;
        entry.counters["launch__grid_size"] = static_cast<double>(launch.shape->grid[0]) * launch.shape->grid[1] * launch.shape->grid[2];
        entry.counters["launch__shared_mem_per_block_dynamic"] = launch.shape->dynamic_shared;
        if (const auto attributes = device.attributes(launch.function, static_cast<std::uint32_t>(threads), launch.shape->dynamic_shared)) {
            entry.counters["launch__registers_per_thread"] = attributes->registers;
            entry.counters["launch__shared_mem_per_block_static"] = attributes->static_shared;
            entry.counters["sm__maximum_warps_per_active_cycle_pct"] = threads_per_sm > 0 ? 100 * attributes->blocks_per_sm * threads / threads_per_sm : 0;
        }
        launches.push_back(std::move(entry));
    }
    return measured_profile(launches, "driver");
}

}  // namespace optiml::evaluation::device
