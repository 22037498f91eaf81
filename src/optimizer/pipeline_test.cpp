#include "optimizer/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optimizer/toy_world_test.h"

namespace optiml::optimizer {
namespace {

using testing::HasSubstr;

const std::map<char, Letter> kLetters = {{'a', {0.5}}, {'b', {0.8}}, {'c', {1.3}}, {'d', {0.9}}, {'x', {0.1, true}}};

Settings settings_for(std::uint64_t evaluations) {
    Settings settings;
    settings.budget = {evaluations, {}};
    settings.out = "out";
    return settings;
}

TEST(Pipeline, FindsTheBestVerifiesExplainsAndWritesIt) {
    ToyWorld world(kLetters);
    const auto result = optimize(settings_for(200), world.services());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_FALSE(result->interrupted);
    const report::Summary& summary = result->summary;
    EXPECT_NEAR(summary.speedup(), 1 / (0.5 * 0.8 * 0.9), 1e-9);
    EXPECT_EQ(summary.best_warm_ms, 0.25 * summary.best_ms);
    ASSERT_EQ(summary.path.size(), 3u);
    double product = 1;
    for (const report::Step& step : summary.path) product *= step.speedup();
    EXPECT_NEAR(product, summary.speedup(), 1e-9);
    EXPECT_EQ(summary.path.front().hypothesis, "memory_bandwidth");
    EXPECT_THAT(summary.verification, HasSubstr("passed L2"));
    EXPECT_GT(summary.rejected, 0u);
    std::uint64_t candidates = 0, rejected = 0, rejections = 0;
    for (const report::Tried& tried : summary.tried) {
        candidates += tried.candidates;
        rejected += tried.rejected;
        EXPECT_LE(tried.best_speedup, summary.speedup() + 1e-9);
    }
    for (const auto& [kind, count] : summary.rejections) rejections += count;
    EXPECT_EQ(candidates, summary.evaluations + summary.transpositions);
    EXPECT_EQ(rejected, summary.rejected);
    EXPECT_EQ(rejections, summary.rejected);
    EXPECT_NEAR(summary.tried.front().best_step, 1 / 0.5, 1e-9) << summary.tried.front().transformation;
    EXPECT_EQ(summary.tried.back().best_step, 0) << summary.tried.back().transformation;
    EXPECT_FALSE(summary.tried.front().moved.empty());
    EXPECT_EQ(summary.run, "toy-1");
    for (const char* file : {"out/toy.cu", "out/toy.toml", "out/toy_launch.cuh", "out/changes.diff", "out/explanation.md", "out/result.json"}) {
        EXPECT_TRUE(world.disk.exists(file)) << file;
    }
    EXPECT_EQ(*world.disk.read("out/toy.cu"), summary.best_source);
    const runs::RunRecord record = *world.store->find_run("toy-1");
    EXPECT_EQ(record.state, "done");
    EXPECT_EQ(report::to_json(*report::summary_from_json(record.result)), report::to_json(summary));
    EXPECT_GT(world.store->nodes(record.id)->size(), 3u);
}

TEST(Pipeline, TellsWhatAStepMakesTheCompilerSpill) {
    ToyWorld world({{'b', {.factor = 0.5, .spilled = 48}}});
    const auto result = optimize(settings_for(20), world.services());
    ASSERT_TRUE(result) << result.error().text();
    ASSERT_EQ(result->summary.path.size(), 1u);
    EXPECT_THAT(result->summary.path[0].moved, testing::Contains(report::CounterChange{"ptxas__spill_load_bytes", 0, 48}));
    EXPECT_THAT(*world.disk.read("out/explanation.md"), testing::ContainsRegex("ptxas__spill_load_bytes +\\| +0 \\| +48 \\| +new"));
}

TEST(Pipeline, TellsTheValuesThatItTimedWith) {
    ToyWorld world(kLetters);
    const auto result = optimize(settings_for(5), world.services());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_THAT(*world.disk.read("out/explanation.md"), HasSubstr("Timed with these input values: `x` { uniform = [-1.0, 1.0] }."));
    EXPECT_THAT(*world.disk.read("out/result.json"), HasSubstr("\"x\": \"{ uniform = [-1.0, 1.0] }\""));
}

TEST(Pipeline, NeverEvaluatesTheSameTwiceAndKeepsToItsBudget) {
    ToyWorld world(kLetters);
    const auto result = optimize(settings_for(7), world.services());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->summary.evaluations, 7u);
    EXPECT_EQ(world.most_evaluations_of_one(), 1);
}

// Edits in another order come to the same code: all of those with p would take every finalist's place, and fail alike.
TEST(Pipeline, VerifiesTwinsOnce) {
    ToyWorld world({{'p', {0.5, false, true}}, {'s', {0.8}}, {'t', {0.9}}});
    const auto result = optimize(settings_for(200), world.services());
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_NEAR(result->summary.speedup(), 1 / (0.8 * 0.9), 1e-9);
}

TEST(Pipeline, KeepsTheOriginalWhereNothingIsBetter) {
    ToyWorld world({{'c', {1.3}}, {'x', {0.1, true}}});
    const auto result = optimize(settings_for(50), world.services());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->summary.speedup(), 1);
    EXPECT_TRUE(result->summary.path.empty());
    EXPECT_EQ(*world.disk.read("out/toy.cu"), "toy ");
    EXPECT_EQ(*world.disk.read("out/changes.diff"), "");
}

