// Nsight Compute and compute-sanitizer by scripts that write what the programs write.

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/disk.h"
#include "workers/fake_tool_test.h"
#include "workers/ncu_profile.h"
#include "workers/second_opinion.h"

namespace optiml::workers {
namespace {

using evaluation::FindingKind;
using testing::HasSubstr;

// Two launches, the second of a kernel whose grid is empty where n is 0.
task::Task two_kernels() {
    MemoryDisk disk;
    (void)disk.write("k.cu", "__global__ void first(float* y, int n) {}\n__global__ void second(float* y, int n) {}\n");
    auto task = task::parse_task("kernel = \"first\"\n[sizes]\nn = { small = 100, large = 4096 }\n[arguments]\ny = { type = \"f32\", extent = \"n\", role = \"output\" }\n"
                                 "n = \"i32\"\n[[launch]]\nkernel = \"first\"\ngrid = \"ceil_div(n, 256)\"\nblock = 256\narguments = [\"y\", \"n\"]\n"
                                 "[[launch]]\nkernel = \"second\"\ngrid = \"n\"\nblock = 64\narguments = [\"y\", \"n\"]\n",
                                 "k.toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    return task ? std::move(*task) : task::Task{};
}

NcuSettings ncu_settings() { return {.program = "optiml", .ordinal = 3, .sizes = {{"n", 4096}}}; }

// The table of ncu --page raw --print-units base for the metrics of the cheapest tier, all with the value given.
std::string raw_table(const std::vector<std::string>& kernels, double first_value) {
    std::string names, units, text;
    const auto metrics = gpu::metrics_of(gpu::MetricTier::one_pass, "GH100");
    for (const std::string& metric : metrics) names += ",\"" + metric + "\"", units += ",\"\"";
    text = "==PROF== Connected to process 1\n\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\"" + names + "\n\"\",\"\",\"\",\"\"" + units + "\n";
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        text += "\"" + std::to_string(i) + "\",\"" + kernels[i] + "(float *, int)\",\"(256, 1, 1)\",\"(16, 1, 1)\"";
        for (std::size_t m = 0; m < metrics.size(); ++m) text += ",\"" + std::to_string(first_value * static_cast<double>(i + 1)) + "\"";
        text += "\n";
    }
    return text;
}

TEST(NcuProfile, HasTheNamesAndTheShapeOfTheProfileReadInProcess) {
    const FakeTool ncu("ncu", "cp $folder/table.csv $log; echo 'what the kernel prints'\n");
    ncu.write("table.csv", raw_table({"first", "second"}, 1000));
    const task::Task task = two_kernels();
    const auto profile = profile_with_ncu(task, task.plan, "{}", ncu_settings());
    ASSERT_TRUE(profile) << profile.error().text();
    EXPECT_EQ(profile->source, evaluation::Source::measured);
    EXPECT_EQ(profile->collector, "ncu");
    ASSERT_EQ(profile->launches.size(), 2u);
    EXPECT_EQ(profile->launches[1].kernel, "second");
    EXPECT_EQ(profile->launches[1].grid[0], 16u);
    EXPECT_DOUBLE_EQ(profile->launches[1].time_ms, 0.002);
    EXPECT_DOUBLE_EQ(profile->counters.at("smsp__inst_executed.sum"), 3000);
    EXPECT_EQ(profile->counters.size(), gpu::metrics_of(gpu::MetricTier::one_pass, "GH100").size());
    EXPECT_THAT(ncu.calls(), testing::AllOf(HasSubstr("--clock-control none"), HasSubstr("--profile-from-start off"), HasSubstr("optiml run-once --device cuda:3")));
}

struct BadCapture {
    const char* name;
    const char* script;
    std::vector<std::string> kernels;
    bool lacks_a_value;
    const char* message;
    const char* remedy;
};

TEST(NcuProfile, WhatGoesWrongIsToldWithTheRung) {
    const BadCapture cases[] = {
        {"no permission", "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > $log; exit 1\n", {}, false, "ERR_NVGPUCTRPERM", "NVreg_RestrictProfilingToAdminUsers=0"},
        {"no kernel", "echo '==WARNING== No kernels were profiled.' > $log\n", {}, false, "no table", ""},
        {"a failure", "echo '==ERROR== The application returned an error code (1).' > $log; exit 1\n", {}, false, "returned an error code (1)", ""},
        {"one launch of two", "cp $folder/table.csv $log\n", {"first"}, false, "saw 1 launches where the plan makes 2", ""},
        {"a value that is none", "cp $folder/table.csv $log\n", {"first"}, true, "no value of", ""},
    };
    const task::Task task = two_kernels();
    for (const BadCapture& bad : cases) {
        const FakeTool ncu("ncu", bad.script);
        std::string table = raw_table(bad.kernels, 1);
        if (bad.lacks_a_value) table.replace(table.rfind("1.000000"), 8, "nan");
        ncu.write("table.csv", table);
        const auto profile = profile_with_ncu(task, task.plan, "{}", ncu_settings());
        ASSERT_FALSE(profile) << bad.name;
        EXPECT_THAT(profile.error().text(), HasSubstr(bad.message)) << bad.name;
        EXPECT_THAT(profile.error().remedy, HasSubstr(bad.remedy)) << bad.name;
    }
}

TEST(NcuProfile, AHangEndsAtTheTimeLimit) {
    const FakeTool ncu("ncu", "exec sleep 60\n");
    const task::Task task = two_kernels();
    NcuSettings settings = ncu_settings();
    settings.time_limit_seconds = 0.3;
    const auto profile = profile_with_ncu(task, task.plan, "{}", settings);
    ASSERT_FALSE(profile);
    EXPECT_THAT(profile.error().message, HasSubstr("not done after"));
}

TEST(SecondOpinion, EachToolsErrorsAreFindings) {
    const FakeTool sanitizer("compute-sanitizer", "cp $folder/$tool $log\n");
    sanitizer.write("memcheck",
                    "========= Invalid __global__ write of size 4 bytes\n=========     at first(float *, int)+0x60 in k.cu:1\n=========     by thread (100,0,0) in block (0,0,0)\n"
                    "=========     Address 0x7f00 is out of bounds\n"
                    "========= Invalid __global__ write of size 4 bytes\n=========     at first(float *, int)+0x60 in k.cu:1\n=========     by thread (101,0,0) in block (0,0,0)\n"
                    "=========     Address 0x7f04 is out of bounds\n========= ERROR SUMMARY: 2 errors\n");
    sanitizer.write("racecheck",
                    "========= Error: Race reported between Write access at second(float *, int)+0x10 in k.cu:2\n=========     and Read access at second(float *, int)+0x20 in k.cu:3 [4 hazards]\n"
                    "========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)\n");
    sanitizer.write("initcheck", "========= ERROR SUMMARY: 0 errors\n");
    sanitizer.write("synccheck", "========= ERROR SUMMARY: 0 errors\n");
    const auto findings = second_opinion(two_kernels(), "{}", {"optiml", 0, {{{"n", 100}}}});
    ASSERT_TRUE(findings) << findings.error().text();
    ASSERT_EQ(findings->size(), 2u) << "one a line and kind";
    const evaluation::Finding& outside = findings->front();
    EXPECT_EQ(outside.kind, FindingKind::out_of_bounds);
    EXPECT_EQ(outside.message, "compute-sanitizer's memcheck: Invalid __global__ write of size 4 bytes, address 0x7f00 is out of bounds");
    EXPECT_EQ(outside.kernel, "first");
    EXPECT_EQ(outside.file, "k.cu");
    EXPECT_EQ(outside.line, 1u);
    EXPECT_EQ(outside.thread[0], 100u);
    EXPECT_EQ(outside.sizes.at("n"), 100);
    EXPECT_EQ(findings->back().kind, FindingKind::race);
    EXPECT_EQ(findings->back().line, 2u);
    EXPECT_THAT(sanitizer.calls(), testing::AllOf(HasSubstr("--tool synccheck"), HasSubstr("optiml run-once --device cuda:0")));
}

TEST(SecondOpinion, ACleanCandidateHasNone) {
    const FakeTool sanitizer("compute-sanitizer", "echo '========= ERROR SUMMARY: 0 errors' > $log\n");
    const auto findings = second_opinion(two_kernels(), "{}", {"optiml", 0, {{{"n", 100}}, {{"n", 99}}}});
    ASSERT_TRUE(findings) << findings.error().text();
    EXPECT_TRUE(findings->empty());
    const std::string calls = sanitizer.calls();
    EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 8);
}

TEST(SecondOpinion, ErrorsThatCannotBeReadAreNoAcceptance) {
    const FakeTool sanitizer("compute-sanitizer", "echo '========= ERROR SUMMARY: 5 errors' > $log\n");
    const auto findings = second_opinion(two_kernels(), "{}", {"optiml", 0, {{{"n", 100}}}});
    ASSERT_FALSE(findings);
    EXPECT_THAT(findings.error().message, HasSubstr("counts 5 errors"));
}

}  // namespace
}  // namespace optiml::workers
