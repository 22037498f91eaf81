#pragma once
// The common case of race detection, for many cells at once: nothing unordered, nothing to say.

#include <cstdint>

#include "emulator/checks/access_record.h"

namespace optiml::emulator {

// What the accessing threads know; the same for all cells of a scan.
struct ScanTerms {
    AccessRecord first = 0;         // of the first lane: its thread and block, site, strength, and the time now
    AccessRecord thread_step = 0;   // added for each further lane
    AccessRecord owner_mask = 0;
    AccessRecord block_mask = 0;
    AccessRecord warp_mask = 0;
    AccessRecord ordered = 0;       // accesses of the same block whose records are below come before
    AccessRecord warp_ordered = 0;  // of the same warp
};

// Cells of consecutive lanes, `1 << lane_shift` cells a lane. True: no access in them is unordered with these, and they are recorded.
// False: nothing was changed; each cell has to be looked at.
bool scan_writes(AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& terms);
bool scan_reads(const AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& terms);

}  // namespace optiml::emulator