TEST(Pipeline, AnEditThatHardlyGainsIsNotTaken) {
    ToyWorld world({{'a', {0.5}}, {'t', {0.9999}}});
    const auto result = optimize(settings_for(50), world.services());
    ASSERT_TRUE(result);
    EXPECT_EQ(result->summary.path.size(), 1u);
}

TEST(Pipeline, AWinnerThatFailsTheWiderVerificationGivesWayToTheNext) {
    auto letters = kLetters;
    letters['f'] = {0.4, false, true};
    ToyWorld world(letters);
    const auto result = optimize(settings_for(400), world.services());
    ASSERT_TRUE(result);
    EXPECT_THAT(result->summary.verification, HasSubstr("A faster candidate failed the wider verification: letter f"));
    EXPECT_EQ(result->summary.best_source.find('f'), std::string::npos);
}

TEST(Pipeline, WhatWasNotJudgedByTheOriginalItselfIsSaid) {
    ToyWorld world({{'a', {.factor = 0.5, .accuracy_note = "the original is off by 3 %"}}});
    const auto result = optimize(settings_for(10), world.services());
    ASSERT_TRUE(result);
    EXPECT_THAT(result->summary.verification, HasSubstr("Of accuracy: the original is off by 3 %."));
}

TEST(Pipeline, AFaultyOriginalIsReportedWithItsPlace) {
    ToyWorld world(kLetters);
    world.source = "toy x";
    const auto result = optimize(settings_for(50), world.services());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::faulty_original);
    EXPECT_THAT(result.error().text(), HasSubstr("toy.cu:3: the original kernel is faulty: race: letter x"));
    EXPECT_EQ(world.store->find_run("toy-1")->state, "failed");
}

TEST(Pipeline, AnInterruptedRunIsSavedAndResumedToTheSameEnd) {
    ToyWorld whole(kLetters);
    const auto expected = optimize(settings_for(25), whole.services());
    for (const int stop_after : {1, 2, 6, 11, 17}) {
        ToyWorld world(kLetters);
        world.stop_after = stop_after;
        const auto first = optimize(settings_for(25), world.services());
        ASSERT_TRUE(first);
        EXPECT_TRUE(first->interrupted);
        EXPECT_EQ(world.store->find_run("toy-1")->state, "interrupted");
        EXPECT_TRUE(world.disk.exists("out/toy.cu"));  // the best so far
        world.stop_after = 1 << 30;
        const auto second = resume(*world.store->find_run("toy-1"), world.services());
        ASSERT_TRUE(second) << second.error().text();
        EXPECT_FALSE(second->interrupted);
        EXPECT_EQ(second->summary.best_source, expected->summary.best_source);
        EXPECT_EQ(second->summary.evaluations, expected->summary.evaluations);
        EXPECT_EQ(world.evaluated, whole.evaluated) << stop_after;  // the same, each once
    }
}

