#pragma once
// What L2 fetches from DRAM and writes to it, from what the SMs asked for.

#include <cstdint>
#include <vector>

#include "emulator/counting/memory_history.h"
#include "emulator/device_model.h"

namespace optiml::emulator {

// Where a buffer lies: [begin, begin + bytes).
struct BufferRange {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
};

struct TrafficInput {
    const DeviceModel* device = nullptr;
    std::vector<const MemoryHistory*> groups;  // one an SM that ran, or one a sampled group of blocks
    std::vector<BufferRange> buffers;
    bool sampled = false;                      // the groups are some of the grid's; each is what an SM holds at once
    double scale = 1;                          // blocks of the grid a block that ran
    double waves = 1;                          // times that the device is filled with blocks
};

struct MemoryTraffic {
    double dram_read_bytes = 0;
    double dram_write_bytes = 0;
    double moved_bytes = 0;       // that keep DRAM busy: writes of single sectors as pairs
    double scattered_bytes = 0;   // of these, read one pair a row of DRAM
    double footprint_bytes = 0;   // read or written at least once
};

MemoryTraffic model_traffic(const TrafficInput& input);

// The distances (in sectors of one SM's traffic, when `sms` are busy) between which L2 forgets.
struct RetentionLimits {
    double near_sectors = 0;
    double far_sectors = 0;
};
RetentionLimits retention_limits(const DeviceModel& device, std::uint64_t busy_sms);

}  // namespace optiml::emulator
