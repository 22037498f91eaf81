#include <algorithm>

#include "cuda_source/instance.h"

namespace optiml::cuda_source {
namespace {

Polynomial with_value(const Polynomial& polynomial, const Symbol& symbol, std::int64_t value) {
    Polynomial result;
    for (const auto& [product, coefficient] : polynomial.terms) {
        Polynomial term(coefficient);
        for (const Symbol& factor : product) term = term * (factor == symbol ? Polynomial(value) : Polynomial(factor));
        result = result + term;
    }
    return result;
}

// Where every term with block * extent has its twin with the thread: both become the global index.
Polynomial with_global_index(const Polynomial& polynomial, std::uint8_t axis) {
    const Symbol block = KernelModel::block(axis);
    const Symbol thread = KernelModel::thread(axis);
    const Symbol extent = Symbol::of_builtin(BuiltinIndex::block_dim, axis);
    const auto of_thread = polynomial.coefficient_of(thread);
    const auto of_block = polynomial.coefficient_of(block);
    if (!of_thread || !of_block || of_thread->terms.empty()) return polynomial;
    if (*of_block != *of_thread * Polynomial(extent)) return polynomial;
    return polynomial.without(thread).without(block) + *of_thread * Polynomial(KernelModel::global_index(axis));
}

}  // namespace

KernelModel::KernelModel(const SourceFile& source_file, const KernelFacts& kernel_facts, const LaunchShape& launch_shape)
    : source(source_file), facts(kernel_facts), shape(launch_shape), values(source_file, kernel_facts.function) {}

// warpSize never occurs in polynomials (it is the number 32), so its kind is free to stand for the global index.
Symbol KernelModel::global_index(std::uint8_t axis) { return Symbol::of_builtin(BuiltinIndex::warp_size, axis); }

Polynomial KernelModel::reduced(const Polynomial& polynomial) const {
    Polynomial result = polynomial;
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        if (shape.block[axis] > 0) {
            result = with_value(result, Symbol::of_builtin(BuiltinIndex::block_dim, axis), shape.block[axis]);
        } else {
            result = with_global_index(result, axis);
        }
        if (shape.grid[axis] > 0) result = with_value(result, Symbol::of_builtin(BuiltinIndex::grid_dim, axis), shape.grid[axis]);
    }
    for (const auto& [variable, value] : shape.values) result = with_value(result, Symbol::of_variable(variable), value);
    return result;
}

bool KernelModel::is_parameter(const Symbol& symbol) const {
    switch (symbol.kind) {
        case Symbol::Kind::builtin:
            return symbol.builtin == BuiltinIndex::block_dim || symbol.builtin == BuiltinIndex::grid_dim;
        case Symbol::Kind::variable: {
            const Storage storage = source.variables[symbol.variable].storage;
            return storage == Storage::parameter || storage == Storage::template_value;
        }
        case Symbol::Kind::opaque:
            break;
    }
    if (symbol.expression == none || values.depends_on_data(Polynomial(symbol))) return false;
    const Expression& expression = source.expressions[symbol.expression];
    if (expression.kind == ExpressionKind::member) return true;  // of a parameter passed by value
    return std::all_of(expression.children.begin(), expression.children.end(), [&](ExpressionId child) {
        const Polynomial operand = values.polynomial(child);
        return operand != Polynomial(symbol) && depends_on_parameters_only(operand);
    });
}

bool KernelModel::depends_on_parameters_only(const Polynomial& polynomial) const {
    return std::all_of(polynomial.terms.begin(), polynomial.terms.end(), [&](const auto& term) {
        return std::all_of(term.first.begin(), term.first.end(), [&](const Symbol& symbol) { return is_parameter(symbol); });
    });
}

const GeometricLoop* KernelModel::geometric_loop_at(StatementId statement) const {
    const auto found = std::find_if(facts.geometric_loops.begin(), facts.geometric_loops.end(),
                                    [&](const GeometricLoop& loop) { return loop.statement == statement; });
    return found == facts.geometric_loops.end() ? nullptr : &*found;
}

VariableId KernelModel::loop_variable(StatementId loop) const {
    if (const CanonicalLoop* counting = facts.loop_at(loop)) return counting->variable;
    const GeometricLoop* geometric = geometric_loop_at(loop);
    return geometric != nullptr ? geometric->variable : none;
}

std::vector<Coordinate> KernelModel::coordinates(const Polynomial& index) const {
    std::map<std::vector<Symbol>, Polynomial> by_stride;
    for (const auto& [product, coefficient] : index.terms) {
        std::vector<Symbol> stride;
        Polynomial value(coefficient);
        for (const Symbol& symbol : product) {
            if (is_parameter(symbol)) {
                stride.push_back(symbol);
            } else {
                value = value * Polynomial(symbol);
            }
        }
        Polynomial& sum = by_stride[stride];
        sum = sum + value;
    }
    std::vector<Coordinate> result;
    for (auto& [stride, value] : by_stride) result.push_back({stride, value});
    std::sort(result.begin(), result.end(),
              [](const Coordinate& a, const Coordinate& b) { return a.stride.size() < b.stride.size(); });
    return result;
}

Polynomial product_of(const std::vector<Symbol>& symbols) {
    Polynomial result;
    result.terms[symbols] = 1;
    return result;
}

std::optional<std::vector<Symbol>> quotient(std::vector<Symbol> larger, const std::vector<Symbol>& smaller) {
    for (const Symbol& factor : smaller) {
        const auto place = std::find(larger.begin(), larger.end(), factor);
        if (place == larger.end()) return std::nullopt;
        larger.erase(place);
    }
    return larger;
}

}  // namespace optiml::cuda_source
