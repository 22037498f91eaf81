#pragma once
// The bytes of a fragment's registers, and what is known of them.

#include <array>
#include <cstdint>

#include "emulator/execution/executor.h"
#include "emulator/matrices/fragment.h"

namespace optiml::emulator {

constexpr std::uint32_t kMaxFragmentBytes = 64;  // of one lane: eight registers of 64 bits

struct FragmentBytes {
    std::array<std::array<std::uint8_t, kMaxFragmentBytes>, kLanes> bytes{};
    std::array<std::array<std::uint8_t, kMaxFragmentBytes>, kLanes> unwritten{};  // uninitialised bits of each byte
    bool any_unwritten = false;
};

// Between registers, from slot `first` of the program's slots on, and bytes.
void read_registers(Executor& executor, std::uint32_t first, std::uint32_t registers, std::uint32_t register_bytes, FragmentBytes& to);
void write_registers(Executor& executor, std::uint32_t first, std::uint32_t registers, std::uint32_t register_bytes, LaneMask lanes,
                     const FragmentBytes& from);

// Matrix instructions are executed by whole warps; reports it where some lanes are missing.
void check_whole_warp(Executor& executor, const Operation& operation, LaneMask active);

}  // namespace optiml::emulator
