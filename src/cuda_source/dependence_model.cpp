#include "cuda_source/dependence_model.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::cuda_source {

std::string all_equal(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::string text = "1 = 1";
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) text += fmt::format(" and {} = {}", a[i], b[i]);
    return text;
}

bool Dependence::Model::is_affine(const Access& access) const {
    System scratch;
    return Instance(kernel, scratch, access, "1").affine(access.index).has_value();
}

Dependence::Model::Strides Dependence::Model::strides_of(const std::vector<const Access*>& accesses) const {
    Strides strides;
    for (const Access* access : accesses) {
        for (const Coordinate& coordinate : kernel.coordinates(kernel.reduced(access->index))) {
            if (std::find(strides.begin(), strides.end(), coordinate.stride) == strides.end()) strides.push_back(coordinate.stride);
        }
        // Several elements at once: only single ones can be told apart.
        if (access->elements > 1 && std::find(strides.begin(), strides.end(), std::vector<Symbol>{}) == strides.end()) {
            strides.emplace_back();
        }
    }
    std::sort(strides.begin(), strides.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (std::size_t i = 0; i + 1 < strides.size(); ++i) {
        if (!quotient(strides[i + 1], strides[i])) return {};
    }
    return strides;
}

std::optional<std::vector<std::string>> Dependence::Model::locate(const Strides& strides, Instance& instance) const {
    std::vector<std::string> texts;
    if (strides.empty()) {
        const auto text = instance.affine(instance.access().index);
        return text ? std::optional(std::vector{*text}) : std::nullopt;
    }
    const std::vector<Coordinate> own = kernel.coordinates(kernel.reduced(instance.access().index));
    for (const std::vector<Symbol>& stride : strides) {
        const auto found =
            std::find_if(own.begin(), own.end(), [&](const Coordinate& coordinate) { return coordinate.stride == stride; });
        const auto text = instance.affine(found == own.end() ? Polynomial() : found->value);
        if (!text) return std::nullopt;
        texts.push_back(*text);
    }
    return texts;
}

bool Dependence::Model::stays_inside(const System& system, const Strides& strides, const std::vector<std::string>& coordinates,
                                     Instance& instance) {
    for (std::size_t i = 0; i + 1 < strides.size(); ++i) {
        const auto extent = instance.affine(product_of(*quotient(strides[i + 1], strides[i])));
        if (!extent) return false;
        System outside = system;
        const std::uint32_t width = strides[i].empty() ? instance.access().elements : 1;
        outside.add(fmt::format("{0} < 0 or {0} + {1} > {2}", coordinates[i], width, *extent));
        if (solver.decide(outside) != Verdict::empty) return false;
    }
    return true;
}

Dependence::Model::Pair Dependence::Model::overlap(const Access& a, const Access& b) {
    Pair pair;
    if (!a.index_known || !b.index_known) return pair;
    Strides strides;
    if (!is_affine(a) || !is_affine(b)) {
        strides = strides_of({&a, &b});
        if (strides.empty()) return pair;
    }
    pair.a.emplace(kernel, pair.system, a, "1");
    pair.b.emplace(kernel, pair.system, b, "2");
    const auto left = locate(strides, *pair.a);
    const auto right = locate(strides, *pair.b);
    if (!left || !right) return pair;
    add_thread_strides(pair);
    if (!stays_inside(pair.system, strides, *left, *pair.a) || !stays_inside(pair.system, strides, *right, *pair.b)) return pair;
    for (std::size_t i = 0; i < left->size(); ++i) {
        const std::string& x = (*left)[i];
        const std::string& y = (*right)[i];
        const bool counts_elements = strides.empty() || strides[i].empty();
        pair.system.add(counts_elements ? fmt::format("{0} < {1} + {2} and {1} < {0} + {3}", x, y, b.elements, a.elements)
                                        : fmt::format("{} = {}", x, y));
    }
    pair.located = true;
    return pair;
}

void Dependence::Model::add_thread_strides(Pair& pair) const {
    for (const Instance::ThreadStride& a : pair.a->thread_strides()) {
        for (const Instance::ThreadStride& b : pair.b->thread_strides()) {
            if (a.offset != b.offset || a.step != b.step || a.owners.size() != b.owners.size()) continue;
            pair.system.add(fmt::format("{} != {} or ({})", a.variable, b.variable, all_equal(a.owners, b.owners)));
        }
    }
    // blockIdx*blockDim + threadIdx with an unknown blockDim: equal sums are equal threads.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (kernel.shape.block[axis] > 0) continue;
        const std::string global = axis == 0 ? "gx" : axis == 1 ? "gy" : "gz";
        const std::string same =
            fmt::format("{} = {} and {} = {}", pair.a->thread_coordinates()[axis], pair.b->thread_coordinates()[axis],
                        pair.a->block_coordinates()[axis], pair.b->block_coordinates()[axis]);
        pair.system.add(fmt::format("({0}1 = {0}2 and {1}) or ({0}1 != {0}2 and not ({1}))", global, same));
    }
}

bool Dependence::Model::depends_on_unshared_loop(const Access& a, const Access& b) const {
    return std::any_of(a.loops.begin(), a.loops.end(), [&](StatementId loop) {
        if (std::find(b.loops.begin(), b.loops.end(), loop) != b.loops.end()) return false;
        const VariableId variable = kernel.loop_variable(loop);
        return variable != none && kernel.values.depends_deeply_on(a.index, Symbol::of_variable(variable));
    });
}

Answer Dependence::Model::is_impossible(const Pair& pair) {
    const Verdict verdict = solver.decide(pair.system);
    if (verdict == Verdict::empty) return Answer::yes;
    const bool is_exact = pair.a->is_exact() && pair.b->is_exact();
    return verdict == Verdict::inhabited && is_exact ? Answer::no : Answer::unknown;
}

}  // namespace optiml::cuda_source
