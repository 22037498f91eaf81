#include "transforms/accumulator.h"

#include <algorithm>
#include <set>

#include "transforms/online_accumulator.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::SourceFile;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Storage;
using cuda_source::TypeKind;
using cuda_source::VariableId;

bool is_private_storage(const cuda_source::Variable& variable) {
    return variable.storage == Storage::local || variable.storage == Storage::parameter;
}

// Variables from outside the loop that it changes, with the loop's own counter left out. Elements of local arrays count for the array.
std::vector<VariableId> carried_variables(const KernelTree& tree, StatementId loop) {
    const SourceFile& source = tree.source();
    std::vector<VariableId> carried;
    for (const ExpressionId id : tree.expressions()) {
        const auto& node = source.expressions[id];
        if (node.kind != ExpressionKind::variable || !tree.holds(loop, id)) continue;
        const StatementId declaration = tree.declaration_of(node.variable);
        const bool is_outside = declaration == none || !tree.is_inside(declaration, loop);
        if (!is_outside || !is_private_storage(source.variables[node.variable]) || !writes_object(tree, id)) continue;
        if (std::find(carried.begin(), carried.end(), node.variable) == carried.end()) carried.push_back(node.variable);
    }
    return carried;
}

std::optional<Accumulator> with_type(const SourceFile& source, Accumulator accumulator) {
    cuda_source::TypeId type = source.variables[accumulator.variable].type;
    if (source.types[type].kind == TypeKind::array) {
        accumulator.extent = source.types[type].extent;
        type = source.types[type].element;
        if (accumulator.extent == 0) return std::nullopt;
    }
    const auto& scalar = source.types[type];
    const bool is_supported = (scalar.kind == TypeKind::floating || scalar.kind == TypeKind::integer) &&
                              (scalar.bits == 32 || scalar.bits == 64) && !scalar.is_volatile;
    if (!is_supported) return std::nullopt;
    accumulator.type = type;
    return accumulator;
}

// The combiner of the update statement that a use belongs to: the statement itself, or the `if` around an assignment.
std::optional<Combiner> combiner_of(const KernelTree& tree, ExpressionId use, VariableId variable, bool special_values) {
    StatementId statement = tree.statement_of(use);
    for (int level = 0; level < 3 && statement != none; ++level) {
        if (const auto combiner = update_of(tree, variable, statement, special_values)) return combiner;
        statement = tree.source().statements[statement].parent;
    }
    return std::nullopt;
}

std::optional<Accumulator> simple_accumulator(const KernelTree& tree, VariableId variable, StatementId loop, bool special_values) {
    if (tree.source().variables[variable].address_taken) return std::nullopt;
    std::optional<Combiner> combiner;
    for (const ExpressionId use : tree.uses_of(variable, loop)) {
        const auto found = combiner_of(tree, use, variable, special_values);
        if (!found || (combiner && combiner != found)) return std::nullopt;
        combiner = found;
    }
    if (!combiner) return std::nullopt;
    return with_type(tree.source(), {.variable = variable, .combiner = *combiner});
}

// Assigned as a whole by a statement directly in the loop's body before any other use, and not used after the loop.
bool is_private_to_iterations(const KernelTree& tree, VariableId variable, StatementId loop) {
    const SourceFile& source = tree.source();
    const std::vector<ExpressionId> uses = tree.uses_of(variable);
    const auto inside = [&](ExpressionId use) { return tree.holds(loop, use); };
    const auto first = std::find_if(uses.begin(), uses.end(), inside);
    if (first == uses.end()) return false;
    const StatementId statement = tree.statement_of(*first);
    const ExpressionId assignment = source.statements[statement].expression;
    const StatementId body = source.statements[loop].children[0];
    const bool is_direct = source.statements[statement].parent == body && source.statements[statement].kind == StatementKind::expression;
    if (!is_direct || source.expressions[assignment].kind != ExpressionKind::assignment ||
        source.expressions[assignment].op != "=" || source.expressions[assignment].children[0] != *first) {
        return false;
    }
    const auto same_statement_read = std::count_if(uses.begin(), uses.end(), [&](ExpressionId use) {
        return use != *first && tree.is_within(use, assignment);
    });
    return same_statement_read == 0 && std::find_if_not(first, uses.end(), inside) == uses.end();
}

bool is_neutral(const SourceFile& source, ExpressionId value, Combiner combiner) {
    value = without_implicit_casts(source, value);
    const auto& node = source.expressions[value];
    const double neutral = combiner == Combiner::product ? 1 : 0;
    if (node.kind == ExpressionKind::integer_literal) return static_cast<double>(node.integer) == neutral;
    if (node.kind == ExpressionKind::float_literal) return node.floating == neutral;
    if (node.kind != ExpressionKind::initializer_list) return false;
    // {0} and {}: what is not named is zero.
    return combiner == Combiner::sum && std::all_of(node.children.begin(), node.children.end(), [&](ExpressionId child) {
        return is_neutral(source, child, combiner);
    });
}

}  // namespace

bool writes_object(const KernelTree& tree, ExpressionId use) {
    const auto& expressions = tree.source().expressions;
    for (;;) {
        if (tree.is_write(use)) return true;
        const ExpressionId above = tree.parent(use);
        if (above == none) return false;
        const auto& node = expressions[above];
        const bool is_part = (node.kind == ExpressionKind::subscript && node.children[0] == use) ||
                             node.kind == ExpressionKind::member || (node.kind == ExpressionKind::cast && node.implicit);
        // Through a pointer it is the memory that is written, not the pointer.
        if (!is_part || (node.kind == ExpressionKind::subscript && tree.source().type_of(use).kind == TypeKind::pointer)) return false;
        use = above;
    }
}

std::optional<std::vector<Accumulator>> accumulators_of(const Context& context, const KernelTree& tree, StatementId loop) {
    const bool special_values = may_meet_special_values(context);
    std::vector<Accumulator> accumulators;
    const std::vector<Accumulator> online = online_accumulators(tree, loop);
    for (const VariableId variable : carried_variables(tree, loop)) {
        const auto known = std::find_if(online.begin(), online.end(), [&](const Accumulator& a) { return a.variable == variable; });
        if (known != online.end()) {
            const auto typed = with_type(tree.source(), *known);
            if (!typed) return std::nullopt;
            accumulators.push_back(*typed);
        } else if (const auto simple = simple_accumulator(tree, variable, loop, special_values)) {
            accumulators.push_back(*simple);
        } else if (!is_private_to_iterations(tree, variable, loop)) {
            return std::nullopt;
        }
    }
    return accumulators;
}

bool begins_neutral(const KernelTree& tree, const Accumulator& accumulator, StatementId loop) {
    const SourceFile& source = tree.source();
    const auto& variable = source.variables[accumulator.variable];
    ExpressionId value = none;
    StatementId at = tree.declaration_of(accumulator.variable);
    if (at != none) value = variable.initializer;
    for (const ExpressionId use : tree.uses_of(accumulator.variable)) {
        if (tree.holds(loop, use)) break;
        if (!writes_object(tree, use)) continue;
        at = tree.statement_of(use);
        const ExpressionId above = tree.parent(use);
        const bool is_whole = above != none && source.expressions[above].kind == ExpressionKind::assignment &&
                              source.expressions[above].op == "=" && source.statements[at].expression == above;
        value = is_whole ? source.expressions[above].children[1] : none;
    }
    return value != none && source.statements[at].parent == source.statements[loop].parent &&
           is_neutral(source, value, accumulator.combiner);
}

}  // namespace optiml::transforms
