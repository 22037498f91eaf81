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

TEST(Lines, OfOnePlaceAgreeWithTheMap) {
    const std::string_view text = "ab\n\ncd\n";
    const LineMap map(text);
    for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
        EXPECT_EQ(line_at(text, offset), map.line(offset)) << offset;
        EXPECT_EQ(line_begin_at(text, offset), map.line_begin(map.line(offset))) << offset;
    }
}

TEST(Lines, AreSplitWithoutTheirEnds) {
    using Lines = std::vector<std::string_view>;
    EXPECT_EQ(lines_of("a\n\nb"), (Lines{"a", "", "b"}));
    EXPECT_EQ(lines_of("a\n"), (Lines{"a"}));
    EXPECT_EQ(lines_of("\n"), (Lines{""}));
    EXPECT_EQ(lines_of(""), Lines{});
}

TEST(Words, AreMadeOfLettersDigitsAndTheUnderscore) {
    for (const char c : std::string_view("azAZ09_")) EXPECT_TRUE(is_word_character(c)) << c;
    for (const char c : std::string_view("/:@[`{^ .$\xe4")) EXPECT_FALSE(is_word_character(c)) << c;
}

TEST(Words, AreFoundWholeOnly) {
    constexpr std::size_t none = std::string_view::npos;
    EXPECT_EQ(find_whole_word("scale", "scale"), 0u);
    EXPECT_EQ(find_whole_word("rescale(); scale2(); scale_(); scale();", "scale"), 31u);
    EXPECT_EQ(find_whole_word("scale, scale", "scale", 1), 7u);
    EXPECT_EQ(find_whole_word("rescale scales", "scale"), none);
    EXPECT_EQ(find_whole_word("scale", "scale", 9), none);
    EXPECT_EQ(find_whole_word("scale", ""), none);
}

TEST(Words, LoseTheirSpacesAndTemplateArguments) {
    EXPECT_EQ(unqualified_name("scale"), "scale");
    EXPECT_EQ(unqualified_name("a::b::scale <float, c::d>"), "scale");
    EXPECT_EQ(unqualified_name(""), "");
}

TEST(Trimmed, LosesBlanksAtBothEnds) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Numbers, AreTheWholeTextOrNothing) {
    EXPECT_EQ(parsed_number<std::uint32_t>("4294967295"), 4294967295u);
    EXPECT_EQ(parsed_number<int>("-12"), -12);
    EXPECT_EQ(parsed_number<double>("2.5e1"), 25.0);
    EXPECT_EQ(parsed_number<std::uint32_t>("4294967296"), std::nullopt);
    for (const char* text : {"", " 1", "1 ", "1x", "x", "+1"}) EXPECT_EQ(parsed_number<int>(text), std::nullopt) << text;
}

}  // namespace
}  // namespace optiml
