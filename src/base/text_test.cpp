#include "base/text.h"

#include <gtest/gtest.h>

namespace optiml {
namespace {

TEST(Replacements, ApplyInAnyOrderAndKeepTheRest) {
    const auto text = apply_replacements("int a = 1; // one", {{{8, 9}, "22"}, {{4, 5}, "b"}, {{0, 0}, "const "}});
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "const int b = 22; // one");
}

TEST(Replacements, InsertionsAtOnePlaceKeepTheirOrder) {
    const auto text = apply_replacements("x", {{{1, 1}, "a"}, {{1, 1}, "b"}});
    ASSERT_TRUE(text);
    EXPECT_EQ(*text, "xab");
}

TEST(Replacements, OverlapIsAnError) {
    EXPECT_FALSE(apply_replacements("abcdef", {{{0, 3}, "x"}, {{2, 4}, "y"}}));
    EXPECT_FALSE(apply_replacements("abc", {{{2, 9}, "x"}}));
}

TEST(LineMap, CountsFromOne) {
    const LineMap map("ab\n\ncd");
    EXPECT_EQ(map.line(0), 1u);
    EXPECT_EQ(map.line(2), 1u);
    EXPECT_EQ(map.line(3), 2u);
    EXPECT_EQ(map.line(5), 3u);
    EXPECT_EQ(map.column(5), 2u);
    EXPECT_EQ(map.line_begin(3), 4u);
    EXPECT_EQ(map.line_begin(9), 6u);
}

TEST(Indentation, IsTheWhiteSpaceOfTheLine) {
    EXPECT_EQ(indentation_at("a\n\t  b = c;", 7), "\t  ");
    EXPECT_EQ(indentation_at("abc", 2), "");
}

}  // namespace
}  // namespace optiml
