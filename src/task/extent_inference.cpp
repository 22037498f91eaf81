#include "task/extent_inference.h"

#include <algorithm>

namespace optiml::task {
namespace {

using cuda_source::Access;
using cuda_source::BuiltinIndex;
using cuda_source::ExpressionKind;
using cuda_source::Polynomial;
using cuda_source::Symbol;

constexpr std::uint32_t kFirstGuardSymbol = 0x80000000u;  // beyond all variables of a source

Symbol guard_symbol(std::size_t number) { return Symbol::of_variable(kFirstGuardSymbol + static_cast<std::uint32_t>(number)); }

Polynomial substituted(const Polynomial& polynomial, const Symbol& symbol, const Polynomial& value) {
    const auto coefficient = polynomial.coefficient_of(symbol);
    return coefficient ? polynomial.without(symbol) + *coefficient * value : polynomial;
}

bool all_terms(const Polynomial& polynomial, auto condition) {
    return std::all_of(polynomial.terms.begin(), polynomial.terms.end(), [&](const auto& term) { return condition(term.second); });
}

bool has_builtins(const Polynomial& polynomial) {
    for (const auto& [symbols, coefficient] : polynomial.terms) {
        for (const Symbol& symbol : symbols) {
            if (symbol.kind == Symbol::Kind::builtin) return true;
        }
    }
    return false;
}

bool is_over_parameters(const cuda_source::SourceFile& source, const Polynomial& polynomial) {
    for (const auto& [symbols, coefficient] : polynomial.terms) {
        for (const Symbol& symbol : symbols) {
            const bool is_parameter = symbol.kind == Symbol::Kind::variable && symbol.variable < kFirstGuardSymbol &&
                                      source.variables[symbol.variable].storage == cuda_source::Storage::parameter;
            if (!is_parameter) return false;
        }
    }
    return true;
}

// blockIdx.a * blockDim.a + threadIdx.a, whatever the axis.
std::optional<std::uint8_t> axis_of(const Polynomial& index) {
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const Polynomial expected = Polynomial(Symbol::of_builtin(BuiltinIndex::block_idx, axis)) *
                                        Polynomial(Symbol::of_builtin(BuiltinIndex::block_dim, axis)) +
                                    Polynomial(Symbol::of_builtin(BuiltinIndex::thread_idx, axis));
        if (index == expected) return axis;
    }
    return std::nullopt;
}

}  // namespace

ExtentInference::ExtentInference(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel)
    : source_(source), kernel_(kernel), facts_(cuda_source::analyze(source, kernel)) {
    add_guards();
    add_loops();
}

void ExtentInference::add_guards() {
    for (const cuda_source::BoundsGuard& guard : cuda_source::bounds_guards(source_, kernel_)) {
        if (guard.is_lower) continue;
        GuardedIndex guarded;
        guarded.index = cuda_source::polynomial_of(source_, kernel_, guard.index_expression);
        guarded.bound = cuda_source::polynomial_of(source_, kernel_, guard.bound) + Polynomial(guard.inclusive ? 1 : 0);
        const auto axis = axis_of(guarded.index);
        if (!axis || !is_over_parameters(source_, guarded.bound)) continue;
        guarded.axis = *axis;
        variables_.push_back({guard_symbol(guards_.size()), Polynomial(0), guarded.bound - Polynomial(1)});
        guards_.push_back(std::move(guarded));
    }
}

void ExtentInference::add_loops() {
    for (const cuda_source::CanonicalLoop& loop : facts_.loops) {
        const bool rises = (loop.comparison == "<" || loop.comparison == "<=") && loop.step.value_or(0) > 0;
        if (!rises) continue;
        const Polynomial bound = cuda_source::polynomial_of(source_, kernel_, loop.bound);
        variables_.push_back({Symbol::of_variable(loop.variable), cuda_source::polynomial_of(source_, kernel_, loop.first),
                              loop.comparison == "<" ? bound - Polynomial(1) : bound});
    }
}

std::optional<Polynomial> ExtentInference::largest(Polynomial value) const {
    for (std::size_t g = 0; g < guards_.size(); ++g) {
        // threadIdx = guarded index - the rest of it
        const Symbol thread = Symbol::of_builtin(BuiltinIndex::thread_idx, guards_[g].axis);
        value = substituted(value, thread, Polynomial(guard_symbol(g)) - guards_[g].index.without(thread));
    }
    if (!value.is_valid() || has_builtins(value)) return std::nullopt;
    // Inner loops first: their bounds may hold the variables of outer ones.
    for (auto variable = variables_.rbegin(); variable != variables_.rend(); ++variable) {
        if (!value.depends_on(variable->symbol)) continue;
        const auto coefficient = value.coefficient_of(variable->symbol);
        if (!coefficient) return std::nullopt;
        const bool rises = all_terms(*coefficient, [](std::int64_t c) { return c > 0; });
        const bool falls = all_terms(*coefficient, [](std::int64_t c) { return c < 0; });
        if (!rises && !falls) return std::nullopt;
        value = substituted(value, variable->symbol, rises ? variable->upper : variable->lower);
    }
    if (!value.is_valid() || !is_over_parameters(source_, value)) return std::nullopt;
    return value;
}

// x[j] where it is known that j < bound.
std::optional<Polynomial> ExtentInference::bound_by_condition(const Access& access) const {
    for (std::size_t i = 0; i < access.conditions.size(); ++i) {
        const cuda_source::Expression& condition = source_.expressions[access.conditions[i]];
        if (condition.kind != ExpressionKind::binary) continue;
        const std::string& op = condition.op;
        const bool below = access.negated[i] ? op == ">=" : op == "<";
        if (!below || cuda_source::polynomial_of(source_, kernel_, condition.children[0]) != access.index) continue;
        Polynomial bound = cuda_source::polynomial_of(source_, kernel_, condition.children[1]);
        if (is_over_parameters(source_, bound)) return bound;
    }
    return std::nullopt;
}

std::optional<Polynomial> ExtentInference::extent_of(const Access& access) const {
    if (!access.index_known) return std::nullopt;
    if (const auto bound = bound_by_condition(access)) return bound;
    const auto last = largest(access.index);
    if (!last) return std::nullopt;
    return *last + Polynomial(access.elements);
}

std::optional<Polynomial> ExtentInference::larger(const Polynomial& a, const Polynomial& b) {
    if (all_terms(a - b, [](std::int64_t c) { return c >= 0; })) return a;
    if (all_terms(b - a, [](std::int64_t c) { return c >= 0; })) return b;
    return std::nullopt;
}

}  // namespace optiml::task
