// Which blocks run beside and after which, and where on the device.

#include <set>

#include <gtest/gtest.h>

#include "emulator/launch_kit.h"

namespace optiml::emulator {
namespace {

using Buffer = LaunchKit::Buffer;

// Each block but the last waits until the next one has raised its flag.
const std::string kWaitsForTheNext = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 flags)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [flags];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd3, %rd1, %rd2;
    add.u32 %r3, %r1, 1;
    setp.eq.u32 %p1, %r3, %r2;
    @%p1 bra RAISE;
WAIT:
    ld.volatile.global.u32 %r4, [%rd3+4];
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra WAIT;
RAISE:
    mov.u32 %r5, 1;
    st.volatile.global.u32 [%rd3], %r5;
    ret;
})";

// Each but the first waits for the one before it.
std::string waits_for_the_one_before() {
    std::string text = kWaitsForTheNext;
    for (const auto& [next, before] : {std::pair("setp.eq.u32 %p1, %r3, %r2;", "setp.eq.u32 %p1, %r1, 0;"), std::pair("[%rd3+4]", "[%rd3-4]")}) {
        text.replace(text.find(next), std::string(next).size(), before);
    }
    return text;
}

LaunchResult run_waiting(const std::string& kernel, std::uint32_t most_resident) {
    LaunchKit kit(kernel);
    const BufferId flags = kit.input<std::uint32_t>("flags", std::vector<std::uint32_t>(8));
    kit.options.instruction_limit = 100'000;
    kit.options.most_resident = most_resident;
    return kit.run("k", {8}, {1}, Buffer{flags});
}

TEST(Residency, BlocksThatFitRunAtOnce) {
    for (const std::string& kernel : {kWaitsForTheNext, waits_for_the_one_before()}) {
        for (const std::uint32_t most : {0u, 8u}) EXPECT_EQ(describe(run_waiting(kernel, most)), "") << most;
    }
    EXPECT_TRUE(run_waiting(kWaitsForTheNext, 0).blocks_communicate);
}

TEST(Residency, BlocksBeyondItWaitForOthersToEnd) {
    for (const std::uint32_t most : {1u, 3u, 6u}) {
        EXPECT_FALSE(run_waiting(kWaitsForTheNext, most).completed) << most;
        EXPECT_EQ(describe(run_waiting(waits_for_the_one_before(), most)), "") << most;
    }
}

constexpr const char* kTellsWhereAndWhen = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %smid;
    mov.u32 %r2, %warpid;
    mov.u64 %rd2, %clock64;
    mov.u64 %rd3, %globaltimer;
    cvt.u64.u32 %rd4, %r1;
    cvt.u64.u32 %rd5, %r2;
    st.global.u64 [%rd1], %rd2;
    st.global.u64 [%rd1+8], %rd3;
    st.global.u64 [%rd1+16], %rd4;
    st.global.u64 [%rd1+24], %rd5;
    ret;
})";

TEST(SpecialRegisters, DifferBetweenSchedules) {
    std::vector<std::set<std::uint64_t>> seen(4);
    for (std::uint64_t seed = 1; seed <= 32; ++seed) {
        LaunchKit kit(kTellsWhereAndWhen);
        const BufferId out = kit.output<std::uint64_t>("out", 4);
        kit.options.schedule_seed = seed;
        ASSERT_EQ(describe(kit.run("k", {1}, {1}, Buffer{out})), "");
        const auto values = kit.read<std::uint64_t>(out);
        for (std::size_t i = 0; i < values.size(); ++i) seen[i].insert(values[i]);
        EXPECT_GT(values[1], std::uint64_t{1} << 60);  // the time of day
        EXPECT_LT(values[2], kit.device.sm_count);
        EXPECT_LT(values[3], 64u);
    }
    EXPECT_EQ(seen[0].size(), 32u);
    EXPECT_EQ(seen[1].size(), 32u);
    EXPECT_EQ(seen[2].size(), 4u);  // every multiprocessor of the device
    EXPECT_GT(seen[3].size(), 16u);
}

}  // namespace
}  // namespace optiml::emulator
