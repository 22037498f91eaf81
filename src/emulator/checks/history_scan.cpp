#include "emulator/checks/history_scan.h"

#include "emulator/execution/vectorized.h"

namespace optiml::emulator {
namespace {

using Truth = std::uint64_t;  // 0 or 1: as wide as the records, which is what vectorises

// Inlined into each level of the functions below.
#define OPTIML_INLINE __attribute__((always_inline)) inline

OPTIML_INLINE Truth comes_before(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    const Truth in_block = Truth{((record ^ mine) & terms.block_mask) == 0} & Truth{record < terms.ordered};
    const Truth in_warp = Truth{((record ^ mine) & terms.warp_mask) == 0} & Truth{record < terms.warp_ordered};
    return in_block | in_warp;
}

OPTIML_INLINE Truth is_own(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    return Truth{((record ^ mine) & terms.owner_mask) == 0} & Truth{(record & RecordLayout::kReadersMask) == 0};
}

OPTIML_INLINE Truth is_harmless(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    return Truth{record == 0} | is_own(record, mine, terms) | comes_before(record, mine, terms);
}

constexpr AccessRecord kWarpReaders = AccessRecord{static_cast<std::uint8_t>(Readers::warp)} << RecordLayout::kReadersShift;
constexpr AccessRecord kBlockReaders = AccessRecord{static_cast<std::uint8_t>(Readers::block)} << RecordLayout::kReadersShift;

// The record already stands for this read as well.
OPTIML_INLINE Truth is_covered(AccessRecord record, AccessRecord mine, const ScanTerms& terms) {
    const AccessRecord readers = record & RecordLayout::kReadersMask;
    const Truth by_block = Truth{readers == kBlockReaders} & Truth{((record ^ mine) & terms.block_mask) == 0} & Truth{record >= terms.ordered};
    const Truth by_warp = Truth{readers == kWarpReaders} & Truth{((record ^ mine) & terms.warp_mask) == 0} & Truth{record >= terms.warp_ordered};
    return by_block | by_warp;
}

}  // namespace

OPTIML_VECTORIZED
bool scan_writes(AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& terms) {
    Truth harmless = 1;
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
bool scan_reads(const AccessRecord* writes, AccessRecord* reads, std::uint32_t count, std::uint32_t lane_shift, const ScanTerms& terms) {
    Truth harmless = 1;
    Truth covered = 1;
    Truth replaceable = 1;
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
