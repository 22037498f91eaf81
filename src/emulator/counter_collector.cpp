#include "emulator/counter_collector.h"

#include <algorithm>
#include <utility>

#include "emulator/counting/launch_counters.h"
#include "emulator/counting/line_counters.h"
#include "emulator/counting/sm_observer.h"

namespace optiml::emulator {
namespace {

std::uint32_t shared_bytes(const Launch& launch) { return launch.resources.static_shared + launch.dynamic_shared; }

std::uint32_t warps_per_block(const Launch& launch) {
    return static_cast<std::uint32_t>((launch.block.count() + kLanes - 1) / kLanes);
}

AccessPlans make_plans(const Launch& launch) {
    AccessPlans plans;
    for (const ptx::Function& function : launch.module->functions) {
        const MachineFunction* machine = launch.machine_code == nullptr ? nullptr : launch.machine_code->find(function.name);
        plans.emplace(&function, make_access_plan(function, machine));
    }
    return plans;
}

}  // namespace

CounterCollector::CounterCollector(const Launch& launch, const DeviceModel& device, std::vector<BufferRange> buffers)
    : launch_(launch),
      device_(device),
      buffers_(std::move(buffers)),
      occupancy_(occupancy_of(device, static_cast<std::uint32_t>(launch.block.count()), launch.resources.registers, shared_bytes(launch))),
      plans_(make_plans(launch)) {}

CounterCollector::~CounterCollector() = default;

Observer& CounterCollector::add_sm() {
    SmSettings settings;
    settings.l1_bytes = device_.l1_cache_bytes(occupancy_.blocks_per_sm, shared_bytes(launch_));
    settings.warps_per_block = warps_per_block(launch_);
    settings.local_bytes = launch_.resources.local_bytes;
    settings.retention = retention_limits(device_, std::min<std::uint64_t>(device_.sm_count, launch_.grid.count()));
    settings.plans = &plans_;
    observers_.push_back(std::make_unique<SmObserver>(settings));
    return *observers_.back();
}

const LaunchSummary& CounterCollector::summary() {
    if (!summary_) {
        summary_ = std::make_unique<LaunchSummary>();
        for (const auto& observer : observers_) summary_->totals.merge(observer->totals());
        const std::uint64_t blocks = summary_->totals.blocks;
        summary_->scale = blocks > 0 ? static_cast<double>(launch_.grid.count()) / static_cast<double>(blocks) : 0;
        summary_->traffic = traffic(blocks);
        summary_->device = &device_;
        summary_->groups = observers_.size();
        summary_->profiles = function_profiles(launch_, device_, summary_->totals, summary_->traffic, summary_->scale);
    }
    return *summary_;
}

MemoryTraffic CounterCollector::traffic(std::uint64_t blocks_run) const {
    TrafficInput input;
    input.device = &device_;
    for (const auto& observer : observers_) input.groups.push_back(&observer->history());
    input.buffers = buffers_;
    input.sampled = blocks_run < launch_.grid.count();
    input.scale = static_cast<double>(launch_.grid.count()) / static_cast<double>(std::max<std::uint64_t>(1, blocks_run));
    const std::uint64_t at_once = std::uint64_t{std::max(1u, occupancy_.blocks_per_sm)} * device_.sm_count;
    input.waves = static_cast<double>((launch_.grid.count() + at_once - 1) / at_once);
    return model_traffic(input);
}

Counters CounterCollector::counters() {
    Counters counters = launch_counters(launch_, device_, occupancy_);
    add_execution_counters(summary(), counters);
    return counters;
}

std::vector<LineCounters> CounterCollector::lines() { return line_counters(*launch_.module, summary()); }

}  // namespace optiml::emulator
