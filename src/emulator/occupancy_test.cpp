#include "emulator/occupancy.h"

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

struct Case {
    std::uint32_t threads, registers, shared;
    std::uint32_t blocks, limit_warps, limit_registers;
};

// Read on an H200 by Nsight Compute (launch__occupancy_limit_*).
TEST(Occupancy, AgreesWithTheCard) {
    const DeviceModel h200 = find_device_model("h200").value();
    const Case cases[] = {
        {256, 10, 0, 8, 8, 16},      {256, 18, 0, 8, 8, 10},     {1024, 20, 4096, 2, 2, 2},  {64, 96, 0, 10, 32, 10},
        {64, 167, 16384, 6, 32, 6},  {32, 25, 0, 32, 64, 64},    {32, 22, 0, 32, 64, 84},    {256, 62, 128, 4, 8, 4},
        {256, 54, 8448, 4, 8, 4},    {512, 28, 4096, 4, 4, 4},   {128, 32, 0, 16, 16, 16},   {256, 32, 32768, 6, 8, 8},
        {32, 22, 16384, 13, 64, 84}, {256, 16, 102400, 2, 8, 16}, {256, 31, 122880, 1, 8, 8},
    };
    for (const Case& test : cases) {
        SCOPED_TRACE(testing::Message() << test.threads << " threads, " << test.registers << " registers, " << test.shared << " bytes");
        const Occupancy occupancy = occupancy_of(h200, test.threads, test.registers, test.shared);
        EXPECT_EQ(occupancy.blocks_per_sm, test.blocks);
        EXPECT_EQ(occupancy.limit_warps, test.limit_warps);
        EXPECT_EQ(occupancy.limit_registers, test.limit_registers);
    }
}

TEST(Occupancy, ZeroWhereTheKernelCannotLaunch) {
    const DeviceModel h200 = find_device_model("h200").value();
    EXPECT_EQ(occupancy_of(h200, 1024, 65, 0).blocks_per_sm, 0u);
    EXPECT_EQ(occupancy_of(h200, 1025, 16, 0).blocks_per_sm, 0u);
    EXPECT_EQ(occupancy_of(h200, 256, 16, h200.shared_per_block + 1).blocks_per_sm, 0u);
    EXPECT_EQ(occupancy_of(h200, 256, 256, 0).blocks_per_sm, 0u);
    EXPECT_EQ(occupancy_of(h200, 0, 16, 0).blocks_per_sm, 0u);
}

TEST(Occupancy, OtherDevicesHoldFewerThreads) {
    const DeviceModel rtx4090 = find_device_model("rtx4090").value();
    EXPECT_EQ(occupancy_of(rtx4090, 256, 32, 0).blocks_per_sm, 6u);
    EXPECT_EQ(occupancy_of(rtx4090, 32, 32, 0).blocks_per_sm, 24u);
    EXPECT_DOUBLE_EQ(occupancy_of(rtx4090, 1024, 32, 0).theoretical, 32.0 / 48.0);
}

}  // namespace
}  // namespace optiml::emulator
