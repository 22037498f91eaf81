#pragma once
// How much work global atomics make for each line of L2. A slice of L2 works on one sector of a line at a time; lanes that meet on
// one address come one after another.

#include <cstdint>
#include <unordered_map>

#include "emulator/counting/coalescing.h"
#include "emulator/observer.h"

namespace optiml::emulator {

// Rounds of one request: a sector takes one, and one more for each further lane on its busiest address.
struct AtomicRounds {
    std::uint64_t integer = 0;
    std::uint64_t floating = 0;          // additions of floats take longer than those of integers
    std::uint64_t compare_and_swap = 0;

    AtomicRounds& operator+=(const AtomicRounds& other);
};

class AtomicContention {
public:
    // Counts a request and returns its rounds over all sectors. aggregated: the machine code lets one lane of a warp act for all.
    std::uint64_t add(const MemoryAccess& access, bool aggregated);
    void merge(const AtomicContention& other);

    // Of the lines on which most work is done. scale: blocks of the grid a block that ran; lines that only one of `groups` SMs touched
    // are not busier for it.
    AtomicRounds busiest(double scale, std::size_t groups) const;

private:
    struct Line {
        AtomicRounds rounds;
        std::uint32_t groups = 1;
    };
    std::unordered_map<std::uint64_t, Line> lines_;
};

}  // namespace optiml::emulator
