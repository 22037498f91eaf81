#include "emulator/counting/shared_banks.h"

#include <gtest/gtest.h>

#include <array>

namespace optiml::emulator {
namespace {

struct Case {
    const char* pattern;
    std::uint32_t bytes;
    std::uint32_t stride;
    std::uint32_t wavefronts;
    std::uint32_t conflicts;
};

std::array<std::uint64_t, kLanes> strided(std::uint32_t stride) {
    std::array<std::uint64_t, kLanes> addresses{};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = std::uint64_t{lane} * stride;
    return addresses;
}

TEST(SharedBanks, WavefrontsOfStridedAccesses) {
    const Case cases[] = {
        {"float", 4, 4, 1, 0},           {"byte", 1, 1, 1, 0},           {"broadcast", 4, 0, 1, 0},       {"every second word", 4, 8, 2, 1},
        {"every fourth word", 4, 16, 4, 3}, {"odd stride", 4, 12, 1, 0}, {"a column of 32", 4, 128, 32, 31}, {"a padded column", 4, 132, 1, 0},
        {"float2", 8, 8, 2, 0},          {"float2, every second", 8, 16, 4, 2}, {"float4", 16, 16, 4, 0}, {"float4, a column of 32 words", 16, 128, 32, 28},
        {"float4 broadcast", 16, 0, 2, 0}, {"float2 broadcast", 8, 0, 1, 0},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(test.pattern);
        const BankUse use = shared_bank_use(~LaneMask{0}, test.bytes, strided(test.stride).data());
        EXPECT_EQ(use.wavefronts, test.wavefronts);
        EXPECT_EQ(use.conflicts, test.conflicts);
    }
}

TEST(SharedBanks, OnlyActiveLanesCount) {
    const auto column = strided(128);
    EXPECT_EQ(shared_bank_use(0x000000ff, 4, column.data()).wavefronts, 8u);
    EXPECT_EQ(shared_bank_use(0x00000001, 4, column.data()).conflicts, 0u);
}

TEST(SharedBanks, AtomicsOnOneWordGoOneByOne) {
    EXPECT_EQ(shared_atomic_bank_use(~LaneMask{0}, 4, strided(0).data()).wavefronts, 32u);
    EXPECT_EQ(shared_atomic_bank_use(~LaneMask{0}, 4, strided(4).data()).wavefronts, 1u);
}

}  // namespace
}  // namespace optiml::emulator
