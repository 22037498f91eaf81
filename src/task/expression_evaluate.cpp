#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "task/expression_node.h"
#include "task/nearest.h"

namespace optiml::task {
namespace {

using Value = std::optional<std::int64_t>;

Value power(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) return std::nullopt;
    std::int64_t result = 1;
    while (exponent > 0) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) return std::nullopt;
        exponent >>= 1;
        // An overflowing square matters only if it is used; 0, 1 and -1 never overflow, however large the exponent.
        if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) return std::nullopt;
    }
    return result;
}

Value quotient(Operator op, std::int64_t a, std::int64_t b) {
    if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return std::nullopt;
    if (op == Operator::remainder) return a % b;
    const bool round_up = op == Operator::ceil_div && a % b != 0 && (a < 0) == (b < 0);
    return a / b + (round_up ? 1 : 0);
}

Value pow2_at_least(std::int64_t value) {
    std::int64_t result = 1;
    while (result < value) {
        if (__builtin_mul_overflow(result, 2, &result)) return std::nullopt;
    }
    return result;
}

std::int64_t log2_ceil(std::int64_t value) {
    std::int64_t result = 0;
    while (result < 63 && (std::int64_t{1} << result) < value) ++result;
    return result;
}

class Evaluation {
public:
    Evaluation(const Sizes& sizes, const std::string& text, const SourceLocation& where)
        : sizes_(sizes), text_(text), where_(where) {}

    Result<std::int64_t> value(const ExpressionNode& node) {
        switch (node.op) {
            case Operator::constant: return node.constant;
            case Operator::name: return named(node);
            case Operator::logical_and:
            case Operator::logical_or: return logical(node);
            case Operator::conditional: return conditional(node);
            default: return computed(node);
        }
    }

private:
    Result<std::int64_t> named(const ExpressionNode& node) {
        const auto found = sizes_.find(node.name);
        if (found != sizes_.end()) return found->second;
        std::vector<std::string> known;
        for (const auto& [name, unused] : sizes_) known.push_back(name);
        return fail(fmt::format("uses '{}', which is no size", node.name), node, suggestion_for(node.name, known, "sizes"));
    }

    Result<std::int64_t> logical(const ExpressionNode& node) {
        const bool decides = node.op == Operator::logical_or;
        for (const NodePointer& child : node.children) {
            auto operand = value(*child);
            if (!operand) return operand;
            if ((*operand != 0) == decides) return decides ? 1 : 0;
        }
        return decides ? 0 : 1;
    }

    Result<std::int64_t> conditional(const ExpressionNode& node) {
        auto condition = value(*node.children[0]);
        if (!condition) return condition;
        return value(*node.children[*condition != 0 ? 1 : 2]);
    }

    Result<std::int64_t> computed(const ExpressionNode& node) {
        std::vector<std::int64_t> operands;
        for (const NodePointer& child : node.children) {
            auto operand = value(*child);
            if (!operand) return operand;
            operands.push_back(*operand);
        }
        const Value result = apply(node.op, operands);
        if (result) return *result;
        return undefined(node, operands);
    }

    static Value apply(Operator op, const std::vector<std::int64_t>& operands) {
        switch (op) {
            case Operator::negate: return apply_binary(Operator::subtract, 0, operands[0]);
            case Operator::logical_not: return operands[0] == 0 ? 1 : 0;
            case Operator::minimum: return *std::min_element(operands.begin(), operands.end());
            case Operator::maximum: return *std::max_element(operands.begin(), operands.end());
            case Operator::pow2_at_least: return pow2_at_least(operands[0]);
            case Operator::log2_ceil: return log2_ceil(operands[0]);
            default: return apply_binary(op, operands[0], operands[1]);
        }
    }

    Result<std::int64_t> undefined(const ExpressionNode& node, const std::vector<std::int64_t>& operands) {
        const bool divides = node.op == Operator::divide || node.op == Operator::remainder || node.op == Operator::ceil_div;
        if (divides && operands[1] == 0) return fail("divides by zero", node, "Give the divisor a size that is not 0.");
        if (node.op == Operator::power && operands[1] < 0) {
            return fail("has a negative exponent", node, "Exponents must be 0 or more.");
        }
        return fail("overflows 64 bits", node, "Choose smaller sizes, or divide before multiplying.");
    }

    Result<std::int64_t> fail(std::string_view what, const ExpressionNode& node, std::string remedy) const {
        std::string values;
        for (const auto& [name, number] : sizes_) {
            if (text_.find(name) != std::string::npos) values += fmt::format("{}{} = {}", values.empty() ? "" : ", ", name, number);
        }
        if (!values.empty()) values = " for " + values;
        return user_error(fmt::format("the expression \"{}\" {}{}", text_, what, values), place_in(where_, text_, node.offset),
                          std::move(remedy));
    }

    const Sizes& sizes_;
    const std::string& text_;
    const SourceLocation& where_;
};

}  // namespace

Value apply_binary(Operator op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
        case Operator::add: return __builtin_add_overflow(a, b, &result) ? std::nullopt : Value(result);
        case Operator::subtract: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : Value(result);
        case Operator::multiply: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : Value(result);
        case Operator::divide:
        case Operator::remainder:
        case Operator::ceil_div: return quotient(op, a, b);
        case Operator::power: return power(a, b);
        case Operator::equal: return a == b;
        case Operator::not_equal: return a != b;
        case Operator::less: return a < b;
        case Operator::less_equal: return a <= b;
        case Operator::greater: return a > b;
        case Operator::greater_equal: return a >= b;
        default: return std::nullopt;
    }
}

Result<std::int64_t> Expression::evaluate(const Sizes& sizes) const { return Evaluation(sizes, *text_, where_).value(*root_); }

}  // namespace optiml::task
