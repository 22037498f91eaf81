#include "transforms/loop_independence.h"

#include <algorithm>

#include "cuda_source/dependence.h"
#include "transforms/aliasing.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::CanonicalLoop;
using cuda_source::ExpressionId;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::Storage;
using cuda_source::Symbol;

Symbol counter_of(const CanonicalLoop& loop) { return {.kind = Symbol::Kind::variable, .variable = loop.variable}; }

// Parameters that are at least 1 where a thread is at work or the loop's body runs: i < n with i >= 0.
bool is_positive(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop, const Symbol& symbol) {
    if (symbol.kind != Symbol::Kind::variable) return false;
    const auto is_symbol = [&](ExpressionId bound) {
        if (bound == none) return false;
        const Polynomial value = cuda_source::polynomial_of(context.source, context.kernels[kernel].function, bound);
        return value.terms.size() == 1 && value.terms.begin()->second > 0 && value.terms.begin()->first == std::vector<Symbol>{symbol};
    };
    const ThreadMapping mapping = thread_mapping(tree);
    return (loop.comparison == "<" && context.source.expressions[loop.first].constant.value_or(-1) >= 0 && is_symbol(loop.bound)) ||
           std::any_of(mapping.indices.begin(), mapping.indices.end(), [&](const ThreadIndex& index) { return is_symbol(index.bound); });
}

// The index moves by the same amount, not zero, from one iteration to the next.
bool moves_with(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop, const Polynomial& index) {
    const auto stride = index.coefficient_of(counter_of(loop));
    if (!stride || stride->terms.size() != 1) return false;
    const auto& symbols = stride->terms.begin()->first;
    return std::all_of(symbols.begin(), symbols.end(), [&](const Symbol& symbol) { return is_positive(context, kernel, tree, loop, symbol); });
}

// Besides the loop's counter the index holds nothing that changes within the loop.
bool varies_with_counter_alone(const KernelTree& tree, const CanonicalLoop& loop, const Polynomial& index) {
    for (const auto& [symbols, coefficient] : index.terms) {
        for (const Symbol& symbol : symbols) {
            if (symbol == counter_of(loop)) continue;
            if (symbol.kind == Symbol::Kind::opaque && tree.holds(loop.statement, symbol.expression)) return false;
            if (symbol.kind != Symbol::Kind::variable) continue;
            const auto declaration = tree.declaration_of(symbol.variable);
            if (declaration != none && tree.is_inside(declaration, loop.statement)) return false;
            for (const ExpressionId use : tree.uses_of(symbol.variable, loop.statement)) {
                if (tree.is_write(use)) return false;
            }
        }
    }
    return true;
}

}  // namespace

bool is_global(const Context& context, const Access& access) {
    if (access.base == none) return true;
    const Storage storage = context.source.variables[access.base].storage;
    const auto kind = context.source.types[context.source.variables[access.base].type].kind;
    const bool is_private = (storage == Storage::local || storage == Storage::template_value) && kind != cuda_source::TypeKind::pointer;
    return !is_private;
}

bool may_share_buffer(const Context& context, std::size_t kernel, const Access& a, const Access& b) {
    if (a.base == none || b.base == none || a.base == b.base) return true;
    const auto is_parameter = [&](const Access& access) { return parameter_position(context, kernel, access.base).has_value(); };
    const auto is_array = [&](const Access& access) {
        return context.source.types[context.source.variables[access.base].type].kind == cuda_source::TypeKind::array;
    };
    // Arrays of the source are neither each other nor a buffer of the plan.
    if (is_array(a) || is_array(b)) return !(is_array(a) || is_parameter(a)) || !(is_array(b) || is_parameter(b));
    return !is_parameter(a) || !is_parameter(b) || !are_distinct_buffers(context, kernel, a.base, b.base);
}

bool has_independent_iterations(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop) {
    const auto& facts = context.kernels[kernel].facts;
    // Private arrays are left to accumulators_of().
    cuda_source::KernelFacts global = facts;
    std::erase_if(global.accesses, [&](const Access& access) { return !is_global(context, access); });
    const auto is_inside = [&](const Access& access) { return tree.is_inside(access.statement, loop.statement); };
    const auto is_written_inside = [&](const Access& access) { return is_inside(access) && access.writes && !access.atomic; };
    if (std::none_of(global.accesses.begin(), global.accesses.end(), is_written_inside)) return true;
    // Accesses of one parameter are isl's matter, those of different parameters the plan's.
    for (const Access& write : global.accesses) {
        if (!is_written_inside(write)) continue;
        for (const Access& other : global.accesses) {
            if (is_inside(other) && write.base != other.base && may_share_buffer(context, kernel, write, other)) return false;
        }
    }
    cuda_source::LaunchShape shape;
    if (const auto block = constant_block(context, kernel)) shape.block = *block;
    cuda_source::Dependence dependence(context.source, global, shape);
    return dependence.is_parallel(loop.statement) == cuda_source::Answer::yes;
}

bool is_same_element(const Context& context, std::size_t kernel, const Access& a, const CanonicalLoop& loop_of_a, const Access& b,
                     const CanonicalLoop& loop_of_b) {
    const KernelTree tree(context.source, context.kernels[kernel].function);
    const auto value = [&](ExpressionId id) { return cuda_source::polynomial_of(context.source, context.kernels[kernel].function, id); };
    const bool same_counter = value(loop_of_a.first) == value(loop_of_b.first) && loop_of_a.step == loop_of_b.step && loop_of_a.step;
    if (!same_counter || a.base != b.base || !a.index_known || !b.index_known || a.elements != 1 || b.elements != 1) return false;
    if (!moves_with(context, kernel, tree, loop_of_a, a.index)) return false;
    if (!varies_with_counter_alone(tree, loop_of_a, a.index) || !varies_with_counter_alone(tree, loop_of_b, b.index)) {
        return false;
    }
    const auto stride_of_a = a.index.coefficient_of(counter_of(loop_of_a));
    const auto stride_of_b = b.index.coefficient_of(counter_of(loop_of_b));
    return stride_of_a && stride_of_b && *stride_of_a == *stride_of_b &&
           a.index.without(counter_of(loop_of_a)) == b.index.without(counter_of(loop_of_b));
}

}  // namespace optiml::transforms
