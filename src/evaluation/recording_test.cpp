#include "evaluation/recording.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace optiml::evaluation {
namespace {

// Without any figure: what a user writes who wants a card recorded.
constexpr const char* kDescription =
    R"({"id":"copy/plain@medium","family":"copy","file":"copy.cu","size":"medium","buffers":{"z":{"type":"f32","count":8,"fill":"uniform"},)"
    R"("a":{"type":"u8","count":8,"fill":"zero"}},"output":"a","affine":true,"launch_count":2,"launches":[)"
    R"({"index":0,"kernel":"copy","grid":[2,1,1],"block":[4,1,1],"shared":64,"args":[["b","z"],["i32",-3]],"launch__stack_size":1024},)"
    R"({"index":1,"kernel":"copy","grid":[1,1,1],"block":[8,1,1],"shared":0,"args":[["b","a"],["f64",0.5]]}]})";

MeasuredEntry measured() {
    return {0.5, 0.25, {{10, 0, {{"launch__occupancy_limit_warps", 8}}, {{"smsp__inst_executed.sum", 17}, {"lts__t_sector_hit_rate.pct", 53.5}}},
                        {12, 16, {}, {{"smsp__inst_executed.sum", 5e9}}}}};
}

TEST(Recording, IsReadBackAsItWasMeasured) {
    const auto line = recorded_line(kDescription, measured());
    ASSERT_TRUE(line) << line.error().text();
    const auto entries = read_recordings(*line, "card.jsonl");
    ASSERT_TRUE(entries) << entries.error().text();
    const RecordedEntry& entry = entries->front();
    EXPECT_EQ(entry.cold_ms, 0.5);
    EXPECT_EQ(entry.warm_ms, 0.25);
    EXPECT_EQ(entry.buffers[0].name, "z") << "the order of buffers decides their values";
    ASSERT_EQ(entry.launches.size(), 2u);
    EXPECT_EQ(entry.launches[0].counters, (emulator::Counters{{"launch__occupancy_limit_warps", 8}, {"lts__t_sector_hit_rate.pct", 53.5}, {"smsp__inst_executed.sum", 17}}))
        << "figures of the line that were not measured do not stay";
    EXPECT_EQ(entry.launches[1].counters.at("smsp__inst_executed.sum"), 5e9);
    EXPECT_EQ(entry.launches[1].registers, 12u);
    EXPECT_EQ(entry.launches[1].local_bytes, 16u);
    EXPECT_EQ(entry.launches[1].dynamic_shared, 0u);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(entry.launches[0].arguments[1]), (std::vector<std::uint8_t>{0xfd, 0xff, 0xff, 0xff}));
}

TEST(Recording, AnewGivesTheSameLine) {
    const std::string once = *recorded_line(kDescription, measured());
    EXPECT_EQ(*recorded_line(once, measured()), once);
    EXPECT_NE(once.find("\"smsp__inst_executed.sum\":5000000000"), std::string::npos) << "whole numbers as such: " << once;
    EXPECT_EQ(once.find("launch__stack_size"), std::string::npos);
}

TEST(Recording, ADescriptionNeedsNoFigures) {
    const auto entry = described_entry(kDescription);
    ASSERT_TRUE(entry) << entry.error().text();
    EXPECT_EQ(entry->launches.size(), 2u);
    EXPECT_FALSE(described_entry("[1]"));
    EXPECT_FALSE(described_entry(R"({"id":"x"})"));
}

TEST(Recording, FailedCapturesAreNoValues) {
    MeasuredEntry broken = measured();
    broken.launches[0].counters["smsp__inst_executed.sum"] = std::nan("");
    EXPECT_FALSE(recorded_line(kDescription, broken));
    broken = measured();
    broken.launches[1].counters.clear();
    EXPECT_FALSE(recorded_line(kDescription, broken));
    broken = measured();
    broken.cold_ms = 0;
    EXPECT_FALSE(recorded_line(kDescription, broken));
    broken = measured();
    broken.launches.pop_back();
    EXPECT_FALSE(recorded_line(kDescription, broken));
    EXPECT_FALSE(recorded_line("{}", measured()));
}

TEST(Recording, OfTimesAloneSaysWhy) {
    MeasuredEntry times = measured();
    for (MeasuredLaunch& launch : times.launches) launch.counters.clear();
    times.no_counters_because = "for administrators only";
    const auto line = recorded_line(*recorded_line(kDescription, measured()), times);
    ASSERT_TRUE(line) << line.error().text();
    const auto entries = read_recordings(*line, "card.jsonl");
    ASSERT_TRUE(entries) << entries.error().text();
    EXPECT_EQ(entries->front().cold_ms, 0.5);
    EXPECT_EQ(entries->front().no_counters_because, "for administrators only");
    EXPECT_FALSE(entries->front().launches[1].counters.contains("smsp__inst_executed.sum"));
    EXPECT_EQ(*recorded_line(*line, measured()), *recorded_line(kDescription, measured())) << "counters measured later take its place";
}

TEST(Recording, TimesAloneDoNotReplaceCounters) {
    const std::string with = "{\"id\":\"a\",\"x\":1}", alone = "{\"id\":\"a\",\"no_counters_because\":\"none\"}", later = "{\"id\":\"a\",\"no_counters_because\":\"no\"}";
    EXPECT_EQ(merged_recording({with}, {alone}), with + "\n");
    EXPECT_EQ(merged_recording({alone}, {with}), with + "\n");
    EXPECT_EQ(merged_recording({alone}, {later}), later + "\n");
    EXPECT_EQ(merged_recording({}, {alone}), alone + "\n");
}

TEST(Recording, MergesById) {
    const std::vector<std::string> lines = filled_lines_of("{\"id\":\"a\",\"x\":1}\n\n{\"id\":\"b\",\"x\":1}\n");
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(merged_recording(lines, {"{\"id\":\"c\"}", "{\"id\":\"a\",\"x\":2}"}), "{\"id\":\"a\",\"x\":2}\n{\"id\":\"b\",\"x\":1}\n{\"id\":\"c\"}\n");
}

}  // namespace
}  // namespace optiml::evaluation
