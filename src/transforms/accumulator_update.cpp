// Which statements are updates of an accumulator.

#include <algorithm>
#include <array>
#include <string_view>

#include "transforms/accumulator.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::SourceFile;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::VariableId;

bool names(const SourceFile& source, ExpressionId id, VariableId variable) {
    const cuda_source::Expression& node = source.expressions[without_implicit_casts(source, id)];
    if (node.kind == ExpressionKind::variable) return node.variable == variable;
    // An element of a local array stands for the array.
    return node.kind == ExpressionKind::subscript && names(source, node.children[0], variable);
}

bool mentions(const SourceFile& source, ExpressionId id, VariableId variable) {
    const cuda_source::Expression& node = source.expressions[id];
    if (node.kind == ExpressionKind::variable && node.variable == variable) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](ExpressionId child) { return child != none && mentions(source, child, variable); });
}

// How often the variable is added (+1), subtracted (any minus makes it unusable) or multiplied in a chain of one operator.
// Gives the number of times that `variable` is an operand of the chain; -1 where it occurs anywhere else.
int operand_count(const SourceFile& source, ExpressionId id, VariableId variable, std::string_view op, bool may_subtract) {
    id = without_implicit_casts(source, id);
    const cuda_source::Expression& node = source.expressions[id];
    if (names(source, id, variable)) return 1;
    const bool is_chain = node.kind == ExpressionKind::binary && (node.op == op || (may_subtract && node.op == "-"));
    if (!is_chain) return mentions(source, id, variable) ? -1 : 0;
    const int left = operand_count(source, node.children[0], variable, op, may_subtract);
    if (left < 0 || (node.op == "-" && mentions(source, node.children[1], variable))) return -1;
    const int right = node.op == "-" ? 0 : operand_count(source, node.children[1], variable, op, may_subtract);
    return right < 0 ? -1 : left + right;
}

std::optional<Combiner> extremum_named(std::string_view name) {
    constexpr std::array maxima = std::to_array<std::string_view>({"fmaxf", "fmax", "max", "umax", "llmax", "ullmax"});
    constexpr std::array minima = std::to_array<std::string_view>({"fminf", "fmin", "min", "umin", "llmin", "ullmin"});
    if (std::find(maxima.begin(), maxima.end(), name) != maxima.end()) return Combiner::maximum;
    if (std::find(minima.begin(), minima.end(), name) != minima.end()) return Combiner::minimum;
    return std::nullopt;
}

// value OP variable, true where the value replaces the variable.
struct Comparison {
    Combiner combiner = Combiner::maximum;
    ExpressionId value = none;
};
std::optional<Comparison> comparison_with(const SourceFile& source, ExpressionId id, VariableId variable) {
    const cuda_source::Expression& node = source.expressions[without_implicit_casts(source, id)];
    if (node.kind != ExpressionKind::binary) return std::nullopt;
    const bool greater = node.op == ">" || node.op == ">=";
    const bool less = node.op == "<" || node.op == "<=";
    if (!greater && !less) return std::nullopt;
    if (names(source, node.children[1], variable) && !mentions(source, node.children[0], variable)) {
        return Comparison{greater ? Combiner::maximum : Combiner::minimum, node.children[0]};
    }
    if (names(source, node.children[0], variable) && !mentions(source, node.children[1], variable)) {
        return Comparison{less ? Combiner::maximum : Combiner::minimum, node.children[1]};
    }
    return std::nullopt;
}

// v = value > v ? value : v. The other way round, v > value ? v : value, a NaN takes the variable's place and is itself forgotten with
// the next value: what remains then depends on the order.
std::optional<Combiner> conditional_update(const SourceFile& source, const cuda_source::Expression& conditional, VariableId variable,
                                           bool special_values) {
    const auto comparison = comparison_with(source, conditional.children[0], variable);
    if (!comparison) return std::nullopt;
    const ExpressionId chosen = conditional.children[1];
    const ExpressionId otherwise = conditional.children[2];
    if (same_text(source, chosen, comparison->value) && names(source, otherwise, variable)) return comparison->combiner;
    const bool is_float = source.type_of(chosen).kind == cuda_source::TypeKind::floating;
    if (names(source, chosen, variable) && same_text(source, otherwise, comparison->value) && !(is_float && special_values)) {
        return comparison->combiner == Combiner::maximum ? Combiner::minimum : Combiner::maximum;
    }
    return std::nullopt;
}

