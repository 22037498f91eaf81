#include "task/expression.h"

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

const Sizes kSizes{{"n", 10007}, {"rows", 7}, {"cols", 129}, {"zero", 0}, {"big", INT64_C(3037000500)}};

struct ValueCase {
    const char* text;
    std::int64_t value;
};

class ExpressionValue : public testing::TestWithParam<ValueCase> {};

TEST_P(ExpressionValue, IsAsInTheGrammar) {
    const auto expression = Expression::parse(GetParam().text);
    ASSERT_TRUE(expression) << expression.error().text();
    const auto value = expression->evaluate(kSizes);
    ASSERT_TRUE(value) << value.error().text();
    EXPECT_EQ(*value, GetParam().value);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ExpressionValue,
    testing::Values(ValueCase{"0", 0}, ValueCase{" 42 ", 42}, ValueCase{"9223372036854775807", INT64_MAX},
                    ValueCase{"-9223372036854775808", INT64_MIN}, ValueCase{"n", 10007}, ValueCase{"rows * cols", 903},
                    ValueCase{"1 + 2 * 3", 7}, ValueCase{"(1 + 2) * 3", 9}, ValueCase{"10 - 3 - 2", 5}, ValueCase{"100 / 7 / 2", 7},
                    ValueCase{"-7 / 2", -3}, ValueCase{"-7 % 3", -1}, ValueCase{"7 % -3", 1}, ValueCase{"- - 5", 5},
                    ValueCase{"2^10", 1024}, ValueCase{"2^3^2", 512}, ValueCase{"-2^2", -4}, ValueCase{"(-2)^2", 4},
                    ValueCase{"2^0", 1}, ValueCase{"0^0", 1}, ValueCase{"2^62", INT64_C(1) << 62}, ValueCase{"(-2)^63", INT64_MIN},
                    ValueCase{"1^9223372036854775807", 1}, ValueCase{"2 * 2^2", 8}, ValueCase{"ceil_div(n, 256)", 40},
                    ValueCase{"ceil_div(512, 256)", 2}, ValueCase{"ceil_div(0, 256)", 0}, ValueCase{"ceil_div(-7, 2)", -3},
                    ValueCase{"ceil_div(-7, -2)", 4}, ValueCase{"min(3, 1, 2)", 1}, ValueCase{"max(3, 1, 2)", 3},
                    ValueCase{"max(4)", 4}, ValueCase{"pow2_at_least(129)", 256}, ValueCase{"pow2_at_least(128)", 128},
                    ValueCase{"pow2_at_least(0)", 1}, ValueCase{"log2_ceil(129)", 8}, ValueCase{"log2_ceil(128)", 7},
                    ValueCase{"log2_ceil(1)", 0}, ValueCase{"log2_ceil(9223372036854775807)", 63}, ValueCase{"3 < 4", 1},
                    ValueCase{"4 <= 3", 0}, ValueCase{"3 == 3", 1}, ValueCase{"3 != 3", 0}, ValueCase{"1 + 1 == 2", 1},
                    ValueCase{"1 < 2 == 1", 1}, ValueCase{"1 || 0 && 0", 1}, ValueCase{"!3", 0}, ValueCase{"!0", 1},
                    ValueCase{"2 && 3", 1}, ValueCase{"zero ? 1 : rows ? 2 : 3", 2}, ValueCase{"1 ? 2 : 1 / zero", 2},
                    ValueCase{"zero != 0 && 1 / zero", 0}, ValueCase{"1 || 1 / zero", 1}));

struct ErrorCase {
    const char* text;
    const char* message;  // a part of it
    std::uint32_t column; // where the text begins at column 10
};

class ExpressionError : public testing::TestWithParam<ErrorCase> {};

