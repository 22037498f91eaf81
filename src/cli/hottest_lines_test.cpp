#include "cli/hottest_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace optiml::cli {
namespace {

using evaluation::LineProfile;
using testing::HasSubstr;
using testing::Not;

TEST(HottestLines, ShowsTheSharesOfWhatIsCounted) {
    const std::string text = hottest_lines({{"src/a.cu", 3, {{"smsp__inst_executed.sum", 25}}},
                                            {"src/a.cu", 7, {{"smsp__inst_executed.sum", 75}, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 4},
                                                             {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 4}}}});
    EXPECT_EQ(text, "| line   | warp instructions | global sectors |\n"
                    "|--------|------------------:|---------------:|\n"
                    "| a.cu:7 |         75 (75 %) |      8 (100 %) |\n"
                    "| a.cu:3 |         25 (25 %) |              - |\n");
}

TEST(HottestLines, ALineThatHasAllOfOneCostIsHot) {
    std::vector<LineProfile> lines;
    for (std::uint32_t line = 1; line <= 20; ++line) lines.push_back({"a.cu", line, {{"smsp__inst_executed.sum", 100.0}}});
    lines.push_back({"a.cu", 99, {{"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", 5}}});
    const std::string text = hottest_lines(lines);
    EXPECT_THAT(text, HasSubstr("| a.cu:99 |"));
    EXPECT_THAT(text, Not(HasSubstr("a.cu:20")));
}

TEST(HottestLines, SaysNothingWhereNothingIsCounted) {
    EXPECT_EQ(hottest_lines({}), "");
    EXPECT_EQ(hottest_lines({{"a.cu", 1, {}}}), "");
}

}  // namespace
}  // namespace optiml::cli
