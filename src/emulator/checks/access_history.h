#pragma once
// Who accessed each part of a page last, since the launch or the block began.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/storage/page.h"

namespace optiml::emulator {

// One access, packed: see RecordLayout. 0: none.
using AccessRecord = std::uint64_t;

class AccessHistory {
public:
    AccessHistory() : writes(kGranulesPerPage), reads(kGranulesPerPage) {}

    // Cells are as small as the smallest access so far, so that neighbouring bytes of different threads do not collide.
    std::uint32_t cell_shift() const { return cell_shift_; }
    // Makes cells of `1 << shift` bytes or smaller; what is known of a cell then holds for each of its parts.
    void refine(std::uint32_t shift);
    void clear();

    std::vector<AccessRecord> writes;
    std::vector<AccessRecord> reads;
    // Cells that were read by several threads: those before the one in `reads`, as far as the checker keeps them.
    std::unordered_map<std::uint32_t, std::vector<AccessRecord>> other_reads;

private:
    std::uint32_t cell_shift_ = 2;
};

}  // namespace optiml::emulator
