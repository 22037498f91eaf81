#include "gpu/sanitizer/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::gpu::sanitizer {
namespace {

using testing::HasSubstr;

TEST(SanitizerReport, MemcheckTellsKernelLineThreadAndAddress) {
    const auto report = parse_report(
        "========= COMPUTE-SANITIZER\n"
        "the program's own words\n"
        "========= Invalid __global__ write of size 4 bytes\n"
        "=========     at scale<(int)4>(const float *, float *)+0x160 in scale.cu:14\n"
        "=========     by thread (31,2,0) in block (7,0,1)\n"
        "=========     Address 0x7f2c0a000400 is out of bounds\n"
        "=========     and is 1 bytes after the nearest allocation at 0x7f2c0a000000 of size 1,024 bytes\n"
        "=========     Saved host backtrace up to driver entry point at kernel launch time\n"
        "=========         Host Frame: [0x2fd4af]\n"
        "=========                in /lib/x86_64-linux-gnu/libcuda.so.1\n"
        "========= \n"
        "========= Invalid __shared__ read of size 16 bytes\n"
        "=========     at sum(double *)+0x10 in sum.cu:3\n"
        "=========     by thread (0,0,0) in block (0,0,0)\n"
        "=========     Address 0x2 is misaligned\n"
        "========= Program hit CUDA_ERROR_LAUNCH_FAILED (error 719) on CUDA API call to cuCtxSynchronize.\n"
        "=========     Saved host backtrace\n"
        "========= ERROR SUMMARY: 3 errors\n");
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->errors, 3u);
    const std::vector<Record> expected = {
        {Fault::out_of_bounds, "Invalid __global__ write of size 4 bytes", "scale<(int)4>", "scale.cu", 14, {7, 0, 1}, {31, 2, 0}, "0x7f2c0a000400",
         "is out of bounds and is 1 bytes after the nearest allocation at 0x7f2c0a000000 of size 1,024 bytes"},
        {Fault::misaligned, "Invalid __shared__ read of size 16 bytes", "sum", "sum.cu", 3, {}, {}, "0x2", "is misaligned"},
    };
    EXPECT_EQ(report->records, expected);
}

TEST(SanitizerReport, OlderVersionsPutTheKernelLast) {
    const auto report = parse_report(
        "========= Invalid __global__ read of size 4 bytes\n"
        "=========     at 0x160 in /home/me/scale.cu:9:scale(float const *, float*)\n"
        "=========     by thread (1,0,0) in block (2,0,0)\n"
        "=========     Address 0x10 is out of bounds\n"
        "========= ERROR SUMMARY: 1 error\n");
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_EQ(report->records.size(), 1u);
    EXPECT_EQ(report->records[0].kernel, "scale");
    EXPECT_EQ(report->records[0].file, "/home/me/scale.cu");
    EXPECT_EQ(report->records[0].line, 9u);
}

TEST(SanitizerReport, RacecheckTellsBothAccesses) {
    const auto report = parse_report(
        "========= COMPUTE-SANITIZER\n"
        "========= Error: Race reported between Write access at sum(int *, int *)+0x150 in sum.cu:15\n"
        "=========     and Read access at sum(int *, int *)+0x220 in sum.cu:19 [1016 hazards]\n"
        "========= \n"
        "========= Warning: Race reported between Write access at flag(int *)+0x50 in sum.cu:30\n"
        "=========     and Write access at flag(int *)+0x50 in sum.cu:30 [31 hazards]\n"
        "========= \n"
        "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->errors, 1u);
    ASSERT_EQ(report->records.size(), 1u);
    const Record& race = report->records[0];
    EXPECT_EQ(race.fault, Fault::race);
    EXPECT_EQ(race.statement, "Race reported between Write access");
    EXPECT_EQ(race.kernel, "sum");
    EXPECT_EQ(race.line, 15u);
    EXPECT_EQ(race.detail, "and Read access at sum(int *, int *)+0x220 in sum.cu:19 [1016 hazards]");
}

struct Statement {
    const char* line;
    Fault fault;
};

TEST(SanitizerReport, EachToolHasItsFaults) {
    const Statement cases[] = {{"Uninitialized __global__ memory read of size 4 bytes", Fault::uninitialized},
                               {"Barrier error detected. Divergent thread(s) in warp.", Fault::barrier},
                               {"Invalid __local__ write of size 8 bytes", Fault::out_of_bounds},
                               {"Potential invalid __shared__ read of size 4 bytes", Fault::out_of_bounds},
                               {"Stack overflow", Fault::other}};
    for (const Statement& wanted : cases) {
        const auto report = parse_report("========= " + std::string(wanted.line) + "\n=========     at k()+0x70 in a.cu:12\n========= ERROR SUMMARY: 1 error\n");
        ASSERT_TRUE(report) << wanted.line;
        ASSERT_EQ(report->records.size(), 1u) << wanted.line;
        EXPECT_EQ(report->records[0].fault, wanted.fault) << wanted.line;
        EXPECT_EQ(report->records[0].line, 12u) << wanted.line;
    }
}

TEST(SanitizerReport, NothingFoundIsNotTheSameAsNotFinished) {
    const auto clean = parse_report("========= COMPUTE-SANITIZER\n{\"ok\":true}\n========= ERROR SUMMARY: 0 errors\n");
    ASSERT_TRUE(clean) << clean.error().text();
    EXPECT_TRUE(clean->records.empty());
    EXPECT_EQ(clean->errors, 0u);
    const auto cut = parse_report("========= COMPUTE-SANITIZER\n========= Error: No attachable process found. compute-sanitizer timed-out.\n");
    ASSERT_FALSE(cut);
    EXPECT_THAT(cut.error().message, HasSubstr("No attachable process"));
    const auto blind = parse_report("========= Internal Sanitizer Error: The Sanitizer did not track the launch. Errors might go undetected.\n========= ERROR SUMMARY: 0 errors\n");
    ASSERT_FALSE(blind);
    EXPECT_THAT(blind.error().message, HasSubstr("may have missed errors"));
}

}  // namespace
}  // namespace optiml::gpu::sanitizer
