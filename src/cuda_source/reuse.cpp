// Strides between lanes, footprints, and what loops carry from iteration to iteration.
#include <algorithm>

#include <fmt/format.h>

#include "cuda_source/dependence_model.h"

namespace optiml::cuda_source {
namespace {

// How polynomials grow from one lane to the next, for equal iteration numbers.
class Growth {
public:
    explicit Growth(const KernelModel& kernel) : kernel_(kernel) {}

    // loops: those around the place of the polynomial. nullopt where it is not linear in the lane or an opaque part changes with
    // it.
    std::optional<Polynomial> of(const Polynomial& polynomial, const std::vector<StatementId>& loops) const {
        Polynomial result;
        for (const auto& [product, coefficient] : polynomial.terms) {
            Polynomial term;
            for (std::size_t i = 0; i < product.size(); ++i) {
                const auto growth = of_symbol(product[i], loops);
                if (!growth) return std::nullopt;
                if (growth->terms.empty()) continue;
                if (!term.terms.empty()) return std::nullopt;  // two factors grow
                std::vector<Symbol> others = product;
                others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
                term = *growth * product_of(others) * Polynomial(coefficient);
            }
            result = result + term;
        }
        return result;
    }

private:
    std::optional<Polynomial> of_symbol(const Symbol& symbol, const std::vector<StatementId>& loops) const {
        if (symbol == KernelModel::thread(0) || symbol == KernelModel::global_index(0)) return Polynomial(1);
        if (symbol.kind == Symbol::Kind::builtin || kernel_.is_parameter(symbol)) return Polynomial();
        if (symbol.kind == Symbol::Kind::opaque) {
            const Expression& node = kernel_.source.expressions[symbol.expression];
            for (const ExpressionId child : node.children) {
                auto growth = of(kernel_.reduced(kernel_.values.polynomial(child)), loops);
                if (!growth || !growth->terms.empty()) return std::nullopt;
            }
            return Polynomial();
        }
        for (std::size_t i = 0; i < loops.size(); ++i) {
            if (kernel_.loop_variable(loops[i]) != symbol.variable) continue;
            const CanonicalLoop* counting = kernel_.facts.loop_at(loops[i]);
            const GeometricLoop* geometric = kernel_.geometric_loop_at(loops[i]);
            const ExpressionId first = counting != nullptr ? counting->first : geometric->first;
            const std::vector<StatementId> outer(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(i));
            auto growth = of(kernel_.reduced(kernel_.values.polynomial(first)), outer);
            if (counting == nullptr && growth && !growth->terms.empty()) return std::nullopt;
            return growth;
        }
        return std::nullopt;  // a local whose value we do not know
    }

    const KernelModel& kernel_;
};

}  // namespace

std::optional<Polynomial> Dependence::lane_stride(const Access& access) {
    if (!access.index_known) return std::nullopt;
    const KernelModel& kernel = model_->kernel;
    const Polynomial index = kernel.reduced(access.index);
    if (const auto stride = Growth(kernel).of(index, access.loops)) return stride;

    // Quotients and masks of the lane: the difference of two neighbours, coordinate by coordinate.
    System system;
    Instance left(kernel, system, access, "1");
    Instance right(kernel, system, access, "2");
    system.add(all_equal(left.block_coordinates(), right.block_coordinates()));
    const std::vector<std::string>& a = left.thread_coordinates();
    const std::vector<std::string>& b = right.thread_coordinates();
    system.add(fmt::format("{} = {} + 1 and {} = {} and {} = {}", b[0], a[0], b[1], a[1], b[2], a[2]));
    if (kernel.shape.block[0] > 0 && kernel.shape.block[1] > 0) {
        const std::string number =
            fmt::format("({} + {} * ({} + {} * {}))", a[0], kernel.shape.block[0], a[1], kernel.shape.block[1], a[2]);
        system.add(fmt::format("{0} - 32 * floor({0}/32) <= 30", number));  // not the last lane of its warp
    }
    for (const StatementId id : access.loops) {
        const auto from = left.loop_variable(id);
        const auto to = right.loop_variable(id);
        if (!from || !to) continue;
        const CanonicalLoop* loop = kernel.facts.loop_at(id);
        const Polynomial first = loop != nullptr ? kernel.values.polynomial(loop->first) : Polynomial();
        const auto left_first = left.affine(first);
        const auto right_first = right.affine(first);
        if (left_first && right_first) system.add(fmt::format("{} - {} = {} - {}", *from, *left_first, *to, *right_first));
    }
    Polynomial stride;
    for (const Coordinate& coordinate : kernel.coordinates(index)) {
        const auto from = left.affine(coordinate.value);
        const auto to = right.affine(coordinate.value);
        if (!from || !to) return std::nullopt;
        const auto difference = model_->solver.fixed_value(system, fmt::format("{} - {}", *to, *from));
        if (!difference) return std::nullopt;
        stride = stride + Polynomial(*difference) * product_of(coordinate.stride);
    }
    return stride;
}

std::optional<std::int64_t> Dependence::footprint(const Access& access, Scope scope) {
    if (!access.index_known) return std::nullopt;
    LaunchShape shape = model_->kernel.shape;
    for (std::int64_t& extent : shape.grid) extent = std::max<std::int64_t>(extent, 1);
    const KernelModel kernel(model_->kernel.source, model_->kernel.facts, shape);
    System system;
    Instance instance(kernel, system, access, "1");
    const auto index = instance.affine(access.index);
    if (!index || !instance.is_exact()) return std::nullopt;
    for (const std::string& coordinate : instance.block_coordinates()) system.add(coordinate + " = 0");
    if (scope == Scope::thread) {
        for (const std::string& coordinate : instance.thread_coordinates()) system.add(coordinate + " = 0");
    }
    system.variables.emplace_back("element");
    system.add(fmt::format("0 <= element < {}", access.elements));
    return model_->solver.count(system, {fmt::format("{} + element", *index)});
}

std::vector<VariableId> carried_variables(const SourceFile& source, const KernelFacts& facts, StatementId loop) {
    std::vector<VariableId> carried;
    const Values values(source, facts.function);
    std::vector<VariableId> declared_inside;
    for (const StatementId id : statements_below(source, loop)) {
        const std::vector<VariableId>& variables = source.statements[id].variables;
        declared_inside.insert(declared_inside.end(), variables.begin(), variables.end());
    }
    const CanonicalLoop* counting = facts.loop_at(loop);
    for (VariableId id = 0; id < source.variables.size(); ++id) {
        const Variable& variable = source.variables[id];
        const bool is_private = variable.storage == Storage::local || variable.storage == Storage::parameter;
        const bool is_array = variable.type != none && source.types[variable.type].kind == TypeKind::array;
        if (!is_private || is_array || variable.function != facts.function) continue;
        if (counting != nullptr && counting->variable == id) continue;
        if (std::find(declared_inside.begin(), declared_inside.end(), id) != declared_inside.end()) continue;
        if (values.is_written_in(id, loop)) carried.push_back(id);
    }
    return carried;
}

}  // namespace optiml::cuda_source
