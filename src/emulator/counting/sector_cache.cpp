#include "emulator/counting/sector_cache.h"

#include <algorithm>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

// The hardware's associativity is higher than this and its set index is hashed; eight ways with a hash behave alike and are cheap to search.
constexpr std::uint32_t kWays = 8;
// A warp's own loads that a miss outlasts: those up to the next use of a result.
constexpr std::uint64_t kMomentsInFlight = 2;

}  // namespace

SectorCache::SectorCache(std::uint64_t bytes) : sets_(static_cast<std::uint32_t>(bytes / kLineBytes / kWays)) {
    ways_.resize(std::size_t{sets_} * kWays);
}

void SectorCache::clear() { std::fill(ways_.begin(), ways_.end(), Way{}); }

SectorCache::Way* SectorCache::set_of(std::uint64_t line) {
    // Consecutive lines spread over consecutive sets; the high bits stir, so that a power-of-two stride does not meet one set alone.
    const std::uint64_t stirred = line + (line / sets_) * 17;
    return &ways_[stirred % sets_ * kWays];
}

SectorCache::Answer SectorCache::access(std::uint64_t line, std::uint8_t sectors, std::uint64_t moment) {
    if (sets_ == 0) return {};
    Way* const set = set_of(line);
    Way* oldest = set;
    ++clock_;
    for (Way* way = set; way != set + kWays; ++way) {
        if (way->line == line) {
            const auto present = static_cast<std::uint8_t>(way->sectors & sectors);
            const bool arriving = moment <= way->filled_at + kMomentsInFlight && way->filled_at <= moment + kMomentsInFlight;
            way->last_use = clock_;
            if (present != sectors) way->filled_at = moment;
            way->sectors |= sectors;
            return {present, present != 0 && arriving};
        }
        if (way->last_use < oldest->last_use) oldest = way;
    }
    *oldest = {line, moment, clock_, sectors};
    return {};
}

}  // namespace optiml::emulator
