#include "gpu/metrics.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

// CUPTI's host side is part of what ./test installs: it must load, with or without a GPU.
const MetricTables& tables() {
    static const auto loaded = MetricTables::load();
    if (!loaded) ADD_FAILURE() << loaded.error().text();
    return **loaded;
}

struct TierCase {
    MetricTier tier;
    std::uint32_t passes;
};

class TierPasses : public testing::TestWithParam<TierCase> {};

// FACTS: measured pass counts on GH100; a metric added carelessly shows here.
TEST_P(TierPasses, OnGh100) {
    const auto set = tables().configure("GH100", metrics_of(GetParam().tier, "GH100"));
    ASSERT_TRUE(set) << set.error().text();
    EXPECT_EQ(set->passes, GetParam().passes);
    EXPECT_FALSE(set->configuration.empty());
}

INSTANTIATE_TEST_SUITE_P(Tiers, TierPasses,
                         testing::Values(TierCase{MetricTier::one_pass, 1}, TierCase{MetricTier::two_passes, 2},
                                         TierCase{MetricTier::four_passes, 4}, TierCase{MetricTier::full, 13}));

TEST(MetricTables, KnowTheUsualChips) {
    const auto chips = tables().chips();
    ASSERT_TRUE(chips);
    for (const char* chip : {"GH100", "GA100", "AD102", "GB202"}) {
        EXPECT_NE(std::find(chips->begin(), chips->end(), chip), chips->end()) << chip;
        const auto set = tables().configure(chip, metrics_of(MetricTier::four_passes, chip));
        EXPECT_TRUE(set) << chip << ": " << (set ? "" : set.error().text());
    }
}

TEST(MetricTables, TellWhichAreAvailable) {
    const std::vector<std::string> wanted = {"smsp__inst_executed.sum", "launch__registers_per_thread", "smsp__no_such_counter.sum", "dram__bytes_read.sum"};
    EXPECT_EQ(tables().available("GH100", wanted), (std::vector<std::string>{"smsp__inst_executed.sum", "dram__bytes_read.sum"}));
}

TEST(MetricTables, RefuseAMetricThatDoesNotExist) {
    EXPECT_FALSE(tables().configure("GH100", {"smsp__no_such_counter.sum"}));
    EXPECT_FALSE(tables().configure("NO_SUCH_CHIP", {"smsp__inst_executed.sum"}));
}

}  // namespace
}  // namespace optiml::gpu
