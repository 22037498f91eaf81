#include "task/expression.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/text.h"
#include "task/expression_node.h"

namespace optiml::task {
namespace {

constexpr std::array kBinaryOperators{
    BinaryOperator{"||", Operator::logical_or, Binding::logical_or},
    BinaryOperator{"&&", Operator::logical_and, Binding::logical_and},
    BinaryOperator{"==", Operator::equal, Binding::equality},
    BinaryOperator{"!=", Operator::not_equal, Binding::equality},
    BinaryOperator{"<=", Operator::less_equal, Binding::relation},
    BinaryOperator{">=", Operator::greater_equal, Binding::relation},
    BinaryOperator{"<", Operator::less, Binding::relation},
    BinaryOperator{">", Operator::greater, Binding::relation},
    BinaryOperator{"+", Operator::add, Binding::sum},
    BinaryOperator{"-", Operator::subtract, Binding::sum},
    BinaryOperator{"*", Operator::multiply, Binding::product},
    BinaryOperator{"/", Operator::divide, Binding::product},
    BinaryOperator{"%", Operator::remainder, Binding::product},
};

constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();
constexpr std::array kNamedFunctions{
    NamedFunction{"ceil_div", Operator::ceil_div, 2, 2},
    NamedFunction{"min", Operator::minimum, 1, kAnyCount},
    NamedFunction{"max", Operator::maximum, 1, kAnyCount},
    NamedFunction{"pow2_at_least", Operator::pow2_at_least, 1, 1},
    NamedFunction{"log2_ceil", Operator::log2_ceil, 1, 1},
};

void collect_names(const ExpressionNode& node, std::set<std::string>& names) {
    if (node.op == Operator::name) names.insert(node.name);
    for (const NodePointer& child : node.children) collect_names(*child, names);
}

NodePointer substitute(const NodePointer& node, std::string_view name, const NodePointer& replacement) {
    if (node->op == Operator::name) return node->name == name ? replacement : node;
    if (node->children.empty()) return node;
    std::vector<NodePointer> children;
    for (const NodePointer& child : node->children) children.push_back(substitute(child, name, replacement));
    return make_node(node->op, std::move(children), node->offset);
}

bool is_constant_of(const ExpressionNode& node, std::int64_t value) {
    return node.op == Operator::constant && node.constant == value;
}

NodePointer folded(Operator op, const NodePointer& a, const NodePointer& b) {
    if (a->op == Operator::constant && b->op == Operator::constant) {
        if (const auto value = apply_binary(op, a->constant, b->constant)) return make_constant(*value);
    }
    const bool one_is_neutral = op == Operator::multiply || op == Operator::divide || op == Operator::ceil_div;
    if (is_constant_of(*b, one_is_neutral ? 1 : 0)) return a;
    if (op == Operator::add && is_constant_of(*a, 0)) return b;
    if (op == Operator::multiply && is_constant_of(*a, 1)) return b;
    return make_node(op, {a, b});
}

}  // namespace

std::span<const BinaryOperator> binary_operators() { return kBinaryOperators; }
std::span<const NamedFunction> named_functions() { return kNamedFunctions; }

NodePointer make_constant(std::int64_t value, std::uint32_t offset) {
    return std::make_shared<ExpressionNode>(ExpressionNode{Operator::constant, value, {}, {}, offset});
}

NodePointer make_node(Operator op, std::vector<NodePointer> children, std::uint32_t offset) {
    if (op == Operator::negate && children[0]->op == Operator::constant &&
        children[0]->constant != std::numeric_limits<std::int64_t>::min()) {
        return make_constant(-children[0]->constant, offset);
    }
    return std::make_shared<ExpressionNode>(ExpressionNode{op, 0, {}, std::move(children), offset});
}

SourceLocation place_in(const SourceLocation& where, std::string_view text, std::uint32_t offset) {
    SourceLocation place = where;
    if (place.line == 0) return place;
    const std::uint32_t line = line_at(text, offset);
    place.line += line - 1;
    place.column = line == 1 ? place.column + offset : offset - line_begin_at(text, offset) + 1;
    return place;
}

Expression::Expression() : Expression(0) {}

Expression::Expression(std::int64_t constant) : Expression(make_constant(constant)) {}

Expression::Expression(std::shared_ptr<const ExpressionNode> root)
    : root_(std::move(root)), text_(std::make_shared<std::string>(print_expression(*root_))), canonical_text_(text_) {}

Result<Expression> Expression::parse(std::string_view text, SourceLocation where) {
    auto root = parse_expression(text, where);
    if (!root) return tl::make_unexpected(std::move(root.error()));
    Expression expression(std::move(*root));
    expression.text_ = std::make_shared<std::string>(text);
    expression.where_ = std::move(where);
    return expression;
}

std::set<std::string> Expression::names() const {
    std::set<std::string> names;
    collect_names(*root_, names);
    return names;
}

Expression Expression::substituted(std::string_view name, const Expression& replacement) const {
    Expression result(substitute(root_, name, replacement.root_));
    result.where_ = where_;
    return result;
}

Expression operator+(const Expression& a, const Expression& b) { return Expression(folded(Operator::add, a.root_, b.root_)); }
Expression operator-(const Expression& a, const Expression& b) { return Expression(folded(Operator::subtract, a.root_, b.root_)); }
Expression operator*(const Expression& a, const Expression& b) { return Expression(folded(Operator::multiply, a.root_, b.root_)); }
Expression operator/(const Expression& a, const Expression& b) { return Expression(folded(Operator::divide, a.root_, b.root_)); }
Expression ceil_div(const Expression& a, const Expression& b) { return Expression(folded(Operator::ceil_div, a.root_, b.root_)); }

bool is_expression_name(std::string_view text) {
    if (text.empty() || is_digit(text[0]) || !std::all_of(text.begin(), text.end(), is_word_character)) return false;
    return std::none_of(kNamedFunctions.begin(), kNamedFunctions.end(), [&](const auto& f) { return f.name == text; });
}

}  // namespace optiml::task
