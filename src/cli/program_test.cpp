#include "cli/program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gpu/device.h"
#include "runs/store.h"

namespace optiml::cli {
namespace {

using testing::HasSubstr;

struct Outcome {
    int exit_code = 0;
    std::string out;
    std::string err;
};

class Program : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() / ("optiml_cli_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        store_ = (folder_ / "runs.db").string();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }

    Outcome run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "optiml");
        std::vector<const char*> pointers;
        for (const std::string& argument : arguments) pointers.push_back(argument.c_str());
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        Outcome outcome;
        outcome.exit_code = run_program(static_cast<int>(pointers.size()), pointers.data());
        outcome.out = testing::internal::GetCapturedStdout();
        outcome.err = testing::internal::GetCapturedStderr();
        return outcome;
    }

    std::filesystem::path folder_;
    std::string store_;
};

const char* const kRelu = "__global__ void relu(const float* x, float* y, int n) {\n"
                          "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                          "    if (i < n) y[i] = fmaxf(x[i], 0.0f);\n"
                          "}\n";
const char* const kTask = "kernel = \"relu\"\n[sizes]\nn = { small = 1000, large = 100000 }\n[arguments]\n"
                          "x = { type = \"f32\", extent = \"n\" }\ny = { type = \"f32\", extent = \"n\", role = \"output\" }\nn = \"i32\"\n"
                          "[launch]\ngrid = \"ceil_div(n, 256)\"\nblock = 256\n";

TEST_F(Program, HelpNamesEveryCommand) {
    const Outcome help = run({"--help"});
    EXPECT_EQ(help.exit_code, 0);
    for (const char* command : {"optimize", "verify", "profile", "explain", "resume", "runs", "suite", "doctor", "calibrate", "diagnose"}) {
        EXPECT_THAT(help.out, HasSubstr(command));
    }
    EXPECT_THAT(run({"optimize", "--help"}).out, HasSubstr("--budget"));
    EXPECT_THAT(run({"--version"}).out, HasSubstr("optiml 0."));
}

struct WrongUse {
    std::vector<std::string> arguments;
    int exit_code;
    const char* message;
};

TEST_F(Program, WrongUseIsToldWithARemedy) {
    const std::string relu = write("relu.cu", kRelu);
    write("relu.toml", kTask);
    const std::string bare = write("bare.cu", "__global__ void scale(float* data, int count) { data[count] = 0; }\n");
    const std::string several = write("several.cu", "__global__ void a() {}\n__global__ void b() {}\n");
    const std::string none = write("none.cu", "__device__ int f() { return 1; }\n");
    const std::string other = write("other.cu", "__global__ void other() {}\n");
    const WrongUse cases[] = {
        {{}, 2, "subcommand is required"},
        {{"optimise"}, 2, "there is no command 'optimise'"},
        {{"optimize"}, 2, "FILE.cu is required"},
        {{"optimize", "absent.cu"}, 2, "absent.cu: No such file"},
        {{"optimize", bare}, 2, "data = { type = \"f32\", extent = \"1 + count\", role = \"output\" }"},
        {{"optimize", several}, 2, "Choose one with --kernel: a, b."},
        {{"optimize", several, "--kernel", "c"}, 2, "c"},
        {{"optimize", none}, 2, "there is no __global__ function"},
        {{"optimize", other, "--task", (folder_ / "relu.toml").string()}, 2, "relu"},
        {{"optimize", relu, "--kernel", "sigmoid"}, 2, "It launches: relu."},
        {{"optimize", relu, "--task", "absent.toml"}, 2, "absent.toml: No such file"},
        {{"optimize", relu, "--budget", "lots"}, 2, "'lots' is no budget"},
        {{"optimize", relu, "--set", "n"}, 2, "not NAME=VALUE"},
        {{"optimize", relu, "--set", "n=99999999999999999999"}, 2, "does not fit 64 bits"},
        {{"optimize", relu, "--set", "m=4"}, 2, "the task has no size m"},
        {{"optimize", relu, "--size", "huge"}, 2, "Choose small or large"},
        {{"optimize", relu, "--search", "astar"}, 2, "Choose mcts"},
        {{"optimize", relu, "--device", "toaster"}, 2, "Choose auto"},
        {{"optimize", relu, "--device", "emulated:toaster"}, 2, "toaster"},
        {{"optimize", relu, "--device", "cuda:x"}, 2, "not a list of devices"},
        {{"explain", "relu-9"}, 2, "there is no run 'relu-9'"},
        {{"resume", "relu-9"}, 2, "there is no run 'relu-9'"},
        {{"suite", "pony"}, 2, "the suite has no kernel 'pony'"},
        {{"profile", relu, "--device", "emulated:h200", "--profiler", "ncu"}, 2, "--profiler ncu counts on a GPU"},
        {{"profile", relu, "--profiler", "nvprof"}, 2, "--profiler"},
        {{"verify", relu, relu, "--device", "emulated:h200", "--second-opinion", "compute-sanitizer"}, 2, "runs the candidate on a GPU"},
        {{"diagnose", relu}, 2, "relu.cu:1: there is no table of Nsight Compute in it"},
    };
    for (const WrongUse& use : cases) {
        std::vector<std::string> arguments = use.arguments;
        const std::set<std::string> with_store = {"optimize", "explain", "resume", "suite"};
        const bool has_store = !arguments.empty() && with_store.count(arguments.front()) != 0;
        if (has_store) arguments.insert(arguments.end(), {"--store", store_});
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, use.exit_code) << use.message;
        EXPECT_THAT(outcome.err, HasSubstr(use.message));
        EXPECT_EQ(outcome.out, "") << use.message;
    }
}