TEST_P(ExpressionError, NamesPlaceAndRemedy) {
    const auto parsed = Expression::parse(GetParam().text, {"a.toml", 5, 10});
    const Result<std::int64_t> outcome = parsed ? parsed->evaluate(kSizes) : tl::make_unexpected(parsed.error());
    ASSERT_FALSE(outcome) << *outcome;
    EXPECT_EQ(outcome.error().kind, ErrorKind::user);
    EXPECT_NE(outcome.error().message.find(GetParam().message), std::string::npos) << outcome.error().message;
    EXPECT_EQ(outcome.error().where, (SourceLocation{"a.toml", 5, GetParam().column}));
    EXPECT_FALSE(outcome.error().remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Table, ExpressionError,
    testing::Values(ErrorCase{"", "ends too early", 10}, ErrorCase{"1 +", "ends too early", 13}, ErrorCase{"1 2", "unexpected '2'", 12},
                    ErrorCase{"(1", "closing parenthesis", 10}, ErrorCase{"n @ 2", "unexpected '@'", 12},
                    ErrorCase{"4k", "no decimal integer", 10}, ErrorCase{"1 ? 2", "lacks the ':'", 15},
                    ErrorCase{"ceildiv(n, 2)", "unknown function ceildiv", 10}, ErrorCase{"ceil_div(n)", "gives ceil_div 1 arguments", 10},
                    ErrorCase{"min()", "gives min 0 arguments", 10}, ErrorCase{"min", "without arguments", 10},
                    ErrorCase{"9223372036854775808", "does not fit 64 bits", 10}, ErrorCase{"1 + clos", "'clos', which is no size", 14},
                    ErrorCase{"n / zero", "divides by zero", 12}, ErrorCase{"n % zero", "divides by zero", 12},
                    ErrorCase{"ceil_div(n, zero)", "divides by zero", 10}, ErrorCase{"2^-1", "negative exponent", 11},
                    ErrorCase{"2^63", "overflows 64 bits", 11}, ErrorCase{"3^41", "overflows 64 bits", 11},
                    ErrorCase{"9223372036854775807 + 1", "overflows 64 bits", 30},
                    ErrorCase{"-9223372036854775807 - 2", "overflows 64 bits", 31}, ErrorCase{"big * big", "overflows 64 bits", 14},
                    ErrorCase{"-(-9223372036854775808)", "overflows 64 bits", 10},
                    ErrorCase{"-9223372036854775808 / -1", "overflows 64 bits", 31},
                    ErrorCase{"pow2_at_least(4611686018427387905)", "overflows 64 bits", 10}));

TEST(Expression, ErrorsSuggestNearNamesAndShowValues) {
    const auto unknown = Expression::parse("ceil_div(colls, 4)")->evaluate(kSizes);
    EXPECT_EQ(unknown.error().remedy, "Did you mean 'cols'?");
    const auto overflow = Expression::parse("big * big")->evaluate(kSizes);
    EXPECT_NE(overflow.error().message.find("big = 3037000500"), std::string::npos);
}

TEST(Expression, ErrorsInLaterLinesPointThere) {
    const auto parsed = Expression::parse("1 +\n  @", {"a.toml", 5, 10});
    EXPECT_EQ(parsed.error().where, (SourceLocation{"a.toml", 6, 3}));
}

TEST(Expression, HostileTextEndsInAnError) {
    EXPECT_FALSE(Expression::parse(std::string(3000, '(')));
    EXPECT_FALSE(Expression::parse(std::string(3000, '-') + "n"));
    std::string chain = "1";
    for (int i = 0; i < 100000; ++i) chain += "+1";
    EXPECT_FALSE(Expression::parse(chain));
}

TEST(Expression, CanonicalTextHasOnlyNeededParentheses) {
    EXPECT_EQ(Expression::parse("((n))*(2+( 3 ))")->canonical_text(), "n * (2 + 3)");
    EXPECT_EQ(Expression::parse("(n*2)+3")->canonical_text(), "n * 2 + 3");
    EXPECT_EQ(Expression::parse("n-(2-3)")->canonical_text(), "n - (2 - 3)");
    EXPECT_EQ(Expression::parse("(-2)^2")->canonical_text(), "(-2)^2");
    EXPECT_EQ(Expression::parse("(2^3)^4")->canonical_text(), "(2^3)^4");
    EXPECT_EQ(Expression::parse("(n?1:2)?3:4")->canonical_text(), "(n ? 1 : 2) ? 3 : 4");
    EXPECT_EQ(Expression::parse("(n?1:2)?3:4")->text(), "(n?1:2)?3:4");
    EXPECT_TRUE(*Expression::parse("n+1") == *Expression::parse(" n + (1)"));
    EXPECT_FALSE(*Expression::parse("n+1") == *Expression::parse("1+n"));
}

TEST(Expression, NamesAreCollectedOnce) {
    EXPECT_EQ(Expression::parse("max(n, cols) * n + rows ? 1 : 2")->names(), (std::set<std::string>{"cols", "n", "rows"}));
    EXPECT_TRUE(Expression::parse("2^28 + min(1, 2)")->is_constant());
}

TEST(Expression, SubstitutionKeepsTheMeaning) {
    const Expression grid = *Expression::parse("ceil_div(n, 256)");
    const Expression replaced = grid.substituted("n", *Expression::parse("rows + 1"));
    EXPECT_EQ(replaced.text(), "ceil_div(rows + 1, 256)");
    EXPECT_EQ(Expression::parse("n * 2")->substituted("n", *Expression::parse("rows + 1")).text(), "(rows + 1) * 2");
}

TEST(Expression, IsBuiltInCode) {
    const Expression n = *Expression::parse("n");
    EXPECT_EQ(ceil_div(n, Expression(4) * Expression(64)).text(), "ceil_div(n, 256)");
    EXPECT_EQ((n * Expression(1) + Expression(0)).text(), "n");
    EXPECT_EQ(((n + Expression(1)) * Expression(2) - n / Expression(3)).text(), "(n + 1) * 2 - n / 3");
    EXPECT_EQ((Expression(INT64_MAX) + Expression(1)).text(), "9223372036854775807 + 1");
}

struct CppCase {
    const char* text;
    const char* cpp;
};

TEST(Expression, IsWrittenAsCpp) {
    for (const CppCase& expected : {CppCase{"ceil_div(n, 256)", "ceil_div(n, 256)"},
                                    {"2^28 + n", "power(2, 28) + n"},
                                    {"-(n^2)", "-power(n, 2)"},
                                    {"(a + b) * 65536", "(a + b) * 65536LL"},
                                    {"n > 4 && !m ? min(n, m, 3) : -1", "n > 4 && !m ? min(n, m, 3) : -1"}}) {
        const auto expression = Expression::parse(expected.text);
        ASSERT_TRUE(expression);
        EXPECT_EQ(expression->cpp_text(), expected.cpp);
    }
}

}  // namespace
}  // namespace optiml::task
