#include "transforms/thread_mapping.h"

#include <algorithm>

namespace optiml::transforms {
namespace {

using cuda_source::BuiltinIndex;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::SourceFile;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Symbol;
using cuda_source::VariableId;

Polynomial term(std::vector<Symbol> symbols) {
    std::sort(symbols.begin(), symbols.end());
    Polynomial polynomial;
    polynomial.terms[std::move(symbols)] = 1;
    return polynomial;
}

bool is_integer(const SourceFile& source, VariableId variable) {
    return source.types[source.variables[variable].type].kind == cuda_source::TypeKind::integer;
}

std::optional<ThreadIndex> index_declared(const KernelTree& tree, StatementId declaration, VariableId variable) {
    const SourceFile& source = tree.source();
    const auto& node = source.variables[variable];
    if (node.initializer == none || node.is_written || node.in_macro || !is_integer(source, variable)) return std::nullopt;
    const Polynomial value = cuda_source::polynomial_of(source, tree.function(), node.initializer);
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        if (value == flat_index(axis)) return ThreadIndex{.axis = axis, .variable = variable, .declaration = declaration,
                                                          .value = node.initializer};
    }
    return std::nullopt;
}

// A local that is never written again and whose every use is inside the index's value, or in a local that is one of these.
bool only_feeds(const KernelTree& tree, const ThreadIndex& index, ExpressionId use) {
    if (tree.is_within(use, index.value)) return true;
    const SourceFile& source = tree.source();
    const StatementId statement = tree.statement_of(use);
    for (const VariableId variable : source.statements[statement].variables) {
        const auto& node = source.variables[variable];
        if (node.initializer == none || !tree.is_within(use, node.initializer)) continue;
        const std::vector<ExpressionId> uses = tree.uses_of(variable);
        return !node.is_written && std::all_of(uses.begin(), uses.end(), [&](ExpressionId id) { return only_feeds(tree, index, id); });
    }
    return false;
}

bool is_only_use(const KernelTree& tree, const ThreadIndex& index) {
    const SourceFile& source = tree.source();
    for (const ExpressionId id : tree.expressions()) {
        const cuda_source::Expression& node = source.expressions[id];
        if (node.kind != ExpressionKind::builtin_index || node.builtin == BuiltinIndex::warp_size) continue;
        if (node.axis == index.axis && !only_feeds(tree, index, id)) return false;
    }
    for (const auto callee : callees_of(source, tree.function())) {
        const KernelTree called(source, callee);
        const auto uses_axis = [&](ExpressionId id) {
            const cuda_source::Expression& node = source.expressions[id];
            return node.kind == ExpressionKind::builtin_index && node.axis == index.axis;
        };
        if (std::any_of(called.expressions().begin(), called.expressions().end(), uses_axis)) return false;
    }
    return true;
}

// The operands of a chain of && or ||, left to right.
void split(const SourceFile& source, ExpressionId id, const std::string& op, std::vector<ExpressionId>& operands) {
    id = without_implicit_casts(source, id);
    const cuda_source::Expression& node = source.expressions[id];
    if (node.kind == ExpressionKind::binary && node.op == op) {
        for (const ExpressionId child : node.children) split(source, child, op, operands);
    } else {
        operands.push_back(id);
    }
}

// index OP bound, with the thread taking part where it holds (op "<") or leaving where it holds (op ">="); either order of operands.
struct Bound {
    VariableId index = none;
    ExpressionId bound = none;
};
std::optional<Bound> bound_of(const SourceFile& source, ExpressionId comparison, bool leaves) {
    const cuda_source::Expression& node = source.expressions[comparison];
    if (node.kind != ExpressionKind::binary || node.children.size() != 2) return std::nullopt;
    const std::string wanted = leaves ? ">=" : "<";
    const std::string mirrored = leaves ? "<=" : ">";
    const ExpressionId left = without_implicit_casts(source, node.children[0]);
    const ExpressionId right = without_implicit_casts(source, node.children[1]);
    if (node.op == wanted && source.expressions[left].kind == ExpressionKind::variable) {
        return Bound{source.expressions[left].variable, right};
    }
    if (node.op == mirrored && source.expressions[right].kind == ExpressionKind::variable) {
        return Bound{source.expressions[right].variable, left};
    }
    return std::nullopt;
}

bool only_returns(const SourceFile& source, StatementId id) {
    const auto& statement = source.statements[id];
    if (statement.kind == StatementKind::compound) return statement.children.size() == 1 && only_returns(source, statement.children[0]);
    return statement.kind == StatementKind::return_;
}

// Nothing that the bound is made of changes while the kernel runs.
bool is_invariant(const KernelTree& tree, ExpressionId bound) {
    const SourceFile& source = tree.source();
    return std::all_of(tree.expressions().begin(), tree.expressions().end(), [&](ExpressionId id) {
        if (!tree.is_within(id, bound)) return true;
        const cuda_source::Expression& node = source.expressions[id];
        if (node.kind == ExpressionKind::builtin_index || node.kind == ExpressionKind::subscript ||
            node.kind == ExpressionKind::call || (node.kind == ExpressionKind::unary && node.op == "*")) {
            return false;
        }
        return node.kind != ExpressionKind::variable || !source.variables[node.variable].is_written;
    });
}

// A declaration that any thread may execute, whatever its index: it changes nothing and touches no memory.
bool is_harmless(const KernelTree& tree, StatementId id) {
    const SourceFile& source = tree.source();
    const auto& statement = source.statements[id];
    if (statement.kind != StatementKind::declaration) return statement.kind == StatementKind::empty;
    return std::all_of(tree.expressions().begin(), tree.expressions().end(), [&](ExpressionId expression) {
        if (!tree.holds(id, expression)) return true;
        const cuda_source::Expression& node = source.expressions[expression];
        const bool is_access = node.kind == ExpressionKind::subscript || (node.kind == ExpressionKind::unary && node.op == "*");
        return !is_access && is_pure(source, expression);
    });
}

// Takes the bounds that the statement gives, if it is a guard.
bool read_guard(const KernelTree& tree, StatementId id, bool is_last, ThreadMapping& mapping) {
    const SourceFile& source = tree.source();
    const auto& statement = source.statements[id];
    if (statement.kind != StatementKind::if_ || statement.children.size() != 1 || statement.in_macro) return false;
    const bool returns = only_returns(source, statement.children[0]);
    if (!returns && !is_last) return false;
    std::vector<ExpressionId> operands;
    split(source, statement.expression, returns ? "||" : "&&", operands);
    Guard guard{.statement = id, .returns = returns, .only_bounds = true};
    bool any = false;
    for (const ExpressionId operand : operands) {
        const auto bound = bound_of(source, operand, returns);
        const auto index = std::find_if(mapping.indices.begin(), mapping.indices.end(),
                                        [&](const ThreadIndex& i) { return bound && i.variable == bound->index; });
        if (index == mapping.indices.end() || index->bound != none || !is_invariant(tree, bound->bound)) {
            guard.only_bounds = false;
            continue;
        }
        index->bound = bound->bound;
        index->comparison = operand;
        index->guard = mapping.guards.size();
        any = true;
    }
    if (any) mapping.guards.push_back(guard);
    return any;
}

}  // namespace

