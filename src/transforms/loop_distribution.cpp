#include "transforms/loop_distribution.h"

#include <algorithm>

#include "transforms/accumulator.h"
#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"
#include "transforms/reduction_functions.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::BuiltinIndex;
using cuda_source::CanonicalLoop;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::Symbol;
using cuda_source::VariableId;

Polynomial of_symbol(BuiltinIndex builtin, std::uint8_t axis) {
    Polynomial polynomial;
    polynomial.terms[{builtin_symbol(builtin, axis)}] = 1;
    return polynomial;
}

// threadIdx.x % lanes, or threadIdx.x & (lanes - 1) with a power of two.
bool is_lane_of(const Context& context, std::size_t kernel, const Polynomial& first, std::int64_t lanes) {
    if (first.terms.size() != 1 || first.terms.begin()->second != 1 || first.terms.begin()->first.size() != 1) return false;
    const Symbol& symbol = first.terms.begin()->first.front();
    if (symbol.kind != Symbol::Kind::opaque || symbol.expression == none) return false;
    const auto& node = context.source.expressions[symbol.expression];
    if (node.kind != ExpressionKind::binary) return false;
    const auto operand = context.source.expressions[node.children[1]].constant;
    const bool is_power_of_two = (lanes & (lanes - 1)) == 0;
    const bool is_lane = (node.op == "%" && operand == lanes) || (node.op == "&" && is_power_of_two && operand == lanes - 1);
    return is_lane && cuda_source::polynomial_of(context.source, context.kernels[kernel].function, node.children[0]) ==
                          of_symbol(BuiltinIndex::thread_idx, 0);
}

bool is_distributed(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop) {
    const auto block = constant_block(context, kernel);
    if (!block || (*block)[1] != 1 || (*block)[2] != 1) return grid_stride_axis(tree, loop).has_value();
    const Polynomial first = cuda_source::polynomial_of(context.source, context.kernels[kernel].function, loop.first);
    if (loop.step) {
        const bool whole_block = first == of_symbol(BuiltinIndex::thread_idx, 0) && *loop.step == (*block)[0];
        return whole_block || (*loop.step > 0 && (*block)[0] % *loop.step == 0 && is_lane_of(context, kernel, first, *loop.step));
    }
    if (grid_stride_axis(tree, loop)) return true;
    return first == of_symbol(BuiltinIndex::thread_idx, 0) && loop.step_expression != none &&
           cuda_source::polynomial_of(context.source, context.kernels[kernel].function, loop.step_expression) ==
               of_symbol(BuiltinIndex::block_dim, 0);
}

bool is_inside_reduction(const Context& context, const KernelTree& tree, ExpressionId use) {
    for (ExpressionId above = use; above != none; above = tree.parent(above)) {
        const auto& node = context.source.expressions[above];
        if (node.kind == ExpressionKind::call && node.function != none && is_reduction_function(context, node.function)) return true;
    }
    return false;
}

// In the argument of a reduction over the lanes, or in a local that only goes there.
bool is_combined(const Context& context, const KernelTree& tree, ExpressionId use) {
    if (is_inside_reduction(context, tree, use)) return true;
    for (const VariableId variable : context.source.statements[tree.statement_of(use)].variables) {
        const ExpressionId value = context.source.variables[variable].initializer;
        if (value == none || !tree.is_within(use, value) || context.source.variables[variable].is_written) continue;
        const auto uses = tree.uses_of(variable);
        return std::all_of(uses.begin(), uses.end(), [&](ExpressionId id) { return is_inside_reduction(context, tree, id); });
    }
    return false;
}

