#pragma once
// Which accesses of the others come before what one does now: among the lanes of a warp, and among the warps of a block.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "emulator/lanes.h"

namespace optiml::emulator {

// Members are numbered 0 to 31. Stamps are times of the block's clock (block.h): an access of member b with a stamp below what member
// a knows of b comes before what a does now.
class SyncOrder {
public:
    static constexpr int kMembers = 32;

    bool is_ordered(std::uint32_t member, std::uint32_t other, std::uint64_t stamp) const {
        return stamp < all_ || (known_ != nullptr && stamp < (*known_)[member][other]);
    }
    // Below this, accesses of every member come before what any does now.
    std::uint64_t all() const { return all_; }
    std::uint64_t known(std::uint32_t member, std::uint32_t other) const {
        return known_ == nullptr ? all_ : std::max(all_, (*known_)[member][other]);
    }

    // `members` synchronised at time `now`: all that any of them did or knew, each knows. live: members that are still there.
    void synchronize(std::uint32_t members, std::uint32_t live, std::uint64_t now) {
        if ((live & ~members) == 0) {
            all_ = now;
            known_.reset();
            return;
        }
        open();
        std::array<std::uint64_t, kMembers> joined{};
        for (std::uint32_t rest = members; rest != 0; rest &= rest - 1)
            for (int other = 0; other < kMembers; ++other)
                joined[other] = std::max(joined[other], (*known_)[std::countr_zero(rest)][other]);
        for (std::uint32_t rest = members; rest != 0; rest &= rest - 1) joined[std::countr_zero(rest)] = now;
        for (std::uint32_t rest = members; rest != 0; rest &= rest - 1) (*known_)[std::countr_zero(rest)] = joined;
    }
    // A member learns of another's accesses before `stamp`.
    void learn(std::uint32_t member, std::uint32_t other, std::uint64_t stamp) {
        if (stamp <= known(member, other)) return;
        open();
        (*known_)[member][other] = stamp;
    }
    // Everyone learns of everyone's accesses before `stamp`.
    void learn_all(std::uint64_t stamp) { all_ = std::max(all_, stamp); }

private:
    using Known = std::array<std::array<std::uint64_t, kMembers>, kMembers>;

    void open() {
        if (known_ == nullptr) known_ = std::make_unique<Known>();
    }

    std::uint64_t all_ = 1;
    std::unique_ptr<Known> known_;  // null: nothing beyond all_
};

}  // namespace optiml::emulator
