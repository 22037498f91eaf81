#include "gpu/nsight/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::gpu::nsight {
namespace {

using testing::HasSubstr;

// The header and rows as ncu writes them; the program's own output and ncu's messages stand before.
const std::string kDetails =
    "hello from the program, \"quoted\"\n"
    "==PROF== Connected to process 4711 (/home/me/scale)\n"
    "==PROF== Profiling \"scale\" - 0: 0%....50%....100% - 8 passes\n"
    "==PROF== Disconnected from process 4711\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
    "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\",\"Rule Name\",\"Rule Type\",\"Rule Description\"\n";

std::string details_row(const std::string& id, const std::string& kernel, const std::string& metric, const std::string& unit, const std::string& value) {
    return "\"" + id + "\",\"4711\",\"scale\",\"127.0.0.1\",\"" + kernel + "\",\"1\",\"7\",\"(256, 1, 1)\",\"(4,096, 2, 1)\",\"0\",\"9.0\"," +
           "\"GPU Speed Of Light Throughput\",\"" + metric + "\",\"" + unit + "\",\"" + value + "\",\"\",\"\",\"\"\n";
}

TEST(NsightReport, TheDetailsPageGivesMetricsByTheirNames) {
    const auto report = parse_report(kDetails + details_row("0", "scale(const float *, float *, int)", "Duration", "usecond", "1,234.50") +
                                         details_row("0", "scale(const float *, float *, int)", "Memory Throughput", "%", "91.25") +
                                         details_row("0", "scale(const float *, float *, int)", "Memory Throughput", "Gbyte/second", "4.25") +
                                         details_row("0", "scale(const float *, float *, int)", "SM Frequency", "cycle/nsecond", "1.98") +
                                         details_row("0", "scale(const float *, float *, int)", "A Label Of Tomorrow", "gadget", "7") +
                                         details_row("0", "scale(const float *, float *, int)", "Function Cache Configuration", "", "PreferNone") +
                                         details_row("1", "sum(double *)", "Duration", "ms", "2") + details_row("1", "sum(double *)", "Waves Per SM", "", "n/a"),
                                     "r.csv");
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_EQ(report->size(), 2u);
    const Launch& scale = report->front();
    EXPECT_EQ(scale.id, "0");
    EXPECT_EQ(scale.kernel, "scale(const float *, float *, int)");
    EXPECT_EQ(scale.block, (std::array<std::uint64_t, 3>{256, 1, 1}));
    const std::map<std::string, double> expected = {{"gpu__time_duration.sum", 1'234'500},
                                                    {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", 91.25},
                                                    {"dram__bytes.sum.per_second", 4.25e9},
                                                    {"smsp__cycles_elapsed.avg.per_second", 1.98e9},
                                                    {"A Label Of Tomorrow", 7}};
    EXPECT_EQ(scale.counters, expected);
    EXPECT_EQ(scale.texts.at("Function Cache Configuration"), "PreferNone");
    EXPECT_EQ(report->back().counters, (std::map<std::string, double>{{"gpu__time_duration.sum", 2e6}}));
}

TEST(NsightReport, RulesOfTheDetailsPageAreNoMetrics) {
    const std::string rule = "\"0\",\"1\",\"p\",\"h\",\"k\",\"1\",\"7\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"0\",\"9.0\",\"Occupancy\",\"\",\"\",\"\","
                             "\"Occupancy\",\"WRN\",\"Two lines\nand \"\"quotes\"\", 3 of them\"\n";
    const auto report = parse_report(kDetails + rule + details_row("0", "k", "Duration", "ns", "10"), "r.csv");
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_EQ(report->size(), 1u);
    EXPECT_EQ(report->front().counters.size(), 1u);
}

TEST(NsightReport, TheRawPageHasUnitsInASecondRow) {
    const auto report = parse_report(
        "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\","
        "\"device__attribute_display_name\",\"dram__bytes_read.sum\",\"gpu__time_duration.sum\",\"smsp__inst_executed.sum\"\r\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Mbyte\",\"us\",\"inst\"\r\n"
        "\"0\",\"7\",\"a\",\"127.0.0.1\",\"k(int)\",\"1\",\"7\",\"(32, 4, 1)\",\"(16, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H200\",\"33.55\",\"3.20\",\"1,048,576 (5; 6)\"\r\n"
        "\"1\",\"7\",\"a\",\"127.0.0.1\",\"k(int)\",\"1\",\"7\",\"(32, 4, 1)\",\"(16, 1, 1)\",\"0\",\"9.0\",\"NVIDIA H200\",\"33.55\",\"n/a\",\"nan\"\r\n",
        "r.csv");
    ASSERT_TRUE(report) << report.error().text();
    ASSERT_EQ(report->size(), 2u);
    EXPECT_EQ(report->front().grid, (std::array<std::uint64_t, 3>{16, 1, 1}));
    EXPECT_EQ(report->front().texts.at("device__attribute_display_name"), "NVIDIA H200");
    EXPECT_DOUBLE_EQ(report->front().counters.at("dram__bytes_read.sum"), 33.55e6);
    EXPECT_DOUBLE_EQ(report->front().counters.at("gpu__time_duration.sum"), 3200);
    EXPECT_DOUBLE_EQ(report->front().counters.at("smsp__inst_executed.sum"), 1048576);
    EXPECT_EQ(report->back().counters.size(), 1u);
}

TEST(NsightReport, NumbersFollowTheLocaleOfTheWholeReport) {
    const auto report = parse_report(kDetails + details_row("0", "k", "Executed Instructions", "inst", "12.345") + details_row("0", "k", "Elapsed Cycles", "cycle", "1.234.567") +
                                         details_row("0", "k", "Duration", "us", "98,7"),
                                     "r.csv");
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_DOUBLE_EQ(report->front().counters.at("smsp__inst_executed.sum"), 12345);
    EXPECT_DOUBLE_EQ(report->front().counters.at("sm__cycles_elapsed.max"), 1234567);
    EXPECT_DOUBLE_EQ(report->front().counters.at("gpu__time_duration.sum"), 98700);
}

TEST(NsightReport, ASummaryHasAveragesAndInvocations) {
    const auto report = parse_report(
        "\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Invocations\","
        "\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Minimum\",\"Maximum\",\"Average\"\n"
        "\"7\",\"a\",\"h\",\"k\",\"1\",\"7\",\"(32, 1, 1)\",\"(9, 1, 1)\",\"0\",\"9.0\",\"12\",\"S\",\"Duration\",\"us\",\"1.00\",\"3.00\",\"2.50\"\n",
        "r.csv");
    ASSERT_TRUE(report) << report.error().text();
    EXPECT_EQ(report->front().invocations, 12u);
    EXPECT_DOUBLE_EQ(report->front().counters.at("gpu__time_duration.sum"), 2500);
}

struct BadReport {
    const char* name;
    std::string text;
    ErrorKind kind;
    std::uint32_t line;
    const char* message;
};

TEST(NsightReport, BadFilesAreToldWithLineAndRemedy) {
    const BadReport cases[] = {
        {"empty", "", ErrorKind::user, 1, "no table"},
        {"another table", "a,b,c\n1,2,3\n", ErrorKind::user, 1, "no table"},
        {"binary", std::string("NVR\0\1\2", 6), ErrorKind::user, 1, "binary"},
        {"cut off within a row", kDetails + "\"0\",\"4711\",\"scale\"\n", ErrorKind::user, 6, "3 fields where the table has 18 columns"},
        {"cut off within a field", kDetails + details_row("0", "k", "Duration", "us", "1") + "\"0\",\"47", ErrorKind::user, 7, "never closed"},
        {"no metrics", kDetails + details_row("0", "k", "Duration", "us", "n/a"), ErrorKind::user, 0, "no metric"},
        {"permission", "==PROF== Connected\n==ERROR== ERR_NVGPUCTRPERM - no permission\n", ErrorKind::environment, 0, "ERR_NVGPUCTRPERM - no permission"},
    };
    for (const BadReport& bad : cases) {
        const auto report = parse_report(bad.text, "r.csv");
        ASSERT_FALSE(report) << bad.name;
        EXPECT_EQ(report.error().kind, bad.kind) << bad.name;
        EXPECT_EQ(report.error().where.line, bad.line) << bad.name;
        EXPECT_THAT(report.error().message, HasSubstr(bad.message)) << bad.name;
        EXPECT_FALSE(report.error().remedy.empty()) << bad.name;
    }
}

}  // namespace
}  // namespace optiml::gpu::nsight