// Every use after the loop and before the variable is set anew.
bool is_combined_after(const Context& context, const KernelTree& tree, VariableId variable, StatementId loop) {
    const std::uint32_t end = context.source.statements[loop].span.end;
    std::vector<ExpressionId> after = tree.uses_of(variable);
    std::erase_if(after, [&](ExpressionId use) { return context.source.expressions[use].span.begin < end; });
    for (const ExpressionId use : after) {
        const ExpressionId above = tree.parent(use);
        const bool is_set = above != none && context.source.expressions[above].kind == ExpressionKind::assignment &&
                            context.source.expressions[above].op == "=" && context.source.expressions[above].children[0] == use;
        if (!is_set) {
            if (!is_combined(context, tree, use)) return false;
            continue;
        }
        // v = sum(v): its right side comes after it in the text and belongs to the old value.
        const auto reads_old = [&](ExpressionId id) { return id != use && tree.is_within(id, above); };
        return std::all_of(after.begin(), after.end(),
                           [&](ExpressionId id) { return !reads_old(id) || is_combined(context, tree, id); }) &&
               context.source.statements[tree.statement_of(use)].parent == context.source.statements[loop].parent;
    }
    return true;
}

bool is_barrier(const Context& context, StatementId id) {
    const auto& statement = context.source.statements[id];
    return statement.kind == cuda_source::StatementKind::expression && context.source.expressions[statement.expression].name == "__syncthreads";
}

// Between the loop and the nearest statement before (after) it that touches the base stands a barrier of the block.
bool is_fenced(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop, VariableId base) {
    const auto& siblings = context.source.statements[context.source.statements[loop.statement].parent].children;
    const auto place = std::find(siblings.begin(), siblings.end(), loop.statement);
    if (place == siblings.end()) return false;
    const auto touches = [&](StatementId id) {
        const auto& accesses = context.kernels[kernel].facts.accesses;
        return std::any_of(accesses.begin(), accesses.end(),
                           [&](const Access& access) { return access.base == base && tree.is_inside(access.statement, id); });
    };
    const auto ends = [&](StatementId id) { return is_barrier(context, id) || touches(id); };
    const auto after = std::find_if(place + 1, siblings.end(), ends);
    const auto before = std::find_if(std::make_reverse_iterator(place), siblings.rend(), ends);
    return (after == siblings.end() || is_barrier(context, *after)) && (before == siblings.rend() || is_barrier(context, *before));
}

// An atomic on an element that does not depend on the lane that executes it, in a loop between barriers.
bool is_free_atomic(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop, const Access& access) {
    if (!access.atomic || access.base == none || !is_fenced(context, kernel, tree, loop, access.base)) return false;
    return std::none_of(tree.expressions().begin(), tree.expressions().end(), [&](ExpressionId id) {
        const auto& node = context.source.expressions[id];
        return node.kind == ExpressionKind::builtin_index && node.builtin == BuiltinIndex::thread_idx && tree.is_within(id, access.expression);
    });
}

}  // namespace

Distribution distribution_of(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop) {
    if (loop.comparison != "<" || loop.first == none) return Distribution::other;
    if (context.source.expressions[loop.first].constant == 0 && loop.step == 1) return Distribution::sequential;
    // What a device function's callers do with the lanes' results is not looked into.
    const bool is_kernel = context.kernels[kernel].is_launched();
    return is_kernel && is_distributed(context, kernel, tree, loop) ? Distribution::distributed : Distribution::other;
}

bool may_be_redistributed(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop) {
    if (!has_independent_iterations(context, kernel, tree, loop)) return false;
    const auto accumulators = accumulators_of(context, tree, loop.statement);
    if (!accumulators) return false;
    for (const Accumulator& accumulator : *accumulators) {
        if (!is_combined_after(context, tree, accumulator.variable, loop.statement)) return false;
    }
    const auto& accesses = context.kernels[kernel].facts.accesses;
    for (const Access& inside : accesses) {
        if (!tree.is_inside(inside.statement, loop.statement) || !is_global(context, inside)) continue;
        if (is_free_atomic(context, kernel, tree, loop, inside)) continue;
        for (const Access& outside : accesses) {
            if (tree.is_inside(outside.statement, loop.statement) || !is_global(context, outside)) continue;
            if ((inside.writes || outside.writes) && may_share_buffer(context, kernel, inside, outside)) return false;
        }
    }
    return true;
}

}  // namespace optiml::transforms
