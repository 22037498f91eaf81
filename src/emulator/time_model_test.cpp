#include "emulator/time_model.h"

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

class TimeModelTest : public testing::Test {
protected:
    // A copy of `bytes` in blocks of 256 threads.
    Counters copy(double bytes) {
        const double warps = bytes / 4 / 32;
        return {{"launch__grid_size", warps / 8},
                {"launch__block_size", 256},
                {"sm__maximum_warps_per_active_cycle_pct", 100},
                {"smsp__inst_executed.sum", 17 * warps},
                {"model__dram_moved_bytes", 2 * bytes},
                {"model__footprint_bytes", 2 * bytes},
                {"model__warp_cycles_global", 800}};
    }

    DeviceModel device_ = find_device_model("h200").value();
};

TEST_F(TimeModelTest, LargeCopiesRunAtTheRateOfDram) {
    const double bytes = 1 << 28;
    const ModelledTime time = model_time(copy(bytes), device_);
    const double at_full_rate = 2 * bytes / device_.parameter("dram_gb_per_s") * 1e-6;
    EXPECT_NEAR(time.terms.at("model_term__dram_ms"), at_full_rate, at_full_rate * 1e-6);
    EXPECT_GT(time.cold_ms, at_full_rate);
    EXPECT_LT(time.cold_ms, 2 * at_full_rate);
    EXPECT_EQ(time.warm_ms, time.cold_ms) << "it does not fit into L2";
}

TEST_F(TimeModelTest, WhatStaysInL2IsFasterTheSecondTime) {
    const ModelledTime time = model_time(copy(1 << 22), device_);
    EXPECT_LT(time.warm_ms, time.cold_ms);
    EXPECT_GT(time.warm_ms, time.terms.at("model_term__launch_ms"));
}

// One block more than the SMs hold at once makes the busiest SM do twice the work.
TEST_F(TimeModelTest, WavesAreQuantized) {
    Counters counters = {{"launch__block_size", 1024}, {"sm__maximum_warps_per_active_cycle_pct", 50}, {"model__warp_cycles_issue", 100'000}};
    counters["launch__grid_size"] = 132;
    counters["smsp__inst_executed.sum"] = 132 * 32 * 50'000.0;
    const double full = model_time(counters, device_).cold_ms;
    counters["launch__grid_size"] = 133;
    counters["smsp__inst_executed.sum"] *= 133.0 / 132;
    EXPECT_NEAR(model_time(counters, device_).cold_ms / full, 2, 0.2);
}

TEST_F(TimeModelTest, AtomicsOnOneAddressWaitForEachOther) {
    Counters counters = copy(1 << 22);
    const double before = model_time(counters, device_).cold_ms;
    counters["model__atomic_rounds_float"] = 4e6;
    EXPECT_GT(model_time(counters, device_).cold_ms, before + 4e6 * device_.parameter("atomic_float_ns") * 1e-6 * 0.99);
}

TEST_F(TimeModelTest, AnEmptyLaunchTakesTheLaunchOverhead) {
    const ModelledTime time = model_time({{"launch__grid_size", 1}, {"launch__block_size", 32}, {"sm__maximum_warps_per_active_cycle_pct", 50}}, device_);
    EXPECT_NEAR(time.cold_ms * 1e3, device_.parameter("launch_us"), 0.2);
}

}  // namespace
}  // namespace optiml::emulator
