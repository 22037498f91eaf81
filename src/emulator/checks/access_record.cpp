#include "emulator/checks/access_record.h"

#include <algorithm>
#include <bit>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kMostSiteBits = 12;

std::uint32_t bits_for(std::uint64_t count) { return static_cast<std::uint32_t>(std::bit_width(std::max<std::uint64_t>(count, 2) - 1)); }

}  // namespace

RecordLayout::RecordLayout(std::uint64_t sites, std::uint64_t threads, std::uint64_t blocks) {
    const std::uint32_t site_bits = std::min(bits_for(sites), kMostSiteBits);
    site_limit_ = std::uint64_t{1} << site_bits;
    thread_shift_ = kSiteShift + site_bits;
    // At least five bits, so that the warp of a thread has bits of its own.
    block_shift_ = thread_shift_ + std::max(bits_for(threads), 5u);
    stamp_shift_ = block_shift_ + bits_for(blocks);
}

}  // namespace optiml::emulator
