#include "gpu/timing.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace optiml::gpu {
namespace {

std::vector<double> steady(double center, double spread, std::size_t count, std::uint64_t seed) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) times.push_back(center * (1 + spread * (random_unit(seed, i) - 0.5)));
    return times;
}

TEST(StoppingRules, IntervalWantsBothMediansKnown) {
    const auto rule = interval_rule(0.01, 5);
    EXPECT_FALSE(rule->enough(steady(1, 0.001, 3, 1), steady(1, 0.001, 3, 2)));
    EXPECT_TRUE(rule->enough(steady(1, 0.001, 10, 1), steady(1, 0.001, 10, 2)));
    EXPECT_FALSE(rule->enough(steady(1, 0.001, 10, 1), steady(1, 0.5, 10, 2)));
    EXPECT_FALSE(rule->enough(steady(1, 0.5, 10, 1), steady(1, 0.001, 10, 2)));
    EXPECT_TRUE(rule->enough({}, steady(1, 0.001, 10, 2)));
    EXPECT_FALSE(rule->enough(steady(1, 0.001, 6, 1), steady(1, 0.001, 6, 2))) << "asked every fifth sample only";
    EXPECT_TRUE(interval_rule(0.01, 3)->enough(steady(1, 0.001, 3, 1), steady(1, 0.001, 3, 2)));
}

TEST(StoppingRules, HopelessEndsEarly) {
    const auto rule = hopeless_rule(1.5, 3);
    EXPECT_TRUE(rule->enough(steady(1, 0.1, 3, 1), steady(3, 0.1, 3, 2)));
    EXPECT_FALSE(rule->enough(steady(1, 0.1, 3, 1), steady(1.2, 0.1, 3, 2)));
    EXPECT_FALSE(rule->enough({}, steady(3, 0.1, 3, 2)));
}

TEST(StoppingRules, ASmallAdvantageIsLookedAtLonger) {
    const auto rule = convinced_rule(interval_rule(0.01, 5), {0.005, 0.1}, 10);
    EXPECT_FALSE(rule->enough(steady(1.01, 0.001, 5, 1), steady(1, 0.001, 5, 2)));
    EXPECT_TRUE(rule->enough(steady(1.01, 0.001, 10, 1), steady(1, 0.001, 10, 2)));
    EXPECT_TRUE(rule->enough(steady(1.3, 0.001, 5, 1), steady(1, 0.001, 5, 2))) << "a large one";
    EXPECT_TRUE(rule->enough(steady(1.004, 0.0001, 5, 1), steady(1, 0.0001, 5, 2))) << "too small a one to be called so";
    EXPECT_TRUE(rule->enough(steady(1, 0.001, 5, 1), steady(1.01, 0.001, 5, 2))) << "none";
    EXPECT_TRUE(rule->enough(steady(1, 0.001, 5, 1), steady(1, 0.001, 5, 2))) << "samples among each other";
    EXPECT_FALSE(rule->enough(steady(1, 0.5, 10, 1), steady(1, 0.5, 10, 2))) << "the inner rule is not content";
}

TEST(StoppingRules, Compose) {
    std::vector<std::unique_ptr<StoppingRule>> rules;
    rules.push_back(count_rule(4));
    rules.push_back(hopeless_rule(1.5, 2));
    const auto rule = any_rule(std::move(rules));
    EXPECT_FALSE(rule->enough(steady(1, 0, 3, 1), steady(1, 0, 3, 1)));
    EXPECT_TRUE(rule->enough(steady(1, 0, 4, 1), steady(1, 0, 4, 1)));
    EXPECT_TRUE(rule->enough(steady(1, 0, 2, 1), steady(9, 0, 2, 1)));
}

TEST(ThrottleReasons, OnlySlowDownsMakeASampleUnfit) {
    ClockReading reading;
    reading.throttle_reasons = 0x1 | 0x2 | 0x4;  // idle, application clocks, power cap: the card's normal life
    EXPECT_FALSE(reading.throttled());
    reading.throttle_reasons |= 0x40;
    EXPECT_TRUE(reading.throttled());
    EXPECT_EQ(names_of_throttle_reasons(0x41), (std::vector<std::string>{"idle", "hardware thermal slow-down"}));
}

}  // namespace
}  // namespace optiml::gpu
