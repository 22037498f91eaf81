#include "base/statistics.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace optiml {
namespace {

// Made-up times around `center` with a spread of some percent and, where asked, rare slow outliers.
std::vector<double> made_up(double center, std::size_t count, std::uint64_t seed, double outliers = 0) {
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        const double slow = random_unit(seed + 100, i) < outliers ? 3.0 : 1.0;
        times.push_back(center * slow * (0.98 + 0.04 * random_unit(seed, i)));
    }
    return times;
}

TEST(Statistics, MedianAndQuantile) {
    EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
    EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
    EXPECT_EQ(median(std::vector<double>{}), 0);
    EXPECT_DOUBLE_EQ(quantile(std::vector<double>{0, 10}, 0.25), 2.5);
}

TEST(Statistics, RatioIntervalHoldsTheTruth) {
    int held = 0;
    for (std::uint64_t trial = 0; trial < 100; ++trial) {
        const Interval interval = bootstrap_ratio(made_up(2.0, 30, 2 * trial, 0.05), made_up(1.0, 30, 2 * trial + 1, 0.05), 0.99, 400, trial);
        if (interval.low <= 2.0 && 2.0 <= interval.high) ++held;
        EXPECT_LT(interval.high - interval.low, 0.2);
    }
    EXPECT_GE(held, 95);
}

TEST(Statistics, TheSameAgainstItselfIsRarelyAnImprovement) {
    int improved = 0;
    for (std::uint64_t trial = 0; trial < 200; ++trial) {
        const Interval interval = bootstrap_ratio(made_up(1.0, 20, 1000 + 2 * trial), made_up(1.0, 20, 1001 + 2 * trial), 0.999, 400, trial);
        if (interval.low > 1) ++improved;
    }
    EXPECT_LE(improved, 1);
}

TEST(Statistics, NothingIsKnownFromNothing) {
    const Interval interval = bootstrap_ratio({}, std::vector<double>{1}, 0.95, 100, 1);
    EXPECT_EQ(interval.low, 0);
    EXPECT_TRUE(std::isinf(interval.high));
    EXPECT_TRUE(std::isinf(relative_half_width(std::vector<double>{1, 1}, 0.95, 100, 1)));
}

TEST(Statistics, HalfWidthShrinksWithMoreSamples) {
    const double few = relative_half_width(made_up(1, 10, 7), 0.95, 300, 1);
    const double many = relative_half_width(made_up(1, 200, 7), 0.95, 300, 1);
    EXPECT_LT(many, few);
}

}  // namespace
}  // namespace optiml
