#pragma once
// One warp's access to memory: who accesses what.

#include <array>
#include <cstdint>

#include "emulator/lanes.h"
#include "ptx/opcode.h"

namespace optiml::emulator {

constexpr std::uint32_t kMaxLaneBytes = 32;  // .v4.b64 and .v8.b32

struct Request {
    ptx::Space space = ptx::Space::global;  // never generic: requests with generic addresses are parted by window
    LaneMask active = 0;
    std::uint32_t lane_bytes = 4;
    bool contiguous = false;                // all 32 lanes are active and follow each other without gaps
    // Of active lanes: device addresses (global, constant), or offsets in the block's shared, the thread's local memory or the
    // kernel's parameters.
    alignas(64) std::array<std::uint64_t, kLanes> addresses;
};

// Bytes on their way between rows and memory: lane_bytes of lane 0, then of lane 1, ...
using Staging = std::array<std::uint8_t, kLanes * kMaxLaneBytes>;

// addresses[lane] = bases[lane] + offset for all lanes; true: each lane follows the one before by `step` bytes.
bool form_addresses(const std::uint64_t* bases, std::uint64_t offset, std::uint64_t step, std::uint64_t* addresses);
// The same from 32-bit bases; the sum wraps at 32 bits.
bool form_addresses(const std::uint32_t* bases, std::uint32_t offset, std::uint64_t step, std::uint64_t* addresses);

}  // namespace optiml::emulator
