#include "gpu/card_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kThermal = 0x40;  // NVML's bit of a hardware slow-down for heat

CardFacts healthy() {
    CardFacts facts;
    facts.properties.ordinal = 1;
    facts.properties.name = "NVIDIA H200";
    facts.properties.compute_capability = 90;
    facts.properties.memory_bytes = 150'000'000'000;
    facts.free_bytes = 149'000'000'000;
    facts.clocks = ClockReading{.sm_mhz = 1980, .memory_mhz = 3201, .max_sm_mhz = 1980, .temperature_c = 30, .power_w = 120};
    return facts;
}

TEST(CardCheck, TheDriverSaysItsVersion) {
    EXPECT_EQ(check_driver(13000, 1).detail, "for CUDA up to 13.0, 1 device");
    EXPECT_EQ(check_driver(12080, 8).detail, "for CUDA up to 12.8, 8 devices");
    EXPECT_EQ(check_driver(0, 2).detail, "version unknown, 2 devices");
}

TEST(CardCheck, AHealthyCardNeedsNothing) {
    const EnvironmentCheck check = check_card(healthy());
    EXPECT_EQ(check.name, "cuda:1");
    EXPECT_EQ(check.state, CheckState::present);
    EXPECT_EQ(check.detail, "NVIDIA H200, sm_90, 149.0 of 150.0 GB free, 1980 of 1980 MHz, 30 C, 120 W");
    EXPECT_EQ(check.remedy, "");
}

TEST(CardCheck, WhatIsWrongHasARemedy) {
    CardFacts facts = healthy();
    facts.clocks->throttle_reasons = kThermal;
    EXPECT_THAT(check_card(facts).detail, HasSubstr("throttled: "));
    EXPECT_THAT(check_card(facts).remedy, HasSubstr("cool"));

    facts = healthy();
    facts.free_bytes = 1'000'000'000;
    EXPECT_THAT(check_card(facts).remedy, HasSubstr("nvidia-smi"));
    facts.properties.memory_bytes = 1'500'000'000;  // most of a small card
    EXPECT_EQ(check_card(facts).remedy, "");

    facts = healthy();
    facts.clocks.reset();
    facts.free_bytes = 0;
    EXPECT_THAT(check_card(facts).detail, HasSubstr("clocks unknown"));
    EXPECT_THAT(check_card(facts).remedy, HasSubstr("libnvidia-ml.so.1"));
    EXPECT_THAT(check_card(facts).remedy, HasSubstr("nvidia-smi"));
}

}  // namespace
}  // namespace optiml::gpu
