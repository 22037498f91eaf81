#include <gtest/gtest.h>

#include "evaluation/evaluation.h"

namespace optiml::evaluation {
namespace {

Evaluation timed(Source source, double cold_ms, double original_ms, double low) {
    Evaluation evaluation;
    Timing timing;
    timing.source = source;
    timing.cold_ms = cold_ms;
    timing.original_ms = original_ms;
    timing.speedup = {low, 2 * low};
    evaluation.timing = timing;
    return evaluation;
}

TEST(Speedup, ComesFromTheMeasurementInTurnsWhereThereIsOne) {
    const Evaluation original = timed(Source::measured, 10, 0, 0);
    EXPECT_DOUBLE_EQ(speedup_of(original, timed(Source::measured, 4, 8, 1.9)), 2);
    EXPECT_DOUBLE_EQ(speedup_of(original, timed(Source::modelled, 4, 0, 0)), 2.5);
    EXPECT_DOUBLE_EQ(speedup_of(original, {}), 1);
}

TEST(Speedup, IsCertainOnlyAboveOneUnlessModelled) {
    EXPECT_TRUE(is_certain(*timed(Source::measured, 4, 8, 1.01).timing));
    EXPECT_FALSE(is_certain(*timed(Source::measured, 4, 8, 1.0).timing));
    EXPECT_FALSE(is_certain(*timed(Source::measured, 4, 8, 1.0004).timing));  // as an address may do it
    EXPECT_FALSE(is_certain(*timed(Source::measured, 4, 8, 0.5).timing));
    EXPECT_TRUE(is_certain(*timed(Source::modelled, 4, 0, 0).timing));
}

}  // namespace
}  // namespace optiml::evaluation
