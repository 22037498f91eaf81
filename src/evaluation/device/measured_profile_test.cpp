#include "evaluation/device/measured_profile.h"

#include <gtest/gtest.h>

namespace optiml::evaluation::device {
namespace {

TEST(MeasuredProfile, SumsAddUpAndRatesAreWeightedByTime) {
    const Profile profile = measured_profile({{"first", {{"gpu__time_duration.sum", 1e6}, {"dram__bytes_read.sum", 10}, {"rate.pct", 20}}},
                                              {"second", {{"gpu__time_duration.sum", 3e6}, {"dram__bytes_read.sum", 5}, {"rate.pct", 60}, {"only.ratio", 7}}}},
                                             "ncu");
    EXPECT_EQ(profile.source, Source::measured);
    EXPECT_EQ(profile.collector, "ncu");
    EXPECT_DOUBLE_EQ(profile.counters.at("gpu__time_duration.sum"), 4e6);
    EXPECT_DOUBLE_EQ(profile.counters.at("dram__bytes_read.sum"), 15);
    EXPECT_DOUBLE_EQ(profile.counters.at("rate.pct"), 50);
    EXPECT_DOUBLE_EQ(profile.counters.at("only.ratio"), 7);
    ASSERT_EQ(profile.launches.size(), 2u);
    EXPECT_EQ(profile.launches[1].kernel, "second");
    EXPECT_DOUBLE_EQ(profile.launches[1].time_ms, 3);
}

TEST(MeasuredProfile, WithoutTimesLaunchesCountAlike) {
    const Profile profile = measured_profile({{"a", {{"occupancy.pct", 50}}}, {"b", {{"occupancy.pct", 100}}}}, "driver");
    EXPECT_DOUBLE_EQ(profile.counters.at("occupancy.pct"), 75);
}

}  // namespace
}  // namespace optiml::evaluation::device
