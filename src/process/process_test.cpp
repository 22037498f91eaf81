#include "process/process.h"

#include <gtest/gtest.h>

namespace optiml::process {
namespace {

TEST(Process, ReturnsOutputsAndStatus) {
    const auto outcome = run({.arguments = {"sh", "-c", "cat; echo oops >&2; exit 3"}, .standard_input = "hello"});
    ASSERT_TRUE(outcome) << outcome.error().text();
    EXPECT_EQ(outcome->standard_output, "hello");
    EXPECT_EQ(outcome->standard_error, "oops\n");
    EXPECT_EQ(outcome->exit_status, 3);
    EXPECT_FALSE(outcome->timed_out);
}

TEST(Process, LargeInputAndOutputDoNotBlock) {
    const std::string text(1 << 20, 'x');
    const auto outcome = run({.arguments = {"cat"}, .standard_input = text});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->standard_output, text);
}

TEST(Process, EndsWhatRunsTooLongWithItsChildren) {
    const auto outcome = run({.arguments = {"sh", "-c", "sleep 60 & sleep 60"}, .standard_input = "", .time_limit_seconds = 0.2});
    ASSERT_TRUE(outcome);
    EXPECT_TRUE(outcome->timed_out);
    EXPECT_EQ(outcome->exit_status, 128 + 9);
}

TEST(Process, ProgramThatIsNotThereIsTheEnvironmentsFault) {
    const auto outcome = run({.arguments = {"no-such-program-anywhere"}, .standard_input = ""});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().kind, ErrorKind::environment);
}

TEST(Process, ChildThatIgnoresItsInputIsNoFault) {
    const auto outcome = run({.arguments = {"true"}, .standard_input = std::string(1 << 20, 'x')});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->exit_status, 0);
}

}  // namespace
}  // namespace optiml::process
