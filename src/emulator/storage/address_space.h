#pragma once
// Where the windows of the generic address space lie. Buffers and module variables begin at 1 TiB (region.h); everything below belongs
// to windows, so that a null pointer plus any 32-bit index hits nothing.

#include <cstdint>

#include "ptx/opcode.h"

namespace optiml::emulator {

constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 36;
constexpr std::uint64_t kSharedWindow = kWindowBytes;        // + offset in the block's shared memory
constexpr std::uint64_t kLocalWindow = 2 * kWindowBytes;     // + offset in the thread's local memory
constexpr std::uint64_t kFunctionWindow = 3 * kWindowBytes;  // + index of the function
constexpr std::uint64_t kParameterWindow = 4 * kWindowBytes; // + offset in the kernel's parameters
constexpr std::uint64_t kTextureWindow = 5 * kWindowBytes;   // + number of the texture object: handles, not addresses

// The space that a generic address points into; addresses of functions and of nothing count as global.
constexpr ptx::Space space_of(std::uint64_t generic_address) {
    switch (generic_address / kWindowBytes) {
        case 1: return ptx::Space::shared;
        case 2: return ptx::Space::local;
        case 4: return ptx::Space::param;
        default: return ptx::Space::global;
    }
}

constexpr std::uint64_t window_of(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return kSharedWindow;
        case ptx::Space::local: return kLocalWindow;
        case ptx::Space::param: return kParameterWindow;
        default: return 0;
    }
}

}  // namespace optiml::emulator
