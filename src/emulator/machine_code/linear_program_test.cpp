#include "emulator/machine_code/linear_program.h"

#include <gtest/gtest.h>

namespace optiml::emulator {
namespace {

TEST(LinearProgram, TakesTheCheaperWay) {
    LinearProgram program;
    const auto cheap = program.add_variable(1);
    const auto dear = program.add_variable(3);
    program.add_equality({{cheap, 1}, {dear, 1}}, 10, 1000);
    program.add_upper_bound({{cheap, 1}}, 4);
    const std::vector<double> values = program.minimize(100);
    EXPECT_NEAR(values[cheap], 4, 1e-9);
    EXPECT_NEAR(values[dear], 6, 1e-9);
}

TEST(LinearProgram, ContradictionsCostTheLesserPenalty) {
    LinearProgram program;
    const auto x = program.add_variable(0);
    program.add_equality({{x, 1}}, 5, 10);
    program.add_equality({{x, 1}}, 7, 1);
    EXPECT_NEAR(program.minimize(100)[x], 5, 1e-9);
}

TEST(LinearProgram, NotWorthThePenalty) {
    LinearProgram program;
    const auto x = program.add_variable(2);
    program.add_equality({{x, 1}}, 5, 1);
    EXPECT_NEAR(program.minimize(100)[x], 0, 1e-9);
}

// Flow through a diamond: 8 in, 3 seen on the left, so 5 must go right.
TEST(LinearProgram, FlowIsConserved) {
    LinearProgram program;
    const auto left = program.add_variable(1);
    const auto right = program.add_variable(1);
    const auto out = program.add_variable(1);
    program.add_equality({{left, 1}, {right, 1}}, 8, 1e6);
    program.add_equality({{out, 1}, {left, -1}, {right, -1}}, 0, 1e6);
    program.add_equality({{left, 2}}, 6, 1e3);
    const std::vector<double> values = program.minimize(100);
    EXPECT_NEAR(values[left], 3, 1e-9);
    EXPECT_NEAR(values[right], 5, 1e-9);
    EXPECT_NEAR(values[out], 8, 1e-9);
}

}  // namespace
}  // namespace optiml::emulator
