#pragma once
// What NVIDIA's compute-sanitizer prints, as records.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::gpu::sanitizer {

enum class Fault : std::uint8_t { out_of_bounds, misaligned, uninitialized, race, barrier, other };

struct Record {
    Fault fault = Fault::other;
    std::string statement;                   // "Invalid __global__ write of size 4 bytes"
    std::string kernel;                      // without its parameters; empty: not told
    std::string file;                        // of the access; needs -lineinfo
    std::uint32_t line = 0;                  // 0: not told
    std::array<std::uint32_t, 3> block{};
    std::array<std::uint32_t, 3> thread{};
    std::string address;                     // "0x7f...", or "" for races and barriers
    std::string detail;                      // how far outside, the other access of a race
    bool operator==(const Record&) const = default;
};

struct Report {
    std::vector<Record> records;
    std::uint64_t errors = 0;                // by the tool's own count; it may stop to print long before it stops to count
};

// Warnings of racecheck (hazards that write the same value) are left out. Error (environment): no summary, so the tool did not finish, or
// it says that it may have missed errors; with its words.
Result<Report> parse_report(std::string_view output);

}  // namespace optiml::gpu::sanitizer
