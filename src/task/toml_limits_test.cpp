#include "task/toml_limits.h"

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

std::string repeated(std::string_view text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i) result += text;
    return result;
}

std::string problem(const std::string& text) {
    const Status status = check_toml_limits(text, "t.toml");
    return status ? "" : status.error().text();
}

TEST(TomlLimits, LetOrdinaryFilesPass) {
    EXPECT_EQ(problem(""), "");
    EXPECT_EQ(problem("a.b.c = 1.5\n[x.y]\nz = { u = [1.0, 2.0, [3.0]] }\n" + repeated("v = [1.0, 2.0]\n", 1000)), "");
    EXPECT_EQ(problem("# " + repeated("a.", 100) + "\n"), "");
    EXPECT_EQ(problem("a = \"" + repeated(".[", 100) + "\\\"" + repeated(".{", 100) + "\"\n"), "");
    EXPECT_EQ(problem("a = '''" + repeated(".[\n", 100) + "'''\nb = '" + repeated("[", 100) + "'\n"), "");
}

TEST(TomlLimits, TellKeysOfTooManyPartsWithTheirLine) {
    EXPECT_NE(problem("x = 1\n" + repeated("a.", 50'000) + "a = 1\n").find("t.toml:2: a key has more than 16 parts"), std::string::npos);
    EXPECT_NE(problem("[" + repeated("a . ", 20) + "a]\n").find("t.toml:1: a key"), std::string::npos);
    EXPECT_NE(problem("x = { " + repeated("\"a\".", 20) + "a = 1 }\n").find("t.toml:1: a key"), std::string::npos);
}

TEST(TomlLimits, TellBracketsThatNestTooDeeply) {
    EXPECT_NE(problem("x = \"\"\"\n\n\"\"\"\ny = " + repeated("[", 50'000)).find("t.toml:4: brackets nest more than 32 deep"), std::string::npos);
    EXPECT_NE(problem("y = " + repeated("{a=", 50'000)).find("brackets"), std::string::npos);
}

TEST(TomlLimits, EndWhereAStringDoesNot) {
    EXPECT_EQ(problem("a = \"\\"), "");
    EXPECT_EQ(problem("a = '''"), "");
    EXPECT_NE(problem("a = \"open\n" + repeated("[", 50)).find("t.toml:2"), std::string::npos);
}

TEST(TomlLimits, TellTheSizeOfWhatIsNoTaskFile) {
    EXPECT_NE(problem(std::string(2'000'000, '\n')).find("t.toml: the task file has 2000000 bytes"), std::string::npos);
}

}  // namespace
}  // namespace optiml::task
