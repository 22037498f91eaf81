#pragma once

#include <cstdint>

#include "emulator/device_model.h"

namespace optiml::emulator {

struct Occupancy {
    std::uint32_t blocks_per_sm = 0;     // resident at once; 0: the kernel cannot launch
    std::uint32_t limit_warps = 0;       // blocks an SM, by each resource (Nsight Compute's launch__occupancy_limit_*)
    std::uint32_t limit_registers = 0;
    std::uint32_t limit_shared = 0;
    std::uint32_t limit_blocks = 0;
    double theoretical = 0;              // resident warps / the SM's maximum, 0..1
};

// CUDA's occupancy calculation. threads: a block; shared_bytes: static + dynamic a block.
Occupancy occupancy_of(const DeviceModel& device, std::uint32_t threads, std::uint32_t registers, std::uint32_t shared_bytes);

}  // namespace optiml::emulator
