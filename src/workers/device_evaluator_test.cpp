// The supervisor's side of evaluation on a GPU, against a scripted device: a shell program that answers as workers do and keeps a log.
#include "workers/device_evaluator.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "evaluation/evaluator.h"
#include "gpu/metrics.h"

namespace optiml::workers {
namespace {

using evaluation::Evaluation;
using evaluation::FindingKind;
using evaluation::Level;

// What a candidate's source says is what happens to it.
constexpr const char* kScript = R"sh(#!/bin/sh
folder=$(dirname "$0")
built() {
    sed "s/FATE/$1/" "$folder/built"
}
build() {
    case "$1" in
        *'"do":"open"'*) echo '{"ok":true}';;
        *not_built*) cat "$folder/rejected";;
        *crash*) built crash;;
        *hang*) built hang;;
        *lose*) built lose;;
        *slow*) built slow;;
        *wider*) built wider;;
        *wait*) built wait;;
        *) built good;;
    esac
}
device() {
    echo "$2 $1" >> "$folder/log"
    case "$1" in
        *'"do":"prepare"'*) echo '{"ok":true}';;
        *'"do":"open"'*) cat "$folder/opened";;
        *'"do":"profile"'*) cat "$folder/deep";;
        *'"crash"'*) echo broken >&2; kill -SEGV $$;;
        *'"hang"'*) sleep 100;;
        *) if [ -e "$folder/busy" ]; then sleep 0.05; echo '{"ok":true,"busy":true}'; else evaluate "$1"; fi;;
    esac
}
evaluate() {
    separator= lost=false in_f64=false
    printf '{"ok":true,"evaluations":['
    for fate in $(printf '%s' "$1" | grep -o '"fate":"[a-z]*"' | cut -d '"' -f 4); do
        printf '%s' "$separator"
        separator=,
        if [ $lost = true ]; then
            printf null
        elif [ $fate = wider ] && ! printf '%s' "$1" | grep -q '"as_written":true'; then
            lost=true in_f64=true
            printf null
        elif [ $fate = lose ]; then
            lost=true
            printf '%s' "$(cat "$folder/lost")"
        else
            [ $fate = slow ] && sleep 0.3
            while [ $fate = wait ] && [ ! -e "$folder/go" ]; do sleep 0.01; done
            printf '%s' "$(cat "$folder/measured")"
        fi
    done
    printf '],"lost":%s,"lost_in_f64":%s}\n' $lost $in_f64
}
while read -r line; do
    if [ "$2" = --build ]; then build "$line"; else device "$line" "$3"; fi
done
)sh";

