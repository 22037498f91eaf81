#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

struct Expected {
    FindingKind kind = FindingKind::out_of_bounds;
    std::uint32_t line = 0;
    std::uint32_t thread = 0;
    std::uint64_t occurrences = 1;
    std::string buffer;
    std::int64_t address = 0;
    std::string message;
};

void expect_one(const LaunchResult& result, const Expected& expected) {
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    const Finding& finding = result.findings[0];
    EXPECT_EQ(finding.kind, expected.kind);
    EXPECT_EQ(finding.line, expected.line);
    EXPECT_EQ(finding.thread[0], expected.thread);
    EXPECT_EQ(finding.occurrences, expected.occurrences);
    EXPECT_EQ(finding.buffer, expected.buffer);
    EXPECT_EQ(static_cast<std::int64_t>(finding.address), expected.address);
    EXPECT_EQ(finding.message, expected.message);
    EXPECT_TRUE(result.completed);
}

class Bounds : public testing::Test {
protected:
    LaunchKit kit = LaunchKit::from_file("bounds");
    BufferId x = kit.input("x", std::vector<float>(100, 1.0f));
    BufferId y = kit.output<float>("y", 128);
    BufferId integers = kit.output<std::int32_t>("integers", 32);
};

TEST_F(Bounds, ReadPastTheEnd) {
    const LaunchResult result = kit.run("one_too_many", {2}, {64}, Buffer{x}, Buffer{y}, 100);
    expect_one(result, {.line = 5, .thread = 36, .buffer = "x", .address = 400, .message = "4-byte read just past the end of 'x' (400 bytes)"});
    EXPECT_EQ(result.findings[0].block[0], 1u);
    EXPECT_EQ(describe(kit.run("one_too_many", {2}, {64}, Buffer{x}, Buffer{y}, 99)), "");
}

TEST_F(Bounds, ReadBeforeTheStart) {
    expect_one(kit.run("before_the_start", {1}, {64}, Buffer{x}, Buffer{y}),
               {.line = 10, .buffer = "x", .address = -4, .message = "4-byte read 4 bytes before the start of 'x' (400 bytes)"});
}

