#include "emulator/counter_collector.h"

#include "emulator/counting/launch_counters.h"
#include "emulator/counting/line_counters.h"
#include "emulator/counting/sm_observer.h"

namespace optiml::emulator {
namespace {

std::uint32_t shared_bytes(const Launch& launch) { return launch.resources.static_shared + launch.dynamic_shared; }

std::uint32_t warps_per_block(const Launch& launch) {
    return static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
}

MergedLoads merged_loads(const Launch& launch) {
    MergedLoads merged;
    for (const ptx::Function& function : launch.module->functions) {
        const MachineFunction* machine = launch.machine_code == nullptr ? nullptr : launch.machine_code->find(function.name);
        if (machine != nullptr && function.has_body) merged[&function] = find_merged_loads(function, *machine);
    }
    return merged;
}

}  // namespace

CounterCollector::CounterCollector(const Launch& launch, const DeviceModel& device)
    : launch_(launch),
      device_(device),
      occupancy_(occupancy_of(device, static_cast<std::uint32_t>(launch.block.count()), launch.resources.registers, shared_bytes(launch))),
      merged_loads_(std::make_unique<MergedLoads>(merged_loads(launch))) {}

CounterCollector::~CounterCollector() = default;

Observer& CounterCollector::add_sm() {
    SmSettings settings;
    settings.l1_bytes = device_.l1_cache_bytes(occupancy_.blocks_per_sm, shared_bytes(launch_));
    settings.warps_per_block = warps_per_block(launch_);
    settings.local_bytes = launch_.resources.local_bytes;
    settings.merged = merged_loads_.get();
    observers_.push_back(std::make_unique<SmObserver>(settings));
    return *observers_.back();
}

const LaunchSummary& CounterCollector::summary() {
    if (!summary_) {
        summary_ = std::make_unique<LaunchSummary>();
        for (const auto& observer : observers_) summary_->totals.merge(observer->totals());
        summary_->profiles = function_profiles(launch_, summary_->totals);
        const auto blocks = static_cast<double>(summary_->totals.blocks);
        summary_->scale = blocks > 0 ? static_cast<double>(launch_.grid.count()) / blocks : 0;
    }
    return *summary_;
}

Counters CounterCollector::counters() {
    Counters counters = launch_counters(launch_, device_, occupancy_);
    add_execution_counters(summary(), counters);
    return counters;
}

std::vector<LineCounters> CounterCollector::lines() { return line_counters(*launch_.module, summary()); }

}  // namespace optiml::emulator
