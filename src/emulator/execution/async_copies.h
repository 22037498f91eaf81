#pragma once
// cp.async: copies from global to shared memory that a thread begins, and that are done when it has waited for them.

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/lanes.h"
#include "emulator/values/shadow_page.h"

namespace optiml::emulator {

struct Operation;

constexpr std::uint32_t kMaxCopyBytes = 16;

// A copy by one lane. The source was read when it began; the bytes arrive in shared memory when it is waited for, so that a kernel
// which forgets to wait does not see them.
struct AsyncCopy {
    const Operation* operation = nullptr;
    std::uint32_t lane = 0;
    std::uint32_t group = 0;                // of the lane: how many it had committed when the copy began
    std::uint64_t target = 0;               // offset in shared memory
    std::uint32_t bytes = 0;
    std::array<std::uint8_t, kMaxCopyBytes> value{};
    std::uint32_t unwritten = 0;            // bit b: byte b is uninitialised
    // Of values of 4 or 8 bytes (`shadow_bytes`) that begin at byte 4 i; 0: no shadow.
    std::array<ShadowValue, kMaxCopyBytes / 4> shadows{};
    std::array<std::uint8_t, kMaxCopyBytes / 4> shadow_bytes{};
};

struct AsyncCopies {
    std::vector<AsyncCopy> in_flight;       // in the order in which they began
    std::array<std::uint32_t, kLanes> committed{};  // groups, by lane
};

class Executor;

// The copies of `lanes` whose group is below that lane's limit arrive.
void finish_copies(Executor& executor, LaneMask lanes, const std::array<std::uint32_t, kLanes>& limits);
void finish_all_copies(Executor& executor, LaneMask lanes);

}  // namespace optiml::emulator
