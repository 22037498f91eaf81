#include "evaluation/tolerance.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace optiml::evaluation {
namespace {

using task::ScalarType;

TEST(Spacing, IsTheDistanceToTheNextFloat) {
    EXPECT_EQ(spacing(ScalarType::f32, 1.0), std::nextafter(1.0f, 2.0f) - 1.0f);
    EXPECT_EQ(spacing(ScalarType::f32, 1000.0), std::nextafter(1000.0f, 2000.0f) - 1000.0f);
    EXPECT_EQ(spacing(ScalarType::f64, 1.0), std::numeric_limits<double>::epsilon());
    EXPECT_EQ(spacing(ScalarType::f16, 1.0), 0x1p-10);
    EXPECT_EQ(spacing(ScalarType::bf16, 1.0), 0x1p-7);
    EXPECT_EQ(spacing(ScalarType::f32, 0.0), static_cast<double>(std::numeric_limits<float>::min()));
}

TEST(Bounds, AreAMultipleOfTheOriginalsError) {
    const auto bounds = bounds_from({{1.0, 1.0}, {1e-3, 1e-3}}, ScalarType::f32, 4, 0);
    EXPECT_DOUBLE_EQ(bounds[0], 4e-3);
    EXPECT_DOUBLE_EQ(bounds[1], 4e-3);
}

TEST(Bounds, AreAtLeastAFewSpacings) {
    const auto bounds = bounds_from({{1.0, 1024.0}, {0, 0}}, ScalarType::f32, 4, 0);
    EXPECT_EQ(bounds[0], 4 * 0x1p-23);
    EXPECT_EQ(bounds[1], 4 * 0x1p-13);
}

TEST(Bounds, ComeFromLikeMagnitudes) {
    // 100 small elements with small errors, then 100 large ones with large errors.
    ErrorEvidence evidence;
    for (int i = 0; i < 100; ++i) {
        evidence.magnitude.push_back(1e-6);
        evidence.error.push_back(i == 50 ? 1e-12 : 0);
    }
    for (int i = 0; i < 100; ++i) {
        evidence.magnitude.push_back(1.0);
        evidence.error.push_back(i == 99 ? 1e-5 : 1e-7);
    }
    const auto bounds = bounds_from(evidence, ScalarType::f32, 4, 0);
    EXPECT_LT(bounds[0], 1e-11);               // what is allowed for 1 would be no bound for a millionth
    EXPECT_DOUBLE_EQ(bounds[199], 4e-5);
    EXPECT_DOUBLE_EQ(bounds[150], 4e-5);       // elements of like size share their luck
}

TEST(Bounds, OfFewElementsUseOtherRuns) {
    EXPECT_DOUBLE_EQ(bounds_from({{1.0}, {0}}, ScalarType::f32, 4, 1e-3)[0], 4e-3);
    EXPECT_EQ(largest_error({{1.0, std::nan(""), 2.0}, {1e-3, 7, std::numeric_limits<double>::infinity()}}), 1e-3);
}

TEST(Bounds, LeaveOutElementsThatSayNothing) {
    const double nan = std::nan("");
    const auto bounds = bounds_from({{1.0, nan}, {1e-6, nan}}, ScalarType::f32, 4, 0);
    EXPECT_DOUBLE_EQ(bounds[0], 4e-6);
    EXPECT_EQ(bounds[1], 0);
}

}  // namespace
}  // namespace optiml::evaluation