class ScriptedDevice : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(testing::TempDir()) / ("optiml_scripted_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
        write("optiml", kScript);
        std::filesystem::permissions(folder_ / "optiml", std::filesystem::perms::owner_all);
        answer("built", {{"evaluation", parsed({})}, {"compiled", {{"fate", "FATE"}}}});
        Evaluation measured;
        measured.accepted = true;
        measured.level = Level::L3;
        measured.timing = {.source = evaluation::Source::measured, .cold_ms = 2, .original_ms = 4};
        measured.profile = evaluation::Profile{.source = evaluation::Source::measured, .counters = {{"smsp__inst_executed.sum", 7}}};
        measured.stage_seconds["verify_device"] = 0.25;
        write("measured", parsed(measured).dump());
        for (const std::string& name : gpu::metrics_of(gpu::MetricTier::four_passes, "")) measured.profile->counters[name] = 8;
        answer("deep", {{"evaluation", parsed(measured)}});
        Evaluation lost;
        lost.findings.push_back({FindingKind::out_of_bounds, "an illegal address"});
        write("lost", parsed(lost).dump());
        Evaluation rejected;
        rejected.findings.push_back({FindingKind::race, "two threads write"});
        answer("rejected", {{"evaluation", parsed(rejected)}});
        answer("opened", {{"device", "Scripted"}, {"driver_version", 13000}, {"knowledge", {{"helper_cubin", "AQID"}, {"terms_per_output", {1024}}}}});

        auto task = task::load_task(OPTIML_SOURCE_DIR "/examples/suite/relu.toml", RealDisk());
        ASSERT_TRUE(task) << task.error().text();
        task_ = std::move(*task);
        settings_.program = (folder_ / "optiml").string();
        settings_.build_workers = 2;
        settings_.device_seconds = 5;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static nlohmann::json parsed(const Evaluation& evaluation) { return nlohmann::json::parse(evaluation::to_json(evaluation)); }
    void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
    void answer(const std::string& name, nlohmann::json fields) {
        fields["ok"] = true;
        write(name, fields.dump() + "\n");
    }
    task::Candidate candidate(const std::string& fate) const {
        task::Candidate made = task::original_of(task_);
        made.source += "\n// " + fate + "\n";
        return made;
    }
    std::size_t logged(const std::string& text) const {
        std::ifstream log(folder_ / "log");
        std::size_t count = 0;
        for (std::string line; std::getline(log, line);) count += line.find(text) != std::string::npos;
        return count;
    }
    std::unique_ptr<DeviceEvaluator> make() {
        auto made = DeviceEvaluator::make(task_, settings_);
        EXPECT_TRUE(made) << (made ? "" : made.error().text());
        return made ? std::move(*made) : nullptr;
    }

    std::filesystem::path folder_;
    task::Task task_;
    DeviceSettings settings_;
};

TEST_F(ScriptedDevice, EvaluatesInStages) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    EXPECT_NE(evaluator->identity().find("Scripted driver 13000"), std::string::npos);
    const Evaluation good = evaluator->evaluate(candidate("fine"));
    EXPECT_TRUE(good.accepted);
    EXPECT_EQ(good.level, Level::L3);
    EXPECT_EQ(good.timing->cold_ms, 2);
    EXPECT_EQ(good.profile->counters.at("smsp__inst_executed.sum"), 7);
    EXPECT_EQ(good.stage_seconds.at("verify_device"), 0.25);
    EXPECT_EQ(good.stage_seconds.count("queue_device"), 1u);
    const std::size_t measured = logged("evaluate");
    const Evaluation bad = evaluator->evaluate(candidate("not_built"));
    EXPECT_FALSE(bad.accepted);
    EXPECT_EQ(bad.first_finding()->kind, FindingKind::race);
    EXPECT_EQ(logged("evaluate"), measured) << "what the checks reject does not reach the card";
}

TEST_F(ScriptedDevice, WhatDecidesAnEvaluationIsInTheIdentity) {
    const std::string search = make()->identity();
    EXPECT_EQ(make()->identity(), search);
    settings_.session.seed = 2;
    const std::string other_seed = make()->identity();
    settings_.tier = gpu::MetricTier::four_passes;
    const std::string other_tier = make()->identity();
    EXPECT_NE(other_seed, search);
    EXPECT_NE(other_tier, other_seed);
    settings_.emulator_checks = false;
    EXPECT_NE(make()->identity(), other_tier);
    EXPECT_NE(search.find(" checks v" + std::to_string(evaluation::EmulatedEvaluator::version())), std::string::npos) << search;
}

TEST_F(ScriptedDevice, WithoutTheEmulatorNoLevelAboveL1) {
    settings_.emulator_checks = false;
    EXPECT_EQ(make()->evaluate(candidate("fine")).level, Level::L1);
}

TEST_F(ScriptedDevice, ABusyCardIsWaitedFor) {
    const auto evaluator = make();
    write("busy", "");
    std::thread later([&] {
        while (logged("\"do\":\"evaluate\"") < 3) std::this_thread::yield();
        std::filesystem::remove(folder_ / "busy");
    });
    const Evaluation evaluation = evaluator->evaluate(candidate("fine"));
    later.join();
    EXPECT_TRUE(evaluation.accepted);
    EXPECT_FALSE(evaluation.is_inconclusive);
}

