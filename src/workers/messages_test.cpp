#include "workers/messages.h"

#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/disk.h"

namespace optiml::workers {
namespace {

task::Task suite_task(const char* name) {
    const RealDisk disk;
    auto task = task::load_task(std::string(OPTIML_SOURCE_DIR "/examples/suite/") + name + ".toml", disk);
    EXPECT_TRUE(task) << task.error().text();
    return std::move(*task);
}

TEST(Messages, TasksComeBackEqual) {
    for (const char* name : {"softmax", "sort", "prefix_sum", "matmul", "histogram"}) {
        const task::Task task = suite_task(name);
        const auto back = task_from_json(nlohmann::json::parse(to_json(task).dump()));
        ASSERT_TRUE(back) << name << ": " << back.error().text();
        EXPECT_EQ(back->digest(), task.digest()) << name;
        EXPECT_EQ(back->name, name);
    }
}

TEST(Messages, ASecondReferenceTravelsWithTheTask) {
    task::Task task = suite_task("reduction");
    const Digest alone = task.digest();
    task::Task simple = task;
    simple.source += "\n// simple\n";
    simple.source_file = "simple.cu";
    task.reference = std::make_shared<const task::Task>(simple);
    const auto back = task_from_json(nlohmann::json::parse(to_json(task).dump()));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->digest(), task.digest());
    EXPECT_NE(back->digest(), alone);
    ASSERT_TRUE(back->reference);
    EXPECT_EQ(back->reference->source_file, "simple.cu");
}

TEST(Messages, CandidatesKeepSourcePlanAndOptions) {
    const task::Task task = suite_task("reduction");
    evaluation::device::CompiledCandidate compiled;
    compiled.candidate = task::original_of(task);
    compiled.candidate.source += "\n// changed\n";
    compiled.candidate.compile.defines = {"TILE=32"};
    compiled.candidate.plan.scratch.push_back({"partial", task::ScalarType::f64, *task::Expression::parse("ceil_div(n, 256)")});
    compiled.cubin = {0, 1, 2, 255};
    compiled.kernels = {{"reduction", "_Z9reduction", 32, 1024, 0, 0, 0}};
    const auto back = compiled_from_json(nlohmann::json::parse(to_json(task, compiled).dump()));
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->candidate.digest(), compiled.candidate.digest());
    EXPECT_EQ(back->cubin, compiled.cubin);
    ASSERT_EQ(back->kernels.size(), 1u);
    EXPECT_EQ(back->kernels[0].lowered_name, "_Z9reduction");
    EXPECT_EQ(back->kernels[0].static_shared, 1024u);
}

TEST(Messages, SettingsComeBack) {
    evaluation::device::SessionSettings settings;
    settings.timing_sizes = {{"n", 1 << 28}};
    settings.odd_sizes = {{{"n", 1}}, {{"n", 10007}}};
    settings.large_sizes = task::Sizes{{"n", (std::int64_t{1} << 31) + 512}};
    settings.in_process_counters = false;
    settings.seed = 77;
    settings.half_width = 0.05;
    settings.reuse_original = false;
    settings.judges_in_f64 = false;
    const auto back = session_settings_from_json(nlohmann::json::parse(to_json(settings).dump()));
    EXPECT_EQ(back.timing_sizes, settings.timing_sizes);
    EXPECT_EQ(back.odd_sizes, settings.odd_sizes);
    EXPECT_EQ(back.large_sizes, settings.large_sizes);
    EXPECT_FALSE(session_settings_from_json(nlohmann::json::parse(to_json(evaluation::device::SessionSettings()).dump())).large_sizes);
    EXPECT_FALSE(back.in_process_counters);
    EXPECT_EQ(back.seed, 77u);
    EXPECT_EQ(back.half_width, 0.05);
    EXPECT_FALSE(back.reuse_original);
    EXPECT_FALSE(back.judges_in_f64);
}

TEST(Messages, KnowledgeComesBack) {
    const evaluation::device::SessionKnowledge knowledge{{1, 0, 255}, {1024, 7.5}, {{{1e-5, 0.25, 1e-7}, {0, 0}}, {{0.5, 3}}}, 0.125};
    const auto back = knowledge_from_json(nlohmann::json::parse(to_json(knowledge).dump()));
    EXPECT_EQ(back.helper_cubin, knowledge.helper_cubin);
    EXPECT_EQ(back.terms_per_output, knowledge.terms_per_output);
    ASSERT_EQ(back.bounds.size(), 2u);
    ASSERT_EQ(back.bounds[0].size(), 2u);
    EXPECT_EQ(back.bounds[0][0].absolute, 1e-5);
    EXPECT_EQ(back.bounds[0][0].relative, 0.25);
    EXPECT_EQ(back.bounds[0][0].spread, 1e-7);
    EXPECT_EQ(back.bounds[1][0].relative, 3);
    EXPECT_EQ(back.original_seconds, 0.125);
    evaluation::device::SessionKnowledge endless = knowledge;
    endless.bounds[0][0].absolute = std::numeric_limits<double>::infinity();
    EXPECT_EQ(knowledge_from_json(nlohmann::json::parse(to_json(endless).dump())).bounds[0].size(), 1u) << "one is missing: not known";
    EXPECT_TRUE(knowledge_from_json(nlohmann::json()).helper_cubin.empty());
    EXPECT_TRUE(knowledge_from_json({{"helper_cubin", "***"}}).helper_cubin.empty());
}

TEST(Messages, BrokenOnesAreErrors) {
    EXPECT_FALSE(compiled_from_json(nlohmann::json::object()));
    nlohmann::json message = to_json(suite_task("relu"));
    message["cubin"] = "***";
    EXPECT_FALSE(compiled_from_json(message));
}

TEST(Messages, TierNames) {
    EXPECT_EQ(tier_named("four_passes"), gpu::MetricTier::four_passes);
    EXPECT_EQ(name_of(gpu::MetricTier::full), "full");
    EXPECT_FALSE(tier_named("five"));
}

}  // namespace
}  // namespace optiml::workers