TEST_F(Program, AGpuThatIsNotThereIsTheMachinesFault) {
    if (gpu::Device::count().value_or(0) > 0) GTEST_SKIP() << "there is a GPU here";
    const Outcome outcome = run({"optimize", write("relu.cu", kRelu), "--device", "cuda:0", "--store", store_});
    EXPECT_EQ(outcome.exit_code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("no NVIDIA GPU"));
}

TEST_F(Program, ErrorsAreJsonWhereAskedFor) {
    const Outcome outcome = run({"explain", "relu-9", "--store", store_, "--json"});
    const nlohmann::json json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["error"]["kind"], "user");
    EXPECT_THAT(std::string(json["error"]["message"]), HasSubstr("relu-9"));
    EXPECT_TRUE(nlohmann::json::accept(run({"optimize", "--json"}).out));
}

TEST_F(Program, RunsAndExplainTellOfAKilledRun) {
    EXPECT_THAT(run({"runs", "--store", store_}).out, HasSubstr("no runs yet"));
    {
        const auto store = runs::open_store(store_);
        const auto id = (*store)->create_run("relu", "{}");
        ASSERT_TRUE((*store)->add_node(*id, {0, -1, "", "{}", "{}", 0}));
        ASSERT_TRUE((*store)->add_node(*id, {1, 0, "unroll(factor=4)", "{}", "{}", 0.5}));
    }
    EXPECT_THAT(run({"runs", "--store", store_}).out, HasSubstr("| relu-1 |"));
    const Outcome told = run({"explain", "relu-1", "--store", store_});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_THAT(told.out, HasSubstr("the best reward so far is 0.500 (unroll(factor=4))"));
    EXPECT_THAT(told.out, HasSubstr("optiml resume relu-1"));
    const nlohmann::json json = nlohmann::json::parse(run({"runs", "--store", store_, "--json"}).out);
    EXPECT_EQ(json["runs"][0]["state"], "interrupted");
}

TEST_F(Program, ProfileListsMachineCodeByTheToolkitsProgram) {
    const std::string relu = write("relu.cu", kRelu);
    write("relu.toml", kTask);
    std::filesystem::create_directories(folder_ / "bin");
    write("bin/nvdisasm", "#!/bin/sh\necho FADD R0, R1, R2\n");
    std::filesystem::permissions(folder_ / "bin/nvdisasm", std::filesystem::perms::owner_all);
    ::setenv("OPTIML_CUDA_HOME", folder_.c_str(), 1);
    const Outcome outcome = run({"profile", relu, "--sass", "--json", "--device", "emulated:h200"});
    ::unsetenv("OPTIML_CUDA_HOME");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const nlohmann::json json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["sass"], "FADD R0, R1, R2\n");
    EXPECT_EQ(json["collector"], "");
}

TEST_F(Program, DiagnoseTellsOfAReport) {
    const std::string report = write("report.csv",
                                     "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
                                     "\"0\",\"copy(float *)\",\"(256, 1, 1)\",\"(4096, 1, 1)\",\"S\",\"Duration\",\"ms\",\"2.00\"\n"
                                     "\"0\",\"copy(float *)\",\"(256, 1, 1)\",\"(4096, 1, 1)\",\"S\",\"DRAM Throughput\",\"%\",\"91.00\"\n");
    const Outcome text = run({"diagnose", report, "--device-model", "h200"});
    EXPECT_EQ(text.exit_code, 0) << text.err;
    EXPECT_THAT(text.out, HasSubstr("## copy(float *)"));
    EXPECT_THAT(text.out, HasSubstr("**memory_bandwidth** (weight 0.91)"));
    EXPECT_THAT(text.out, HasSubstr("- vectorized_access (memory_bandwidth"));
    const nlohmann::json json = nlohmann::json::parse(run({"diagnose", report, "--json"}).out);
    EXPECT_EQ(json["kernels"][0]["hypotheses"][0]["bottleneck"], "memory_bandwidth");
    EXPECT_EQ(json["kernels"][0]["time_ms"], 2.0);
    EXPECT_EQ(json["notes"].size(), 2u);
}

TEST_F(Program, DoctorSaysWhatThereIs) {
    const Outcome outcome = run({"doctor", "--store", store_, "--json"});
    const nlohmann::json json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(outcome.exit_code, json["ready"].get<bool>() ? 0 : 3);
    EXPECT_EQ(json["checks"][0]["name"], "NVRTC");
    EXPECT_THAT(run({"doctor", "--store", "/dev/null/x.db"}).out, HasSubstr("MISSING  run store"));
}

}  // namespace
}  // namespace optiml::cli
