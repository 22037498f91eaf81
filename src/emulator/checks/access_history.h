#pragma once
// Who accessed each part of a page last, since the launch or the block began.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/checks/access_record.h"
#include "emulator/storage/page.h"

namespace optiml::emulator {

class AccessHistory {
public:
    AccessHistory() : writes(kGranulesPerPage), reads(kGranulesPerPage) {}

    // Cells are as small as the smallest access so far, so that neighbouring bytes of different threads do not collide.
    std::uint32_t cell_shift() const { return cell_shift_; }
    // Makes cells of `1 << shift` bytes or smaller; what is known of a cell then holds for each of its parts.
    void refine(std::uint32_t shift);
    void clear();
    // Where several threads read a cell, the record before the one in `reads`: another reader for reports.
    void note_earlier_reader(std::uint32_t cell, AccessRecord record) {
        if (earlier_reads.empty()) earlier_reads.resize(reads.size());
        earlier_reads[cell] = record;
    }
    void note_noncoherent_read(std::uint32_t cell, AccessRecord record) {
        if (noncoherent_reads.empty()) noncoherent_reads.resize(reads.size());
        noncoherent_reads[cell] = record;
    }

    std::vector<AccessRecord> writes;
    std::vector<AccessRecord> reads;
    std::vector<AccessRecord> earlier_reads;  // empty until the first
    // Reads through the read-only cache (ld.global.nc); empty until the first.
    std::vector<AccessRecord> noncoherent_reads;
    // By cell whose read record says Readers::many: a record for each warp that read it, and which of its lanes did.
    struct Reader {
        AccessRecord record = 0;
        LaneMask lanes = 0;
    };
    std::unordered_map<std::uint32_t, std::vector<Reader>> readers;
    // Cells that an asynchronous copy will write: by whom it was begun.
    std::unordered_map<std::uint32_t, AccessRecord> in_flight;

private:
    std::uint32_t cell_shift_ = 2;
};

}  // namespace optiml::emulator
