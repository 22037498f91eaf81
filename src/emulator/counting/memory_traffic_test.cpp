#include "emulator/counting/memory_traffic.h"

#include <gtest/gtest.h>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

constexpr std::array<std::uint8_t, 4> kWhole = {32, 32, 32, 32};

TEST(MemoryHistory, CountsEachSectorOnce) {
    MemoryHistory history(1000, 2000);
    history.read(10, 0b0001);
    history.read(10, 0b0011);
    history.read(11, 0b1000);
    EXPECT_EQ(history.touched(0, 1 << 20).read, 2u * 64) << "DRAM delivers pairs of sectors";
    EXPECT_EQ(history.touched(11 * kLineBytes, 1 << 20).read, 64u);
    history.write(20, 0b1111, kWhole);
    history.write(21, 0b0001, {4, 0, 0, 0});
    EXPECT_EQ(history.touched(0, 1 << 20).written, 5u * 32);
    EXPECT_EQ(history.touched(0, 1 << 20).partially_written, 32u);
    for (int i = 0; i < 7; ++i) history.write(21, 0b0001, {4, 0, 0, 0});
    EXPECT_EQ(history.touched(0, 1 << 20).partially_written, 0u);
}

TEST(MemoryHistory, ForgetsAfterEnoughOtherTraffic) {
    MemoryHistory history(100, 200);
    history.read(0, 0b1111);
    for (std::uint64_t line = 1; line <= 25; ++line) history.read(line, 0b1111);  // 100 sectors
    history.read(0, 0b1111);
    EXPECT_EQ(history.forgotten_reads(), 0);
    for (std::uint64_t line = 100; line < 137; ++line) history.read(line, 0b1111);  // 148 sectors
    history.read(0, 0b1111);
    EXPECT_NEAR(history.forgotten_reads(), 4 * 0.48, 1e-9);
    for (std::uint64_t line = 200; line < 300; ++line) history.write(line, 0b1111, kWhole);
    history.write(0, 0b0001, {32, 0, 0, 0});
    EXPECT_EQ(history.forgotten_writes(), 0) << "a first write";
    history.read(0, 0b1111);
    EXPECT_NEAR(history.forgotten_reads(), 4 * 0.48, 1e-9) << "just touched";
}

TEST(MemoryHistory, MergesWhatSeveralSmsTouched) {
    MemoryHistory a(10, 20);
    MemoryHistory b(10, 20);
    a.read(1, 0b0001);
    b.read(1, 0b0011);
    a.write(2, 0b0001, {16, 0, 0, 0});
    b.write(2, 0b0001, {16, 0, 0, 0});
    a.merge(b);
    EXPECT_EQ(a.touched(0, 1 << 20).read, 64u);
    EXPECT_EQ(a.touched(0, 1 << 20).partially_written, 0u);
}

class MemoryTrafficTest : public testing::Test {
protected:
    // A group that reads and writes `lines` whole lines, from a line on.
    MemoryHistory group(std::uint64_t first_read, std::uint64_t first_written, std::uint64_t lines) {
        MemoryHistory history(1e9, 2e9);
        for (std::uint64_t i = 0; i < lines; ++i) {
            history.read(first_read + i, 0b1111);
            history.write(first_written + i, 0b1111, kWhole);
        }
        return history;
    }

    DeviceModel device_ = find_device_model("h200").value();
};

TEST_F(MemoryTrafficTest, SmallDataIsReadOnceAndStaysDirtyInL2) {
    const MemoryHistory a = group(0, 1 << 20, 100);
    const MemoryHistory b = group(0, 1 << 20, 100);  // another SM, the same data
    TrafficInput input;
    input.device = &device_;
    input.groups = {&a, &b};
    input.buffers = {{0, 1 << 20}, {std::uint64_t{1} << 27, 1 << 20}};
    const MemoryTraffic traffic = model_traffic(input);
    EXPECT_EQ(traffic.dram_read_bytes, 100.0 * kLineBytes);
    EXPECT_EQ(traffic.dram_write_bytes, 0);
    EXPECT_EQ(traffic.footprint_bytes, 200.0 * kLineBytes);
}

TEST_F(MemoryTrafficTest, SampledStreamsScaleToTheirBuffers) {
    const MemoryHistory a = group(0, 1 << 24, 1000);
    TrafficInput input;
    input.device = &device_;
    input.groups = {&a};
    const std::uint64_t size = 2000ull * 1000 * kLineBytes;
    input.buffers = {{0, size}, {std::uint64_t{1} << 31, size}};
    input.sampled = true;
    input.scale = 2000;
    input.waves = 2000.0 / 132;
    const MemoryTraffic traffic = model_traffic(input);
    EXPECT_NEAR(traffic.dram_read_bytes, static_cast<double>(size), 1);
    EXPECT_LT(traffic.dram_write_bytes, static_cast<double>(size));
    EXPECT_GT(traffic.dram_write_bytes, static_cast<double>(size) - 25e6);
}

// Every group reads all of a buffer that is larger than L2: each wave fetches it again.
TEST_F(MemoryTrafficTest, SharedDataBeyondL2IsFetchedByEachWave) {
    const std::uint64_t lines = 1'000'000;  // 128 MB
    const MemoryHistory a = group(0, 1 << 24, lines);
    TrafficInput input;
    input.device = &device_;
    input.groups = {&a};
    input.buffers = {{0, lines * kLineBytes}};
    input.sampled = true;
    input.scale = 1320;
    input.waves = 10;
    EXPECT_NEAR(model_traffic(input).dram_read_bytes, 10.0 * static_cast<double>(lines) * kLineBytes, 1);
}

}  // namespace
}  // namespace optiml::emulator
