#pragma once
// Pairs of accesses as systems: what the questions of Dependence are made of.

#include <optional>
#include <string>
#include <vector>

#include "cuda_source/instance.h"

namespace optiml::cuda_source {

class Dependence::Model {
public:
    Model(const SourceFile& source, const KernelFacts& facts, const LaunchShape& shape) : kernel(source, facts, shape) {}

    using Strides = std::vector<std::vector<Symbol>>;
    // The strides of the indices, each dividing the next; empty if they have no such form.
    Strides strides_of(const std::vector<const Access*>& accesses) const;
    bool is_affine(const Access& access) const;

    // The index as one affine text (no strides) or one for each stride; nullopt where one is not affine.
    std::optional<std::vector<std::string>> locate(const Strides& strides, Instance& instance) const;
    // In all solutions of the system each inner coordinate stays below the next stride, so that equal indices are equal
    // coordinates.
    bool stays_inside(const System& system, const Strides& strides, const std::vector<std::string>& coordinates,
                      Instance& instance);

    struct Pair {
        System system;
        std::optional<Instance> a;
        std::optional<Instance> b;
        bool located = false;  // false: the indices are beyond us
    };
    // Two reaches that touch a common element.
    Pair overlap(const Access& a, const Access& b);
    // yes: the system has no solution; no: it has one that the program reaches.
    Answer is_impossible(const Pair& pair);

    // The first's index varies with a loop that the second is not in.
    bool depends_on_unshared_loop(const Access& a, const Access& b) const;

    KernelModel kernel;
    Presburger solver;

private:
    void add_thread_strides(Pair& pair) const;
};

std::string all_equal(const std::vector<std::string>& a, const std::vector<std::string>& b);

}  // namespace optiml::cuda_source
