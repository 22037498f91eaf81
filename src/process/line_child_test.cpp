#include "process/line_child.h"

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>

#include "process/process.h"

namespace optiml::process {
namespace {

LineChild shell(const std::string& script) {
    auto child = LineChild::start({"sh", "-c", script});
    EXPECT_TRUE(child);
    return std::move(*child);
}

TEST(LineChild, AnswersLineByLine) {
    LineChild child = shell("while read line; do echo \"got $line\"; done");
    EXPECT_EQ(child.ask("one", 5).value_or(""), "got one");
    EXPECT_EQ(child.ask("two", 5).value_or(""), "got two");
    EXPECT_TRUE(child.is_running());
}

TEST(LineChild, LongLinesBothWays) {
    LineChild child = shell("cat");
    const std::string line(3 << 20, 'x');
    EXPECT_TRUE(child.ask(line, 10).value_or("") == line);
}

TEST(LineChild, TellsAnEndFromATimeOut) {
    LineChild crashing = shell("read line; echo dying >&2; kill -SEGV $$");
    const auto ended = crashing.ask("go", 5);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error(), LineChild::Failure::ended);
    EXPECT_EQ(crashing.exit_status(), 128 + SIGSEGV);
    EXPECT_NE(crashing.standard_error().find("dying"), std::string::npos);

    LineChild hanging = shell("read line; sleep 60");
    const auto late = hanging.ask("go", 0.2);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error(), LineChild::Failure::timed_out);
}

TEST(LineChild, WhoEndedBeforeItWasAskedSaysWhy) {
    LineChild child = shell("echo no card here >&2; exit 3");
    while (child.is_running()) ::usleep(1000);
    const auto ended = child.ask("go", 5);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error(), LineChild::Failure::ended);
    EXPECT_EQ(child.exit_status(), 3);
    EXPECT_NE(child.standard_error().find("no card here"), std::string::npos);
}

TEST(LineChild, EndsItsWholeGroupWithItself) {
    const std::filesystem::path mark = std::filesystem::temp_directory_path() / ("line_child_mark_" + std::to_string(::getpid()));
    {
        LineChild child = shell("(sleep 0.5; touch " + mark.string() + ") & read line; echo ready; read line");
        EXPECT_EQ(child.ask("go", 5).value_or(""), "ready");
    }
    ::usleep(1'000'000);
    EXPECT_FALSE(std::filesystem::exists(mark)) << "a grandchild lived on";
}

TEST(LineChild, ProgramThatIsNotThere) { EXPECT_FALSE(LineChild::start({"no-such-program-anywhere"})); }

}  // namespace
}  // namespace optiml::process
