#pragma once
// Turns what the observers of a launch saw into counters under Nsight Compute names.

#include <memory>
#include <vector>

#include "emulator/counters.h"
#include "emulator/counting/access_plan.h"
#include "emulator/counting/memory_traffic.h"
#include "emulator/device_model.h"
#include "emulator/emulator.h"
#include "emulator/observer.h"
#include "emulator/occupancy.h"

namespace optiml::emulator {

class SmObserver;
struct LaunchSummary;

class CounterCollector {
public:
    // The launch and the device must outlive the collector. buffers: of global memory, which bound what blocks that were not run can touch.
    CounterCollector(const Launch& launch, const DeviceModel& device, std::vector<BufferRange> buffers);
    ~CounterCollector();

    // Blocks of this launch that an SM holds at once; 0: it cannot launch.
    const Occupancy& occupancy() const { return occupancy_; }

    // The observer of one more simulated SM, or of one more group of sampled blocks that would share an SM. Not thread-safe;
    // different observers may then be used by different threads.
    Observer& add_sm();

    // After every observer's finish(): values for the whole grid, scaled where only some blocks ran.
    Counters counters();
    // Additive counters by the user's source line, sorted by file and line.
    std::vector<LineCounters> lines();

private:
    const LaunchSummary& summary();  // made once
    MemoryTraffic traffic(std::uint64_t blocks_run) const;

    const Launch& launch_;
    const DeviceModel& device_;
    std::vector<BufferRange> buffers_;
    Occupancy occupancy_;
    AccessPlans plans_;
    std::vector<std::unique_ptr<SmObserver>> observers_;
    std::unique_ptr<LaunchSummary> summary_;
};

}  // namespace optiml::emulator
