#pragma once
// Which accesses of the other lanes of its warp come before what a lane does now.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "emulator/lanes.h"

namespace optiml::emulator {

// Stamps are times of the block's clock (block.h). An access of lane b with a stamp below known(a, b) comes before what lane a does now.
class LaneOrder {
public:
    bool is_ordered(std::uint32_t lane, std::uint32_t other, std::uint64_t stamp) const {
        return stamp < all_ || (known_ != nullptr && stamp < (*known_)[lane][other]);
    }
    // Below this, accesses of any lane of the warp come before what any lane does now.
    std::uint64_t all() const { return all_; }

    // `lanes` synchronised at time `now`: all that any of them did or knew, each knows.
    void synchronize(LaneMask lanes, LaneMask live, std::uint64_t now) {
        if ((live & ~lanes) == 0) {
            all_ = now;
            known_.reset();
            return;
        }
        if (known_ == nullptr) known_ = std::make_unique<Known>();
        std::array<std::uint64_t, kLanes> joined{};
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
            for (int other = 0; other < kLanes; ++other)
                joined[other] = std::max(joined[other], (*known_)[std::countr_zero(rest)][other]);
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) joined[std::countr_zero(rest)] = now;
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) (*known_)[std::countr_zero(rest)] = joined;
    }

private:
    using Known = std::array<std::array<std::uint64_t, kLanes>, kLanes>;
    std::uint64_t all_ = 0;
    std::unique_ptr<Known> known_;  // null: nothing beyond all_
};

}  // namespace optiml::emulator
