#include "evaluation/device/error_growth.h"

#include <gtest/gtest.h>

namespace optiml::evaluation::device {
namespace {

struct Case {
    const char* name;
    std::vector<CountedLaunch> launches;
    std::size_t all_launches;
    double inputs, outputs, terms;
};
std::ostream& operator<<(std::ostream& stream, const Case& one) { return stream << one.name; }

class LongestSum : public testing::TestWithParam<Case> {};

TEST_P(LongestSum, IsFound) {
    const Case& one = GetParam();
    EXPECT_DOUBLE_EQ(longest_sum(one.launches, one.all_launches, one.inputs, one.outputs), one.terms);
}

constexpr double kMega = 1 << 20;

INSTANTIATE_TEST_SUITE_P(
    Kernels, LongestSum,
    testing::Values(Case{"elementwise", {{0, kMega}}, 1, kMega, kMega, 1},
                    Case{"matmul", {{1024 * kMega, kMega}}, 1, 2 * kMega, kMega, 1024},
                    Case{"softmax_a_thread_a_row", {{8192.0 * 8192, 8192}}, 1, 8192.0 * 8192, 8192.0 * 8192, 8192},
                    Case{"softmax_a_block_a_row", {{8192.0 * 8192, 8192 * 256}}, 1, 8192.0 * 8192, 8192.0 * 8192, 32},
                    Case{"atomic_sum", {{0, kMega}}, 1, kMega, 1, kMega},
                    Case{"ten_launches_of_which_two_were_counted", {{kMega, kMega}, {kMega, kMega}}, 10, kMega, kMega, 10},
                    Case{"one_long_launch_among_short_ones", {{kMega, kMega}, {kMega, 32}}, 2, kMega, kMega, kMega / 32}),
    [](const auto& one) { return one.param.name; });

TEST(SupposedLongestSum, GrowsWithTheInputs) {
    EXPECT_EQ(supposed_longest_sum(kMega, kMega), 1024);
    EXPECT_EQ(supposed_longest_sum(kMega, 1), kMega);
    EXPECT_EQ(supposed_longest_sum(0, 0), 1);
    EXPECT_EQ(longest_sum({}, 1, kMega, kMega), 1024);
}

}  // namespace
}  // namespace optiml::evaluation::device