std::optional<Combiner> assigned_update(const SourceFile& source, ExpressionId value, VariableId variable, bool special_values) {
    value = without_implicit_casts(source, value);
    const cuda_source::Expression& node = source.expressions[value];
    if (node.kind == ExpressionKind::binary && (node.op == "+" || node.op == "-")) {
        if (operand_count(source, value, variable, "+", true) == 1) return Combiner::sum;
    }
    if (node.kind == ExpressionKind::binary && node.op == "*") {
        if (operand_count(source, value, variable, "*", false) == 1) return Combiner::product;
    }
    if (node.kind == ExpressionKind::conditional) return conditional_update(source, node, variable, special_values);
    if (node.kind != ExpressionKind::call) return std::nullopt;
    if (const auto extremum = extremum_named(node.name); extremum && node.children.size() == 2) {
        const bool first = names(source, node.children[0], variable) && !mentions(source, node.children[1], variable);
        const bool second = names(source, node.children[1], variable) && !mentions(source, node.children[0], variable);
        if (first || second) return extremum;
    }
    const bool is_fma = node.name == "fmaf" || node.name == "fma" || node.name == "__fmaf_rn";
    if (is_fma && node.children.size() == 3 && names(source, node.children[2], variable) &&
        !mentions(source, node.children[0], variable) && !mentions(source, node.children[1], variable)) {
        return Combiner::sum;
    }
    return std::nullopt;
}

std::optional<Combiner> expression_update(const SourceFile& source, ExpressionId id, VariableId variable, bool special_values) {
    const cuda_source::Expression& node = source.expressions[without_implicit_casts(source, id)];
    const bool counts = node.kind == ExpressionKind::unary &&
                        (node.op.find("++") != std::string::npos || node.op.find("--") != std::string::npos);
    if (counts) return names(source, node.children[0], variable) ? std::optional(Combiner::sum) : std::nullopt;
    if (node.kind != ExpressionKind::assignment || !names(source, node.children[0], variable)) return std::nullopt;
    const bool is_element = source.expressions[without_implicit_casts(source, node.children[0])].kind == ExpressionKind::subscript;
    if (node.op == "=" && is_element) return std::nullopt;  // a[i] = a[j] + x is no update of a[i]
    if (node.op == "=") return assigned_update(source, node.children[1], variable, special_values);
    if (mentions(source, node.children[1], variable)) return std::nullopt;
    if (node.op == "+=" || node.op == "-=") return Combiner::sum;
    if (node.op == "*=") return Combiner::product;
    return std::nullopt;
}

// if (value > v) v = value;
std::optional<Combiner> if_update(const SourceFile& source, const cuda_source::Statement& statement, VariableId variable) {
    if (statement.children.size() != 1) return std::nullopt;
    const auto comparison = comparison_with(source, statement.expression, variable);
    if (!comparison) return std::nullopt;
    const auto* inside = &source.statements[statement.children[0]];
    if (inside->kind == StatementKind::compound && inside->children.size() == 1) inside = &source.statements[inside->children[0]];
    if (inside->kind != StatementKind::expression) return std::nullopt;
    const cuda_source::Expression& assignment = source.expressions[inside->expression];
    if (assignment.kind != ExpressionKind::assignment || assignment.op != "=" || !names(source, assignment.children[0], variable)) {
        return std::nullopt;
    }
    return same_text(source, assignment.children[1], comparison->value) ? std::optional(comparison->combiner) : std::nullopt;
}

}  // namespace

std::optional<Combiner> update_of(const KernelTree& tree, VariableId variable, StatementId id, bool special_values) {
    const SourceFile& source = tree.source();
    const auto& statement = source.statements[id];
    if (statement.kind == StatementKind::expression) return expression_update(source, statement.expression, variable, special_values);
    if (statement.kind == StatementKind::if_) return if_update(source, statement, variable);
    return std::nullopt;
}

bool may_meet_special_values(const Context& context) {
    const auto& arguments = context.task->arguments;
    return std::any_of(arguments.begin(), arguments.end(), [](const task::Argument& argument) {
        const bool is_read = argument.role == task::Role::input || argument.role == task::Role::inout;
        return is_read && task::is_float(argument.type) && argument.may_contain_special_values;
    });
}

}  // namespace optiml::transforms
