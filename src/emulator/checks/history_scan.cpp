#include "emulator/checks/history_scan.h"

#include "emulator/execution/vectorized.h"

namespace optiml::emulator {
namespace {

// All ones or zero: as wide as the records, so that the loops below vectorise.
using Mask = std::uint64_t;

// Inlined into each level of the functions below.
#define OPTIML_INLINE __attribute__((always_inline)) inline

OPTIML_INLINE Mask equal(AccessRecord a, AccessRecord b) { return a == b ? ~Mask{0} : 0; }
OPTIML_INLINE Mask below(AccessRecord a, AccessRecord b) { return a < b ? ~Mask{0} : 0; }

constexpr AccessRecord kWarpReaders = AccessRecord{static_cast<std::uint8_t>(Readers::warp)} << RecordLayout::kReadersShift;
constexpr AccessRecord kBlockReaders = AccessRecord{static_cast<std::uint8_t>(Readers::block)} << RecordLayout::kReadersShift;

// The access of the record is the thread's own or comes before what it does now, or there is none.
OPTIML_INLINE Mask is_harmless(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    const AccessRecord difference = record ^ mine;
    const Mask in_block = equal(difference & terms.block_mask, 0) & below(record, terms.ordered);
    const Mask in_warp = equal(difference & terms.warp_mask, 0) & below(record, terms.warp_ordered);
    const Mask own = equal(difference & terms.owner_mask, 0) & equal(record & RecordLayout::kReadersMask, 0);
    return equal(record, 0) | in_block | in_warp | own;
}

// The record of a read already stands for this read as well.
OPTIML_INLINE Mask is_covered(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    const AccessRecord difference = record ^ mine;
    const AccessRecord readers = record & RecordLayout::kReadersMask;
    const Mask by_block = equal(readers, kBlockReaders) & equal(difference & terms.block_mask, 0) & ~below(record, terms.ordered);
    const Mask by_warp = equal(readers, kWarpReaders) & equal(difference & terms.warp_mask, 0) & ~below(record, terms.warp_ordered);
    return by_block | by_warp;
}

}  // namespace

OPTIML_VECTORIZED
bool scan_writes(AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& scan) {
    const ScanTerms terms = scan;
    Mask harmless = ~Mask{0};
    for (std::uint32_t cell = 0; cell < count; ++cell) {
        const AccessRecord mine = terms.first + (cell >> lane_shift) * terms.thread_step;
        harmless &= is_harmless(writes[cell], mine, terms) & is_harmless(reads[cell], mine, terms);
    }
    if (harmless == 0) return false;
    for (std::uint32_t cell = 0; cell < count; ++cell) {
        writes[cell] = terms.first + (cell >> lane_shift) * terms.thread_step;
        reads[cell] = 0;
    }
    return true;
}

OPTIML_VECTORIZED
bool scan_reads(const AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& scan) {
    const ScanTerms terms = scan;
    Mask harmless = ~Mask{0};
    Mask covered = ~Mask{0};
    Mask replaceable = ~Mask{0};
    for (std::uint32_t cell = 0; cell < count; ++cell) {
        const AccessRecord mine = terms.first + (cell >> lane_shift) * terms.thread_step;
        harmless &= is_harmless(writes[cell], mine, terms);
        covered &= is_covered(reads[cell], mine, terms);
        replaceable &= is_harmless(reads[cell], mine, terms);
    }
    if (harmless == 0) return false;
    if (covered != 0) return true;
    if (replaceable == 0) return false;
    for (std::uint32_t cell = 0; cell < count; ++cell) reads[cell] = terms.first + (cell >> lane_shift) * terms.thread_step;
    return true;
}

}  // namespace optiml::emulator
