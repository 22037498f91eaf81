#include "gpu/sampling.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace optiml::gpu {
namespace {

// A card on which every run takes what it takes on the clock, too.
class ScriptedCard {
public:
    ScriptedCard(double original_ms, double candidate_ms, double spread = 0.002) : original_ms(original_ms), candidate_ms(candidate_ms), spread_(spread) {}

    Sampler sampler() {
        return [this](Side side) -> DeviceResult<std::optional<double>> {
            const double center = side == Side::original ? original_ms : candidate_ms;
            const double milliseconds = center * (1 + spread_ * (random_unit(7, samples++) - 0.5));
            (side == Side::original ? original_runs : candidate_runs) += 1;
            clock.advance(milliseconds / 1e3 + kOverheadSeconds);
            if (is_throttled) return std::nullopt;
            return milliseconds;
        };
    }
    PairedTimes compare(const TimingOptions& options = {}) {
        original_runs = candidate_runs = 0;
        std::vector<std::unique_ptr<StoppingRule>> rules;
        rules.push_back(interval_rule(0.01, 5));
        rules.push_back(hopeless_rule(1.5, 3));
        const auto times = sample_in_turns(sampler(), true, *any_rule(std::move(rules)), options, clock);
        EXPECT_TRUE(times);
        return times.value_or(PairedTimes{});
    }

