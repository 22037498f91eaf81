#pragma once
// One memory access, packed into 64 bits. From the lowest bits: strength, readers, site, thread, block, stamp.

#include <cstdint>

#include "emulator/execution/operation.h"

namespace optiml::emulator {

// 0: no access.
using AccessRecord = std::uint64_t;

// In records of reads: for whom the record stands besides the thread that it names.
enum class Readers : std::uint8_t {
    one,
    warp,   // further lanes of the thread's warp
    block,  // further warps of its block
    many,   // listed one by one (AccessHistory::readers), or of several blocks
};

// How many bits block, thread and site need differs between launches; what they leave is for the stamp.
class RecordLayout {
public:
    RecordLayout() : RecordLayout(1, 1, 1) {}
    RecordLayout(std::uint64_t sites, std::uint64_t threads, std::uint64_t blocks);

    // block: its run index; stamp: time of the block's clock, at least 1.
    AccessRecord make(AccessStrength strength, std::uint32_t site, std::uint32_t thread, std::uint32_t block, std::uint64_t stamp) const {
        return static_cast<AccessRecord>(strength) | (site < site_limit_ ? AccessRecord{site} : 0) << kSiteShift |
               AccessRecord{thread} << thread_shift_ | AccessRecord{block} << block_shift_ | stamp << stamp_shift_;
    }
    static AccessRecord with_readers(AccessRecord record, Readers readers) {
        return (record & ~kReadersMask) | static_cast<AccessRecord>(readers) << kReadersShift;
    }

    static AccessStrength strength(AccessRecord record) { return static_cast<AccessStrength>(record & 3); }
    static Readers readers(AccessRecord record) { return static_cast<Readers>(record >> kReadersShift & 3); }
    std::uint32_t site(AccessRecord record) const { return field(record, kSiteShift, thread_shift_); }
    std::uint32_t thread(AccessRecord record) const { return field(record, thread_shift_, block_shift_); }
    std::uint32_t block(AccessRecord record) const { return field(record, block_shift_, stamp_shift_); }
    std::uint64_t stamp(AccessRecord record) const { return record >> stamp_shift_; }
    // A record compares below this if and only if its stamp is below `stamp`.
    AccessRecord bound(std::uint64_t stamp) const { return stamp << stamp_shift_; }

    AccessRecord thread_step() const { return AccessRecord{1} << thread_shift_; }
    AccessRecord block_mask() const { return mask(block_shift_, stamp_shift_); }
    AccessRecord owner_mask() const { return mask(thread_shift_, stamp_shift_); }
    AccessRecord warp_mask() const { return owner_mask() & ~((AccessRecord{kLanes} << thread_shift_) - 1); }
    std::uint64_t greatest_stamp() const { return ~std::uint64_t{0} >> stamp_shift_; }

    static constexpr std::uint32_t kReadersShift = 2;
    static constexpr AccessRecord kReadersMask = AccessRecord{3} << kReadersShift;

private:
    static constexpr std::uint32_t kSiteShift = 4;

    static AccessRecord mask(std::uint32_t begin, std::uint32_t end) {
        return ((AccessRecord{1} << (end - begin)) - 1) << begin;
    }
    static std::uint32_t field(AccessRecord record, std::uint32_t begin, std::uint32_t end) {
        return static_cast<std::uint32_t>((record & mask(begin, end)) >> begin);
    }

    std::uint64_t site_limit_;  // sites beyond count as unknown
    std::uint32_t thread_shift_;
    std::uint32_t block_shift_;
    std::uint32_t stamp_shift_;
};

}  // namespace optiml::emulator
