#include "evaluation/calibration_set.h"

#include <gtest/gtest.h>

#include <cstring>

#include "evaluation/calibration.h"
#include "evaluation/calibration_conflicts.h"
#include "evaluation/calibration_report.h"
#include "base/statistics.h"
#include "evaluation/statistics.h"

namespace optiml::evaluation {
namespace {

constexpr const char* kEntry =
    R"({"id":"copy/plain@medium","family":"copy","file":"copy.cu","size":"medium","buffers":{"z":{"type":"f32","count":8,"fill":"uniform"},)"
    R"("a":{"type":"u8","count":8,"fill":"random_mod:5","zero_before_each":true}},"output":"a","affine":true,"flops":0,"min_bytes":64,)"
    R"("cold_ms":0.5,"warm_ms":0.25,"registers":[10,12],"local_bytes":[0,16],"launch_count":4,"launches":[)"
    R"({"index":0,"kernel":"copy","grid":[2,1,1],"block":[4,1,1],"shared":64,"args":[["b","a"],["i32",-3],["f32",0.5]],)"
    R"("launch__occupancy_limit_warps":8,"counters":{"smsp__inst_executed.sum":17}},)"
    R"({"index":3,"kernel":"copy","grid":[2,1,1],"block":[4,1,1],"shared":0,"args":[],"counters":{}}]})";

TEST(CalibrationSet, ReadsAnEntry) {
    const auto entries = read_recordings(std::string(kEntry) + "\n\n", "x.jsonl");
    ASSERT_TRUE(entries) << entries.error().text();
    ASSERT_EQ(entries->size(), 1u);
    const RecordedEntry& entry = entries->front();
    EXPECT_EQ(entry.variant, "copy/plain");
    ASSERT_EQ(entry.buffers.size(), 2u);
    EXPECT_EQ(entry.buffers[0].name, "z") << "buffers keep their order: it decides their values";
    EXPECT_TRUE(entry.buffers[1].zero_before_each);
    ASSERT_EQ(entry.launches.size(), 2u);
    const RecordedLaunch& launch = entry.launches[0];
    EXPECT_EQ(std::get<std::uint32_t>(launch.arguments[0]), 1u);
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(launch.arguments[1]), (std::vector<std::uint8_t>{0xfd, 0xff, 0xff, 0xff}));
    EXPECT_EQ(std::get<std::vector<std::uint8_t>>(launch.arguments[2]), (std::vector<std::uint8_t>{0, 0, 0, 0x3f}));
    EXPECT_EQ(launch.counters.at("smsp__inst_executed.sum"), 17);
    EXPECT_EQ(launch.counters.at("launch__occupancy_limit_warps"), 8);
    EXPECT_EQ(entry.launches[1].registers, 12u);
    EXPECT_EQ(entry.launches[1].local_bytes, 16u);
}

TEST(CalibrationSet, ErrorsNameTheLine) {
    for (const std::string bad : {"{\"id\":3}", "{", "[1]"}) {
        const auto entries = read_recordings(std::string(kEntry) + "\n" + bad + "\n", "x.jsonl");
        ASSERT_FALSE(entries) << bad;
        EXPECT_EQ(entries.error().where.line, 2u);
        EXPECT_EQ(entries.error().where.file, "x.jsonl");
    }
}

template <class T>
T element(const std::string& type, const std::string& fill, std::uint64_t index, std::uint32_t number = 0) {
    const RecordedBuffer buffer{"b", type, 10, fill, false};
    const auto generator = recorded_fill(buffer, number);
    EXPECT_TRUE(generator) << fill;
    T value;
    (*generator)(index * sizeof(T), sizeof(T), reinterpret_cast<std::uint8_t*>(&value));
    return value;
}

TEST(CalibrationSet, FillsAreTheRecorded) {
    EXPECT_EQ(element<std::int32_t>("i32", "permutation", 3), static_cast<std::int32_t>(3 * 2654435761ull % 10));
    EXPECT_EQ(element<std::uint32_t>("u32", "index", 7), 7u);
    EXPECT_EQ(element<std::uint32_t>("u32", "index_mod:4", 7), 3u);
    EXPECT_EQ(element<float>("f32", "const:2.5", 7), 2.5f);
    EXPECT_EQ(element<std::uint32_t>("f32", "poison", 1), 0xffffffffu);
    // SplitMix64 of (i = 2, s = 1): the values below were worked out by hand from the formula.
    const std::uint64_t z0 = 2 + 0x9E3779B97F4A7C15ull * 2;
    const std::uint64_t z1 = (z0 ^ z0 >> 30) * 0xBF58476D1CE4E5B9ull;
    const std::uint64_t z2 = (z1 ^ z1 >> 27) * 0x94D049BB133111EBull;
    const auto m = static_cast<std::uint32_t>((z2 ^ z2 >> 31) >> 32);
    EXPECT_EQ(element<std::uint8_t>("u8", "random_mod:7", 2, 1), m % 7);
    EXPECT_EQ(element<float>("f32", "uniform", 2, 1), 2 * (static_cast<float>(m >> 8) / 16777216.0f) - 1);
    EXPECT_EQ(element<double>("f64", "uniform01", 2, 1), (m >> 8) / 16777216.0);
}

TEST(CalibrationSet, HalvesAreRounded) {
    EXPECT_EQ(element<std::uint16_t>("f16", "const:1", 0), 0x3c00);
    EXPECT_EQ(element<std::uint16_t>("f16", "const:-0.333251953125", 0), 0xb555);
    EXPECT_EQ(element<std::uint16_t>("f16", "const:0.99999", 0), 0x3c00);
    EXPECT_EQ(element<std::uint16_t>("f16", "const:1.00048828125", 0), 0x3c00) << "a tie goes to even";
    EXPECT_EQ(element<std::uint16_t>("f16", "const:0.00001", 0), 0x00a8);
    EXPECT_EQ(element<std::uint16_t>("f16", "const:0", 0), 0);
}

TEST(CalibrationSet, RangesMayBeginWithinAnElement) {
    const auto generator = recorded_fill({"b", "u32", 10, "index", false}, 0);
    std::uint8_t bytes[5];
    (*generator)(6, 5, bytes);
    EXPECT_EQ(std::vector<std::uint8_t>(bytes, bytes + 5), (std::vector<std::uint8_t>{0, 0, 2, 0, 0}));
}

TEST(CalibrationSet, UnknownFillsAreErrors) {
    EXPECT_FALSE(recorded_fill({"b", "f32", 10, "gaussian", false}, 0));
    EXPECT_FALSE(recorded_fill({"b", "f32", 10, "const", false}, 0));
    EXPECT_FALSE(recorded_fill({"b", "f12", 10, "zero", false}, 0));
}

TEST(Calibration, LaunchesThatWereNotRecordedLieBetweenTheirNeighbours) {
    const RecordedEntry entry = read_recordings(kEntry, "x").value().front();  // launches 0 and 3 of 4
    EXPECT_DOUBLE_EQ(total_over_launches(entry, {1.0, 4.0}), 1 + 2 + 3 + 4);
}

TEST(Statistics, MedianAndRankCorrelation) {
    EXPECT_EQ(median(std::vector<double>{}), 0);
    EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
    EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {10, 20, 30, 40}), 1);
    EXPECT_DOUBLE_EQ(spearman({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
    EXPECT_NEAR(spearman({1, 2, 3, 4, 5}, {2, 1, 4, 3, 5}), 0.8, 1e-12);
    EXPECT_NEAR(spearman({1, 1, 2, 3}, {1, 2, 3, 4}), 0.9486832980505138, 1e-12);
}

class CalibrationReportTest : public testing::Test {
protected:
    void add(const std::string& variant, double measured, double modelled, double counted) {
        RecordedEntry entry = read_recordings(kEntry, "x").value().front();
        entry.id = "copy/" + variant + "@medium";
        entry.cold_ms = measured;
        recorded_.push_back(std::make_unique<RecordedEntry>(entry));
        CalibratedEntry result;
        result.recorded = recorded_.back().get();
        result.cold_ms = modelled;
        result.launches.resize(2);
        result.launches[0].counters["smsp__inst_executed.sum"] = counted;
        results_.push_back(result);
    }

    std::vector<std::unique_ptr<RecordedEntry>> recorded_;
    std::vector<CalibratedEntry> results_;
};

TEST_F(CalibrationReportTest, CountsEntriesThatAgree) {
    add("a", 1, 1, 17);
    add("b", 2, 2, 19);
    add("c", 3, 3, 40);
    const std::vector<const CalibratedEntry*> all = {&results_[0], &results_[1], &results_[2]};
    EXPECT_EQ(counter_agreement(all, "smsp__inst_executed.sum", 0).agreeing, 1u);
    EXPECT_EQ(counter_agreement(all, "smsp__inst_executed.sum", 0.15).agreeing, 2u);
    EXPECT_EQ(counter_agreement(all, "smsp__inst_executed.sum", 0.15).compared, 3u);
    EXPECT_EQ(counter_agreement(all, "no_such_counter", 0).compared, 0u);
}

TEST_F(CalibrationReportTest, FindsTheFastestVariantAmongTheFirstTwo) {
    add("a", 1, 3, 17);
    add("b", 2, 2, 17);
    add("c", 3, 4, 17);
    EXPECT_EQ(fastest_variant_found(results_, "medium").agreeing, 1u);
    results_[2].cold_ms = 1;
    EXPECT_EQ(fastest_variant_found(results_, "medium").agreeing, 0u);
    EXPECT_EQ(fastest_variant_found(results_, "large").compared, 0u);
}

TEST_F(CalibrationReportTest, BankConflictsAreJudgedWhereTheCardRepeatsItself) {
    const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared";
    for (const char* variant : {"equal", "noisy", "zero"}) add(variant, 1, 1, 17);
    for (std::size_t i = 0; i < recorded_.size(); ++i) recorded_[i]->affine = true;
    const auto count = [&](std::size_t i, double loads, double all, double modelled) {
        recorded_[i]->launches[0].counters[conflicts + "_op_ld.sum"] = loads;
        recorded_[i]->launches[0].counters[conflicts + ".sum"] = all;
        results_[i].launches[0].counters[conflicts + "_op_ld.sum"] = modelled;
    };
    count(0, 31, 31, 31);
    count(1, 31, 33, 30);
    EXPECT_TRUE(repeats_itself(*recorded_[0]));
    EXPECT_FALSE(repeats_itself(*recorded_[1]));
    const std::string text = bank_conflicts_markdown(results_);
    EXPECT_NE(text.find("| loads | 1 / 2 (50 %) | 2 / 3 (67 %) | 1 / 1 (100 %) | 2 / 2 (100 %) |"), std::string::npos) << text;
    EXPECT_NE(text.find("| copy/noisy@medium | loads | 31 | 30 | 31 | 33 |"), std::string::npos) << text;
    EXPECT_EQ(text.find("copy/equal"), std::string::npos);
}

TEST_F(CalibrationReportTest, EverySecondFamilyIsFitted) {
    std::vector<RecordedEntry> entries(4);
    entries[0].family = "b";
    entries[1].family = "a";
    entries[2].family = "c";
    entries[3].family = "a";
    EXPECT_EQ(every_second_family(entries), (std::vector<std::string>{"a", "c"}));
}

TEST_F(CalibrationReportTest, TablesHoldBothSides) {
    add("a", 1, 3, 18);
    results_.push_back(results_[0]);
    results_.back().failure = "it has no kernel 'copy'\nmore";
    const std::string csv = calibration_csv(results_, false);
    EXPECT_NE(csv.find("copy/a@medium,0,0,smsp__inst_executed.sum,17,18\n"), std::string::npos);
    EXPECT_NE(csv.find("copy/a@medium,,,cold_ms,1,3\n"), std::string::npos);
    const std::string markdown = calibration_markdown(results_, {"copy"});
    EXPECT_NE(markdown.find("2 entries, 1 ran"), std::string::npos);
    EXPECT_NE(markdown.find("| smsp__inst_executed.sum | within 15 % | 1 / 1 (100 %)"), std::string::npos);
    EXPECT_NE(markdown.find("- copy/a@medium: it has no kernel 'copy'\n"), std::string::npos);
}

}  // namespace
}  // namespace optiml::evaluation
