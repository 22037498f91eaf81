// The suite's originals leave the same behind whatever the number of host threads: results, findings, counters and modelled time.

#include <gtest/gtest.h>

#include "emulator/time_model.h"
#include "evaluation/outputs.h"
#include "evaluation/plan_run.h"
#include "suite_kit.h"

namespace optiml::evaluation {
namespace {

struct Launched {
    std::vector<std::string> findings;
    std::vector<emulator::Counters> counters;             // by launch
    std::vector<emulator::Counters> lines;
    std::vector<double> times;                            // cold and warm, by launch
    std::vector<std::vector<std::uint8_t>> outputs;

    bool operator==(const Launched&) const = default;
};

class SuiteOnHostThreads : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        auto loaded = task::load_task(suite_path(std::string(GetParam()) + ".toml"), disk_);
        ASSERT_TRUE(loaded) << loaded.error().text();
        task_ = std::move(*loaded);
        auto built = build(shared_compiler(), task_, task::original_of(task_), device_.compute_capability);
        ASSERT_TRUE(built) << built.error().finding.message;
        build_ = std::move(*built);
        auto plan = task::resolve(task_, task_.plan, task_.small_sizes());
        ASSERT_TRUE(plan) << plan.error().text();
        plan_ = std::move(*plan);
    }

    Launched launch(std::uint32_t threads, emulator::ValueDomain domain) {
        Launched launched;
        auto workspace = make_workspace(task_, plan_, {task_.small_sizes()}, disk_);
        EXPECT_TRUE(workspace);
        emulator::RunOptions options;
        options.domain = domain;
        options.host_threads = threads;
        options.instructions_alone = 0;
        for (const task::ResolvedStep& step : plan_.steps) {
            if (step.is_clear) {
                workspace->memory.fill(workspace->buffers[step.buffer], step.clear_value);
                continue;
            }
            if (is_empty(step)) continue;
            const auto result = emulator::run(launch_of(build_, step, *workspace), workspace->memory, device_, options);
            EXPECT_TRUE(result && result->completed);
            for (const emulator::Finding& finding : result->findings) launched.findings.push_back(finding.message);
            launched.counters.push_back(result->counters);
            for (const emulator::LineCounters& line : result->lines) launched.lines.push_back(line.counters);
            const emulator::ModelledTime time = emulator::model_time(result->counters, device_);
            launched.times.insert(launched.times.end(), {time.cold_ms, time.warm_ms});
        }
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            std::vector<std::uint8_t>& bytes = launched.outputs.emplace_back(plan_.buffers[i].elements * task::bytes_of(plan_.buffers[i].type));
            workspace->memory.read(workspace->buffers[i], 0, bytes.data(), bytes.size());
        }
        return launched;
    }

    RealDisk disk_;
    emulator::DeviceModel device_ = *emulator::find_device_model("h200");
    task::Task task_;
    Build build_;
    task::ResolvedPlan plan_;
};

TEST_P(SuiteOnHostThreads, IsTheSame) {
    const Launched alone = launch(1, emulator::ValueDomain::bits);
    EXPECT_TRUE(alone.findings.empty());
    EXPECT_TRUE(launch(2, emulator::ValueDomain::bits) == alone);
    EXPECT_TRUE(launch(3, emulator::ValueDomain::bits) == alone);
}

TEST_P(SuiteOnHostThreads, IsTheSameInHigherPrecision) {
    EXPECT_TRUE(launch(3, emulator::ValueDomain::wider_shadow) == launch(1, emulator::ValueDomain::wider_shadow));
}

INSTANTIATE_TEST_SUITE_P(Suite, SuiteOnHostThreads,
                         testing::Values("relu", "sigmoid", "matrix_copy", "reverse", "transpose", "matmul", "batched_matmul", "conv2d",
                                         "maxpool3d", "layernorm", "softmax", "cross_entropy", "mse", "reduction", "dot", "prefix_sum",
                                         "histogram", "sort", "attention", "monte_carlo"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace optiml::evaluation
