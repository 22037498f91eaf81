// Properties over random expressions: printing and parsing again gives the same expression, and evaluation agrees with a second,
// independent evaluator that works in 128 bits.

#include <optional>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "task/expression.h"

namespace optiml::task {
namespace {

__extension__ using Wide = __int128;
using Value = std::optional<std::int64_t>;

const Sizes kSizes{{"a", 3}, {"b", -7}, {"c", INT64_MAX}, {"d", 0}};

Value narrow(Wide value) {
    if (value > INT64_MAX || value < INT64_MIN) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

// A random expression as fully parenthesised text together with its value (nullopt: an error).
struct Sample {
    std::string text;
    Value value;
};

std::int64_t pick(std::int64_t low, std::int64_t high) { return *rc::gen::inRange<std::int64_t>(low, high + 1); }

Sample leaf() {
    if (pick(0, 1) == 0) {
        auto entry = kSizes.begin();
        std::advance(entry, pick(0, 3));
        return {entry->first, entry->second};
    }
    const std::int64_t value = pick(0, 9) == 0 ? INT64_MAX - pick(0, 2) : pick(0, 70);
    return {fmt::format("{}", value), value};
}

Value combine(const std::string& op, std::int64_t a, std::int64_t b) {
    if (op == "+") return narrow(Wide{a} + b);
    if (op == "-") return narrow(Wide{a} - b);
    if (op == "*") return narrow(Wide{a} * b);
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "^") {
        if (b < 0) return std::nullopt;
        if (a >= -1 && a <= 1) return b == 0 ? 1 : a == -1 && b % 2 == 0 ? 1 : a;
        Wide result = 1;
        for (std::int64_t i = 0; i < b; ++i) {
            result *= a;
            if (!narrow(result)) return std::nullopt;
        }
        return narrow(result);
    }
    if (b == 0) return std::nullopt;
    return narrow(op == "/" ? Wide{a} / b : Wide{a} % b);
}

Sample sample(int depth) {
    if (depth == 0 || pick(0, 5) == 0) return leaf();
    static const std::vector<std::string> operators{"+", "-", "*", "/", "%", "^", "<", "<=", "==", "!="};
    const Sample a = sample(depth - 1);
    switch (pick(0, 6)) {
        case 0: return {fmt::format("(-{})", a.text), a.value ? narrow(-Wide{*a.value}) : std::nullopt};
        case 1: return {fmt::format("(!{})", a.text), a.value ? Value(*a.value == 0) : std::nullopt};
        case 2: {
            const Sample b = sample(depth - 1), c = sample(depth - 1);
            const Value value = a.value ? (*a.value != 0 ? b.value : c.value) : std::nullopt;
            return {fmt::format("({} ? {} : {})", a.text, b.text, c.text), value};
        }
        case 3: {
            const Sample b = sample(depth - 1);
            Value value;
            if (a.value && *a.value == 0) value = 0;
            else if (a.value && b.value) value = *b.value != 0;
            return {fmt::format("({} && {})", a.text, b.text), value};
        }
        case 4: {
            const Sample b = sample(depth - 1);
            return {fmt::format("max({}, {})", a.text, b.text), a.value && b.value ? Value(std::max(*a.value, *b.value)) : Value()};
        }
        default: {
            const Sample b = sample(depth - 1);
            const std::string& op = operators[static_cast<std::size_t>(pick(0, 9))];
            return {fmt::format("({} {} {})", a.text, op, b.text), a.value && b.value ? combine(op, *a.value, *b.value) : Value()};
        }
    }
}

TEST(ExpressionProperty, ParsingWhatWasPrintedGivesTheSame) {
    EXPECT_TRUE(rc::check([] {
        const auto first = Expression::parse(sample(5).text);
        RC_ASSERT(first.has_value());
        const auto again = Expression::parse(first->canonical_text());
        RC_ASSERT(again.has_value());
        RC_ASSERT(again->canonical_text() == first->canonical_text());
        const auto value = first->evaluate(kSizes), same = again->evaluate(kSizes);
        RC_ASSERT(value.has_value() == same.has_value());
        if (value) RC_ASSERT(*value == *same);
    }));
}

TEST(ExpressionProperty, EvaluationAgreesWithWideArithmetic) {
    EXPECT_TRUE(rc::check([] {
        const Sample expected = sample(5);
        const auto expression = Expression::parse(expected.text);
        RC_ASSERT(expression.has_value());
        const auto value = expression->evaluate(kSizes);
        RC_ASSERT(value.has_value() == expected.value.has_value());
        if (value) RC_ASSERT(*value == *expected.value);
    }));
}

}  // namespace
}  // namespace optiml::task
