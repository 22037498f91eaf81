#pragma once
// Latencies of results by what produced them, from the device's parameters and from where a launch's loads found their data.

#include <vector>

#include "emulator/counting/sm_observer.h"
#include "emulator/device_model.h"
#include "emulator/machine_code/ptx_counts.h"
#include "emulator/machine_code/warp_timing.h"

namespace optiml::emulator {

class Latencies {
public:
    // dram_share: of the sectors that L1 misses, those that come from DRAM. All references must outlive this.
    Latencies(const DeviceModel& device, const PtxFlow& ptx, const std::vector<AccessTotals>& accesses, double dram_share);

    ResultLatency of(const MachineInstruction& instruction) const;

private:
    double global_load_cycles(const AccessTotals& totals) const;
    double texture_cycles() const;

    const PtxFlow& ptx_;
    const std::vector<AccessTotals>& accesses_;
    AccessTotals fetches_;  // of all instructions: line tables do not name those of texture fetches
    double l1_, miss_, shared_, texture_, constant_, special_, exchange_, atomic_;
};

}  // namespace optiml::emulator