TEST_F(Bounds, IndexThatOverflowed) {
    expect_one(kit.run("far_away", {1}, {1}, Buffer{x}, Buffer{y}, 500'000'000),
               {.line = 15,
                .buffer = "x",
                .address = std::int64_t{2'000'000'000} * 4,
                .message = "4-byte read 7999999600 bytes past the end of 'x' (400 bytes)"});
    // 600,000,000 * 4 as an int is negative.
    expect_one(kit.run("far_away", {1}, {1}, Buffer{x}, Buffer{y}, 600'000'000),
               {.line = 15,
                .buffer = "x",
                .address = std::int64_t{static_cast<std::int32_t>(2'400'000'000u)} * 4,
                .message = "4-byte read 7579869184 bytes before the start of 'x' (400 bytes)"});
}

TEST_F(Bounds, MisalignedVectors) {
    const LaunchResult result = kit.run("vectors", {1}, {32}, Buffer{x}, Buffer{y});
    // Threads 0, 4, 8, ... hit multiples of 16 bytes.
    expect_one(result, {.kind = FindingKind::misaligned,
                        .line = 13,
                        .thread = 1,
                        .occurrences = 24,
                        .buffer = "x",
                        .address = 12,
                        .message = "16-byte read at offset 12 of 'x', whose address is no multiple of 16"});
}

TEST_F(Bounds, MisalignedBuffer) {
    const BufferId shifted = kit.memory.add({.name = "shifted", .bytes = 1024, .misalignment = 2, .initialized = true});
    const LaunchResult result = kit.run("one_too_many", {1}, {1}, Buffer{shifted}, Buffer{y}, 0);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::misaligned);
    EXPECT_EQ(result.findings[0].buffer, "shifted");
}

TEST_F(Bounds, AddressesThatBelongToNothing) {
    const LaunchResult result = kit.run("null_pointer", {1}, {32}, std::uint64_t{0}, Buffer{x});
    expect_one(result, {.line = 18, .thread = 3, .buffer = "", .address = 20, .message = "4-byte write at address 0x14, which belongs to no buffer"});
}

TEST_F(Bounds, SharedArraysHaveGapsBetweenThem) {
    const LaunchResult result = kit.run("shared_overrun", {1}, {32}, Buffer{integers});
    ASSERT_FALSE(result.findings.empty());
    const Finding& finding = result.findings[0];
    EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
    EXPECT_EQ(finding.line, 26u);
    EXPECT_EQ(finding.thread[0], 31u);
    EXPECT_EQ(finding.buffer, "shared");
    EXPECT_EQ(finding.address, 128u);
    EXPECT_EQ(finding.occurrences, 1u);
}

TEST_F(Bounds, DynamicSharedMemoryEndsWhereTheLaunchSaysSo) {
    kit.dynamic_shared = 128;
    const LaunchResult result = kit.run("dynamic_overrun", {1}, {32}, Buffer{integers});
    expect_one(result, {.line = 35,
                        .thread = 31,
                        .buffer = "shared",
                        .address = 128,
                        .message = "4-byte read just past the end of 'dynamic shared memory' (128 bytes of shared memory)"});
    kit.dynamic_shared = 0;
    const LaunchResult none = kit.run("dynamic_overrun", {1}, {32}, Buffer{integers});
    ASSERT_FALSE(none.findings.empty());
    EXPECT_EQ(none.findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(none.findings[0].line, 33u);
}

TEST_F(Bounds, LocalMemory) {
    const LaunchResult result = kit.run("local_overrun", {1}, {32}, Buffer{integers}, 9);
    ASSERT_EQ(result.findings.size(), 1u) << describe(result);
    EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
    EXPECT_EQ(result.findings[0].line, 40u);
    EXPECT_EQ(result.findings[0].buffer, "local");
    EXPECT_EQ(result.findings[0].occurrences, 32u);
    EXPECT_EQ(describe(kit.run("local_overrun", {1}, {32}, Buffer{integers}, 8)), "");
}

TEST_F(Bounds, DeviceHeap) {
    EXPECT_EQ(describe(kit.run("heap", {1}, {32}, Buffer{integers}, 0)), "");
    EXPECT_EQ(kit.read<std::int32_t>(integers)[30], 37);
    const LaunchResult overrun = kit.run("heap", {1}, {32}, Buffer{integers}, 1);
    expect_one(overrun, {.line = 46,
                         .occurrences = 32,
                         .buffer = "device heap",
                         .address = 64,
                         .message = "4-byte write just past the end of 'device heap' (64 bytes)"});
    const LaunchResult after_free = kit.run("heap_after_free", {1}, {32}, Buffer{integers});
    expect_one(after_free, {.line = 55, .occurrences = 32, .buffer = "device heap", .message = "4-byte read of memory that was freed"});
}

TEST_F(Bounds, ConstantArrays) {
    const LaunchResult result = kit.run("constant_overrun", {1}, {4}, Buffer{integers}, 1);
    expect_one(result, {.line = 60, .thread = 3, .buffer = "table", .address = 16, .message = "4-byte read just past the end of 'table' (16 bytes)"});
    EXPECT_EQ(describe(kit.run("constant_overrun", {1}, {4}, Buffer{integers}, 0)), "");
    EXPECT_EQ(kit.read<std::int32_t>(integers)[3], 13);
}

TEST_F(Bounds, LaunchesThatTheDeviceRefuses) {
    struct Refused {
        Dim3 grid;
        Dim3 block;
        std::uint32_t dynamic_shared;
        std::string part;
    };
    const std::vector<Refused> cases = {{{1, 65536}, {32}, 0, "grid y is 65536"},
                                        {{1, 1, 70000}, {32}, 0, "grid z is 70000"},
                                        {{1}, {1025}, 0, "block x is 1025"},
                                        {{1}, {1, 1, 65}, 0, "block z is 65"},
                                        {{1}, {64, 32}, 0, "threads in a block is 2048"},
                                        {{1}, {32}, 240000, "shared memory of a block in bytes is 240000"},
                                        {{0}, {32}, 0, "number of blocks is 0"},
                                        {{1}, {0}, 0, "threads in a block is 0"}};
    for (const Refused& refused : cases) {
        kit.dynamic_shared = refused.dynamic_shared;
        const LaunchResult result = kit.run("one_too_many", refused.grid, refused.block, Buffer{x}, Buffer{y}, 10);
        EXPECT_FALSE(result.completed);
        ASSERT_FALSE(result.findings.empty()) << refused.part;
        EXPECT_EQ(result.findings[0].kind, FindingKind::launch);
        EXPECT_NE(describe(result).find(refused.part), std::string::npos) << describe(result);
    }
    kit.dynamic_shared = 100'000;  // more than 48 KiB is legal: launches opt in
    EXPECT_EQ(describe(kit.run("one_too_many", {1}, {32}, Buffer{x}, Buffer{y}, 10)), "");
}

TEST_F(Bounds, WhatIsNotEmulatedStopsTheLaunch) {
    LaunchKit strange(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry strange(.param .u64 out)
{
	.reg .b64 %rd<3>;
	.reg .b32 %r<2>;
	ld.param.u64 %rd1, [out];
	frobnicate.sync.u32 %r1, 7;
	st.global.u32 [%rd1], %r1;
	ret;
}
)");
    ASSERT_EQ(strange.error(), "");
    const BufferId out = strange.output<std::int32_t>("out", 1);
    const LaunchResult result = strange.run("strange", {1}, {32}, Buffer{out});
    EXPECT_FALSE(result.completed);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::unsupported);
    EXPECT_EQ(result.findings[0].message, "not emulated: frobnicate.sync.u32 at line 0");
    EXPECT_EQ(strange.memory.uninitialized(out, 0, 4), (std::vector<std::uint8_t>{1, 1, 1, 1}));
}

}  // namespace
}  // namespace optiml::emulator
