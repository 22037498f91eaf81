#pragma once
// What the emulator's checks report.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace optiml::emulator {

enum class FindingKind : std::uint8_t {
    out_of_bounds,
    misaligned,
    uninitialized,     // uninitialised bytes reached a result, an address or a branch
    race,
    barrier,           // divergent or missing barrier
    shuffle,           // shuffle, vote or match whose mask names exited or absent lanes, or a lane that does not take part
    time_limit,
    launch,            // grid, block or shared memory outside the device's limits
    unsupported,       // "not emulated: NAME at line L"
    trap,              // trap or failed device assert
};

std::string_view name_of(FindingKind kind);  // as in --json: "out_of_bounds", ...

struct Finding {
    FindingKind kind = FindingKind::unsupported;
    std::string message;      // one sentence, e.g. "4-byte read 12 bytes past the end of 'x' (40028 bytes)"
    std::string kernel;
    std::string file;         // the user's file by .loc; empty where unknown
    std::uint32_t line = 0;
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    std::uint64_t address = 0;     // offset in buffer where buffer is known
    std::string buffer;            // the buffer's name, "shared" or "local"
    std::uint64_t occurrences = 1; // findings are one a (kind, line, buffer); later ones are only counted
    // A second party, for races: where the other access stands.
    std::uint32_t other_line = 0;
    std::array<std::uint32_t, 3> other_block{};
    std::array<std::uint32_t, 3> other_thread{};
};

}  // namespace optiml::emulator
