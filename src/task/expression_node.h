#pragma once
// The tree behind an Expression; used by the parser, the evaluator and the printer only.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "task/expression.h"

namespace optiml::task {

enum class Operator : std::uint8_t {
    constant, name,
    negate, logical_not,
    add, subtract, multiply, divide, remainder, power,
    equal, not_equal, less, less_equal, greater, greater_equal,
    logical_and, logical_or, conditional,
    ceil_div, minimum, maximum, pow2_at_least, log2_ceil,
};

using NodePointer = std::shared_ptr<const ExpressionNode>;

struct ExpressionNode {
    Operator op = Operator::constant;
    std::int64_t constant = 0;
    std::string name;
    std::vector<NodePointer> children;
    std::uint32_t offset = 0;  // of its operator, name or literal in the text, for error places
};

// Negated constants are folded (all but the smallest integer), so that a printed negative number parses to the node it came from.
NodePointer make_node(Operator op, std::vector<NodePointer> children, std::uint32_t offset = 0);
NodePointer make_constant(std::int64_t value, std::uint32_t offset = 0);

// Strength of binding in the grammar; a child of a weaker level than its place asks for needs parentheses.
enum class Binding : std::uint8_t {
    conditional, logical_or, logical_and, equality, relation, sum, product, unary, power, primary
};

struct BinaryOperator {
    std::string_view symbol;
    Operator op;
    Binding binding;
};
// Longer symbols before their prefixes. `^` is not among them: it is right-associative.
std::span<const BinaryOperator> binary_operators();

struct NamedFunction {
    std::string_view name;
    Operator op;
    std::size_t least_arguments;
    std::size_t most_arguments;
};
std::span<const NamedFunction> named_functions();

// Error: user, placed at `where` of the task file.
Result<NodePointer> parse_expression(std::string_view text, const SourceLocation& where);
std::string print_expression(const ExpressionNode& node);

// The value of one operator on two values; nullopt on overflow, division by zero or a negative exponent.
std::optional<std::int64_t> apply_binary(Operator op, std::int64_t a, std::int64_t b);

// `where` moved to the character at `offset` of a text that begins there.
SourceLocation place_in(const SourceLocation& where, std::string_view text, std::uint32_t offset);

}  // namespace optiml::task