Symbol builtin_symbol(BuiltinIndex builtin, std::uint8_t axis) {
    return Symbol{.kind = Symbol::Kind::builtin, .builtin = builtin, .axis = axis};
}

Polynomial flat_index(std::uint8_t axis) {
    return term({builtin_symbol(BuiltinIndex::block_idx, axis), builtin_symbol(BuiltinIndex::block_dim, axis)}) +
           term({builtin_symbol(BuiltinIndex::thread_idx, axis)});
}

Polynomial grid_extent(std::uint8_t axis) {
    return term({builtin_symbol(BuiltinIndex::grid_dim, axis), builtin_symbol(BuiltinIndex::block_dim, axis)});
}

const ThreadIndex* ThreadMapping::along(std::uint8_t axis) const {
    const auto found = std::find_if(indices.begin(), indices.end(), [&](const ThreadIndex& index) { return index.axis == axis; });
    return found == indices.end() ? nullptr : &*found;
}

const ThreadIndex* ThreadMapping::of(VariableId variable) const {
    const auto found = std::find_if(indices.begin(), indices.end(), [&](const ThreadIndex& i) { return i.variable == variable; });
    return found == indices.end() ? nullptr : &*found;
}

ThreadMapping thread_mapping(const KernelTree& tree) {
    const SourceFile& source = tree.source();
    ThreadMapping mapping;
    if (tree.body() == none) return mapping;
    const auto& top = source.statements[tree.body()].children;
    for (const StatementId id : top) {
        if (source.statements[id].kind != StatementKind::declaration) continue;
        for (const VariableId variable : source.statements[id].variables) {
            auto index = index_declared(tree, id, variable);
            if (!index || mapping.along(index->axis) != nullptr) continue;
            index->is_only_use = is_only_use(tree, *index);
            mapping.indices.push_back(*index);
        }
    }
    for (const StatementId id : top) {
        if (!read_guard(tree, id, id == top.back(), mapping) && !is_harmless(tree, id)) break;
    }
    return mapping;
}

std::vector<StatementId> guarded_statements(const KernelTree& tree, const ThreadMapping& mapping) {
    const SourceFile& source = tree.source();
    const auto& top = source.statements[tree.body()].children;
    if (mapping.guards.empty()) return top;
    const Guard& guard = mapping.guards.back();
    if (guard.returns) return {std::find(top.begin(), top.end(), guard.statement) + 1, top.end()};
    const StatementId inside = source.statements[guard.statement].children[0];
    if (source.statements[inside].kind == StatementKind::compound) return source.statements[inside].children;
    return {inside};
}

std::optional<std::uint8_t> grid_stride_axis(const KernelTree& tree, const cuda_source::CanonicalLoop& loop) {
    if (loop.comparison != "<" || loop.step || loop.step_expression == none || loop.first == none) return std::nullopt;
    const Polynomial first = cuda_source::polynomial_of(tree.source(), tree.function(), loop.first);
    const Polynomial step = cuda_source::polynomial_of(tree.source(), tree.function(), loop.step_expression);
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        if (first == flat_index(axis) && step == grid_extent(axis)) return axis;
    }
    return std::nullopt;
}

}  // namespace optiml::transforms