    static constexpr double kOverheadSeconds = 0.0003;
    double original_ms, candidate_ms;
    FakeClock clock;
    std::uint64_t samples = 0, original_runs = 0, candidate_runs = 0;
    bool is_throttled = false;

private:
    double spread_;
};

double ratio_low(const PairedTimes& times) { return bootstrap_ratio(times.original_ms, times.candidate_ms, 0.999, 1000, 1).low; }

TEST(Sampling, ComparesInPairsWhereNothingIsKnown) {
    ScriptedCard card(2, 1.9);
    const PairedTimes times = card.compare();
    EXPECT_EQ(times.original_ms.size(), 5u);
    EXPECT_EQ(times.candidate_ms.size(), 5u);
    EXPECT_FALSE(times.stopped_by_limit);
}

TEST(Sampling, AKnownOriginalIsNotRunBesideAFarCandidate) {
    KnownTimes known;
    const TimingOptions options{.known_original = &known};
    ScriptedCard card(118, 118);
    card.compare(options);
    EXPECT_EQ(card.original_runs, 5u) << "nothing was known yet";
    card.candidate_ms = 0.14;
    const double before = card.clock.now();
    const PairedTimes times = card.compare(options);
    EXPECT_EQ(card.original_runs, 0u);
    EXPECT_EQ(times.candidate_ms.size(), 5u);
    EXPECT_EQ(times.original_ms.size(), 5u);
    EXPECT_LT(card.clock.now() - before, 0.01);
    EXPECT_NEAR(ratio_low(times), 118 / 0.14, 118 / 0.14 * 0.01);
}

TEST(Sampling, ANearCandidateIsComparedInPairs) {
    KnownTimes known;
    const TimingOptions options{.known_original = &known};
    ScriptedCard card(20, 20);
    card.compare(options);
    card.candidate_ms = 8;  // 2.5 times as fast
    const PairedTimes times = card.compare(options);
    EXPECT_EQ(card.original_runs, 5u);
    EXPECT_EQ(times.original_ms.size(), 5u) << "its own";
}

TEST(Sampling, ACandidateThatComesNearerGetsItsPairsAfterAll) {
    KnownTimes known;
    const TimingOptions options{.known_original = &known};
    ScriptedCard card(20, 20);
    card.compare(options);
    std::uint64_t runs = 0;
    const Sampler growing = [&](Side side) -> DeviceResult<std::optional<double>> {
        card.clock.advance(0.001);
        return side == Side::original ? 20.0 : ++runs <= 2 ? 1.0 : 10.0;
    };
    const auto times = sample_in_turns(growing, true, *count_rule(6), options, card.clock);
    ASSERT_TRUE(times);
    EXPECT_EQ(times->candidate_ms.size(), 6u);
    EXPECT_GE(times->original_ms.size(), 3u);
    EXPECT_EQ(times->original_ms.back(), 20.0);
}

TEST(Sampling, WhatIsKnownGrowsOld) {
    KnownTimes known;
    const TimingOptions options{.known_original = &known};
    ScriptedCard card(118, 118);
    card.compare(options);
    card.clock.advance(60);
    card.candidate_ms = 0.14;
    card.compare(options);
    EXPECT_EQ(card.original_runs, 1u) << "one new sample brings the known ones up to date";
    card.compare(options);
    EXPECT_EQ(card.original_runs, 0u);
}

TEST(Sampling, WhatGrowsOldDuringTheLastSampleStillServes) {
    for (std::uint64_t order_seed = 0; order_seed < 8; ++order_seed) {
        KnownTimes known;
        const TimingOptions options{.maximum_seconds = 5, .order_seed = order_seed, .known_original = &known};
        ScriptedCard card(20, 20);
        card.compare(options);
        card.candidate_ms = 3000;
        const PairedTimes times = card.compare(options);
        EXPECT_FALSE(times.original_ms.empty()) << order_seed;
        EXPECT_EQ(times.candidate_ms.size(), 2u) << order_seed;
    }
}

TEST(Sampling, AFarSlowerCandidateEndsEarly) {
    KnownTimes known;
    const TimingOptions options{.known_original = &known};
    ScriptedCard card(20, 20);
    card.compare(options);
    card.candidate_ms = 100;
    const PairedTimes times = card.compare(options);
    EXPECT_EQ(card.original_runs, 0u);
    EXPECT_EQ(times.candidate_ms.size(), 3u);
}

TEST(Sampling, AnUnsteadyOriginalDoesNotHoldAFarCandidateUp) {
    KnownTimes known;
    FakeClock clock;
    for (int i = 0; i < 9; ++i) known.add(100 + 10 * (i % 3), clock.now());
    ScriptedCard card(100, 1);
    const PairedTimes times = card.compare({.known_original = &known});
    EXPECT_EQ(times.candidate_ms.size(), 5u);
    const Interval ratio = bootstrap_ratio(times.original_ms, times.candidate_ms, 0.999, 1000, 1);
    EXPECT_LE(ratio.low, 101);
    EXPECT_GE(ratio.high, 119) << "the interval says how unsteady it is";
}

TEST(Sampling, TheSecondsOfOneComparisonAreBounded) {
    ScriptedCard card(470, 460, 0.2);
    const TimingOptions options{.maximum_seconds = 3};
    const PairedTimes times = card.compare(options);
    EXPECT_TRUE(times.stopped_by_limit);
    EXPECT_EQ(times.candidate_ms.size(), 3u) << "a fourth pair would not end in time";
    EXPECT_LT(card.clock.now(), 3);
    ScriptedCard slower(5000, 4900, 0.2);
    EXPECT_EQ(slower.compare(options).candidate_ms.size(), 1u);
}

TEST(Sampling, ACardThatThrottlesAllTheTimeEndsIt) {
    ScriptedCard card(1, 1);
    card.is_throttled = true;
    const PairedTimes times = card.compare({.maximum_seconds = 1000});
    EXPECT_TRUE(times.everything_throttled);
    EXPECT_TRUE(times.candidate_ms.empty());
    EXPECT_LT(card.samples, 100u);
}

TEST(Sampling, AFailureIsReturned) {
    const FakeClock clock;
    const Sampler failing = [](Side) -> DeviceResult<std::optional<double>> {
        return tl::make_unexpected(DeviceFailure{"cuEventQuery", "CUDA_ERROR_ILLEGAL_ADDRESS", "", true});
    };
    const auto times = sample_in_turns(failing, true, *count_rule(3), {}, clock);
    ASSERT_FALSE(times);
    EXPECT_TRUE(times.error().sticky);
}

TEST(Sampling, WithoutAnOriginalOnlyTheCandidateRuns) {
    ScriptedCard card(1, 1);
    const auto times = sample_in_turns(card.sampler(), false, *count_rule(4), {}, card.clock);
    ASSERT_TRUE(times);
    EXPECT_EQ(card.original_runs, 0u);
    EXPECT_EQ(times->candidate_ms.size(), 4u);
}

TEST(KnownTimes, SufficeOnlyAgainstWhatIsFar) {
    KnownTimes known;
    EXPECT_FALSE(known.suffice({0.1}, 0));
    for (const double time : {10.0, 11.0, 12.0}) known.add(time, 1);
    EXPECT_TRUE(known.suffice({3.3}, 1));
    EXPECT_FALSE(known.suffice({3.4}, 1)) << "less than three times below the fastest";
    EXPECT_FALSE(known.suffice({3.3, 3.4}, 1)) << "all of the samples count";
    EXPECT_TRUE(known.suffice({36.1}, 1));
    EXPECT_FALSE(known.suffice({35.9}, 1));
    EXPECT_FALSE(known.suffice({}, 1));
    EXPECT_FALSE(known.suffice({0.1}, 100)) << "too old";
    for (int i = 0; i < 20; ++i) known.add(1, 100);
    EXPECT_TRUE(known.suffice({0.1}, 100));
    EXPECT_EQ(known.times().size(), 9u);
    EXPECT_EQ(known.times().front(), 1) << "the oldest are forgotten";
}

}  // namespace
}  // namespace optiml::gpu
