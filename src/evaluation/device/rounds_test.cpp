#include "evaluation/device/rounds.h"

#include <set>

#include <gtest/gtest.h>

namespace optiml::evaluation::device {
namespace {

TEST(Rounds, WithoutKeptOnesEachIsFresh) {
    Rounds rounds(1);
    rounds.begin_candidate();
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 10; ++i) {
        EXPECT_TRUE(seen.insert(rounds.fresh()).second);
        EXPECT_TRUE(seen.insert(rounds.judged()).second);
    }
    EXPECT_LT(*seen.rbegin(), Rounds::kFirstKept);
}

TEST(Rounds, NoCandidateGetsAKeptOneTwice) {
    Rounds rounds(1);
    rounds.keep(4);
    std::set<std::uint64_t> kept, fresh;
    for (int candidate = 0; candidate < 5; ++candidate) {
        rounds.begin_candidate();
        std::set<std::uint64_t> own;
        for (int i = 0; i < 4; ++i) EXPECT_TRUE(own.insert(rounds.judged()).second);
        EXPECT_GE(*own.begin(), Rounds::kFirstKept);
        kept.insert(own.begin(), own.end());
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(fresh.insert(rounds.judged()).second) << "when they have run out";
    }
    EXPECT_EQ(kept.size(), 4u) << "the same for all candidates";
    EXPECT_LT(*fresh.rbegin(), Rounds::kFirstKept);
}

TEST(Rounds, TheirOrderIsAnotherForEachCandidateAndSecret) {
    const auto orders_of = [](std::uint64_t secret) {
        Rounds rounds(secret);
        rounds.keep(4);
        std::vector<std::vector<std::uint64_t>> orders;
        for (int candidate = 0; candidate < 8; ++candidate) {
            rounds.begin_candidate();
            std::vector<std::uint64_t>& order = orders.emplace_back();
            for (int i = 0; i < 4; ++i) order.push_back(rounds.judged());
        }
        return orders;
    };
    const auto first = orders_of(1);
    EXPECT_GE(std::set(first.begin(), first.end()).size(), 4u);
    EXPECT_NE(first, orders_of(2));
}

}  // namespace
}  // namespace optiml::evaluation::device