TEST(Pipeline, AnInterruptThatComesAfterTheWinnerWasVerifiedChangesNothing) {
    ToyWorld whole(kLetters);
    ASSERT_TRUE(optimize(settings_for(25), whole.services()));
    ToyWorld world(kLetters);
    world.stop_after = static_cast<int>(whole.evaluated.size());  // the winner's wider verification is the last
    const auto result = optimize(settings_for(25), world.services());
    ASSERT_TRUE(result);
    EXPECT_FALSE(result->interrupted);
    EXPECT_EQ(world.store->find_run("toy-1")->state, "done");
    EXPECT_EQ(world.evaluated, whole.evaluated);
}

TEST(Pipeline, ResumingAFinishedRunTellsItsResult) {
    ToyWorld world(kLetters);
    const auto first = optimize(settings_for(25), world.services());
    const auto evaluated = world.evaluated;
    const auto again = resume(*world.store->find_run("toy-1"), world.services());
    ASSERT_TRUE(again);
    EXPECT_EQ(report::to_json(again->summary), report::to_json(first->summary));
    EXPECT_EQ(world.evaluated, evaluated);
}

TEST(Pipeline, ResumingWithAnotherKernelIsRefused) {
    ToyWorld world(kLetters);
    world.stop_after = 3;
    ASSERT_TRUE(optimize(settings_for(25), world.services()));
    world.source = "toy b";
    const auto again = resume(*world.store->find_run("toy-1"), world.services());
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().kind, ErrorKind::user);
    EXPECT_THAT(again.error().message, HasSubstr("changed since run toy-1 began"));
}

TEST(Pipeline, TheNumberOfJobsDoesNotMatter) {
    std::string stories[2];
    for (const std::uint32_t jobs : {1u, 4u}) {
        ToyWorld world(kLetters);
        Services services = world.services();
        services.jobs = jobs;
        services.on_progress = [&](const Progress& progress) { stories[jobs / 4] += progress.action + progress.outcome + ";"; };
        ASSERT_TRUE(optimize(settings_for(25), services));
    }
    EXPECT_EQ(stories[0], stories[1]);
    EXPECT_THAT(stories[0], HasSubstr("add x"));
    EXPECT_THAT(stories[0], HasSubstr("race;"));
}

TEST(Pipeline, AFullDiskLosesNothing) {
    ToyWorld world(kLetters);
    world.disk.fill_up();
    const auto result = optimize(settings_for(25), world.services());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::environment);
    EXPECT_THAT(result.error().text(), HasSubstr("No space left"));
    EXPECT_THAT(result.error().text(), HasSubstr("resume toy-1"));
    const auto evaluated = world.evaluated;
    world.disk = MemoryDisk();
    const auto again = resume(*world.store->find_run("toy-1"), world.services());
    ASSERT_TRUE(again);
    EXPECT_EQ(world.evaluated, evaluated);
    EXPECT_TRUE(world.disk.exists("out/toy.cu"));
}

TEST(Pipeline, SecondsOfEarlierAttemptsCount) {
    ToyWorld world(kLetters);
    Services services = world.services();
    services.on_progress = [&](const Progress&) { world.clock.advance(1); };
    Settings settings = settings_for(1);
    settings.budget = {{}, 10.0};
    world.stop_after = 5;
    ASSERT_TRUE(optimize(settings, services));
    const double spent = world.store->find_run("toy-1")->seconds;
    EXPECT_GT(spent, 2);
    world.stop_after = 1 << 30;
    const auto second = resume(*world.store->find_run("toy-1"), services);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->summary.stopped_by, "10 s");
    EXPECT_LT(second->summary.evaluations, 15u);
}

TEST(Pipeline, AnUnknownSearchIsTheUsersError) {
    ToyWorld world(kLetters);
    Settings settings = settings_for(5);
    settings.search = "astar";
    const auto result = optimize(settings, world.services());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, ErrorKind::user);
}

}  // namespace
}  // namespace optiml::optimizer