// Candidates of these fates come while the card is at work on another, so that they go to it together.
class SeveralTogether : public ScriptedDevice {
protected:
    std::vector<Evaluation> evaluate(DeviceEvaluator& evaluator, const std::vector<std::string>& fates) {
        std::thread first([&] { EXPECT_TRUE(evaluator.evaluate(candidate("wait")).accepted); });
        while (logged("\"wait\"") == 0) std::this_thread::yield();
        std::vector<Evaluation> evaluations(fates.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < fates.size(); ++i) {
            threads.emplace_back([&, i] { evaluations[i] = evaluator.evaluate(candidate(fates[i])); });
        }
        while (evaluator.waiting_for_a_card() < fates.size()) std::this_thread::yield();
        write("go", "");
        first.join();
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(most_in_a_line(), fates.size());
        return evaluations;
    }
    // The most candidates of one line.
    std::size_t most_in_a_line() const {
        std::ifstream log(folder_ / "log");
        std::size_t most = 0;
        for (std::string line; std::getline(log, line);) {
            std::size_t count = 0;
            for (std::size_t at = line.find("\"fate\""); at != std::string::npos; at = line.find("\"fate\"", at + 1)) ++count;
            if (line.find("\"do\":\"evaluate\"") != std::string::npos) most = std::max(most, count);
        }
        return most;
    }
};

TEST_F(SeveralTogether, EachHasItsEvaluation) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    for (const Evaluation& evaluation : evaluate(*evaluator, {"fine", "fine", "fine"})) {
        EXPECT_TRUE(evaluation.accepted);
        EXPECT_EQ(evaluation.timing->cold_ms, 2);
    }
    EXPECT_EQ(evaluator->worker_restarts(), 0u);
}

TEST_F(SeveralTogether, WhoLosesTheCardCostsOnlyItself) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    const std::vector<Evaluation> evaluations = evaluate(*evaluator, {"fine", "lose", "fine"});
    EXPECT_TRUE(evaluations[0].accepted);
    EXPECT_EQ(evaluations[1].first_finding()->kind, FindingKind::out_of_bounds);
    EXPECT_TRUE(evaluations[2].accepted);
    EXPECT_EQ(evaluator->worker_restarts(), 1u);
}

TEST_F(SeveralTogether, WhoCrashesTheWorkerCostsOnlyItself) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    const std::vector<Evaluation> evaluations = evaluate(*evaluator, {"fine", "crash", "fine"});
    EXPECT_TRUE(evaluations[0].accepted);
    EXPECT_TRUE(evaluations[1].is_inconclusive);
    EXPECT_NE(evaluations[1].first_finding()->message.find("signal 11"), std::string::npos) << evaluations[1].first_finding()->message;
    EXPECT_TRUE(evaluations[2].accepted);
}

TEST_F(SeveralTogether, NotBehindAnOriginalThatTakesLong) {
    answer("opened", {{"device", "Scripted"}, {"driver_version", 13000}, {"original_seconds", 0.3}});
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_TRUE(evaluator->evaluate(candidate("slow")).accepted); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(most_in_a_line(), 1u);
}

TEST_F(ScriptedDevice, AFaultCostsOneCandidate) {
    settings_.device_seconds = 0.5;
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    EXPECT_EQ(evaluator->evaluate(candidate("lose")).first_finding()->kind, FindingKind::out_of_bounds);
    EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    EXPECT_FALSE(evaluator->evaluate(candidate("lose")).is_inconclusive) << "the candidate's own fault on the card";
    const Evaluation crashed = evaluator->evaluate(candidate("crash"));
    EXPECT_TRUE(crashed.is_inconclusive);
    EXPECT_EQ(crashed.first_finding()->kind, FindingKind::launch);
    EXPECT_NE(crashed.first_finding()->message.find("signal 11"), std::string::npos) << crashed.first_finding()->message;
    EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    EXPECT_EQ(evaluator->evaluate(candidate("hang")).first_finding()->kind, FindingKind::time_limit);
    EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    EXPECT_EQ(evaluator->worker_restarts(), 4u);
}

