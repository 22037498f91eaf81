#include "evaluation/plan_profile.h"

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

TEST(PlanProfile, AddsSumsAndWeighsTheRestByTime) {
    Profile profile;
    profile.launches = {{"a", {}, {}, 2, 1.0, {{"x.sum", 10}, {"rate.pct", 50}, {"model_term__dram_ms", 0.5}}, {{"k.cu", 3, {{"x.sum", 10}}}}},
                        {"b", {}, {}, 1, 6.0, {{"x.sum", 5}, {"rate.pct", 90}, {"y.sum", 1}}, {{"k.cu", 3, {{"x.sum", 4}}}, {"k.cu", 2, {}}}}};
    add_up(profile);
    EXPECT_EQ(profile.counters.at("x.sum"), 25);
    EXPECT_EQ(profile.counters.at("y.sum"), 1);
    EXPECT_EQ(profile.counters.at("model_term__dram_ms"), 1);
    EXPECT_EQ(profile.counters.at("rate.pct"), (50 * 2.0 + 90 * 6.0) / 8.0);
    ASSERT_EQ(profile.lines.size(), 2u);
    EXPECT_EQ(profile.lines[0].line, 2u);
    EXPECT_EQ(profile.lines[1].counters.at("x.sum"), 24);
}

}  // namespace
}  // namespace optiml::evaluation