TEST_F(ScriptedDevice, AFaultOfTheOriginalInF64CostsNoCandidate) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    EXPECT_TRUE(evaluator->evaluate(candidate("wider")).accepted) << "by a worker that judges as written";
    EXPECT_EQ(evaluator->worker_restarts(), 1u);
    EXPECT_TRUE(evaluator->evaluate(candidate("wider")).accepted);
    EXPECT_EQ(evaluator->worker_restarts(), 1u) << "it is not tried again";
}

TEST_F(ScriptedDevice, LaterWorkersTakeOverWhatTheFirstFoundOut) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    EXPECT_EQ(logged("AQID"), 0u) << "nobody knew it before the first";
    evaluator->evaluate(candidate("lose"));
    EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    EXPECT_GE(logged("AQID"), 2u);  // with prepare and with open
    EXPECT_GE(logged("[1024]"), 1u);
}

TEST_F(ScriptedDevice, DeepensOnce) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    Evaluation evaluation = evaluator->evaluate(candidate("fine"));
    evaluator->deepen(candidate("fine"), evaluation);
    EXPECT_EQ(evaluation.profile->counters.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 8);
    EXPECT_EQ(evaluation.timing->cold_ms, 2);
    EXPECT_EQ(logged("\"tier\":\"four_passes\""), 1u);
    evaluator->deepen(candidate("fine"), evaluation);
    Evaluation rejected = evaluator->evaluate(candidate("not_built"));
    evaluator->deepen(candidate("not_built"), rejected);
    EXPECT_EQ(logged("\"do\":\"profile\""), 1u);
}

TEST_F(ScriptedDevice, DeepeningThatFailsLeavesTheCheapCounters) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    Evaluation evaluation = evaluator->evaluate(candidate("fine"));
    const Evaluation before = evaluation;
    write("deep", "{\"ok\":false,\"error\":\"the card is busy\"}\n");
    evaluator->deepen(candidate("fine"), evaluation);
    EXPECT_EQ(evaluation, before);
}

TEST_F(ScriptedDevice, TheLeastBusyCardIsNext) {
    settings_.ordinals = {0, 1};
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    std::thread slow([&] { EXPECT_TRUE(evaluator->evaluate(candidate("slow")).accepted); });
    while (logged("\"slow\"") == 0) std::this_thread::yield();
    const std::string busy = logged("cuda:0 {\"do\":\"evaluate\"") == 1 ? "cuda:0" : "cuda:1";
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    slow.join();
    EXPECT_EQ(logged(busy + " {\"do\":\"evaluate\""), 1u);
    EXPECT_EQ(logged("{\"do\":\"evaluate\""), 4u);
}

TEST_F(ScriptedDevice, RestsAndGoesOn) {
    const auto evaluator = make();
    ASSERT_NE(evaluator, nullptr);
    evaluator->rest();
    EXPECT_TRUE(evaluator->evaluate(candidate("fine")).accepted);
    EXPECT_EQ(evaluator->worker_restarts(), 0u);
}

TEST_F(ScriptedDevice, ARefusedOpeningIsTheErrorItWas) {
    write("opened", "{\"ok\":false,\"error\":\"the original fails on the device\",\"kind\":\"faulty_original\"}\n");
    const auto made = DeviceEvaluator::make(task_, settings_);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::faulty_original);
    EXPECT_EQ(made.error().message, "the original fails on the device");
}

TEST_F(ScriptedDevice, AnOriginalThatDoesNotBuildIsFaulty) {
    task_.source += "\n// not_built\n";
    const auto made = DeviceEvaluator::make(task_, settings_);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().kind, ErrorKind::faulty_original);
    EXPECT_EQ(made.error().message, "two threads write");
}

}  // namespace
}  // namespace optiml::workers
