#pragma once
// Upper ends of a kernel's indices, as polynomials over its parameters.

#include <optional>
#include <vector>

#include "cuda_source/analysis.h"

namespace optiml::task {

// A range of values: 0 (or lower) to upper, both included.
struct BoundedVariable {
    cuda_source::Symbol symbol;
    cuda_source::Polynomial lower;
    cuda_source::Polynomial upper;
};

// A guarded thread index: `index` (over built-in variables) lies in 0 .. bound - 1; axis of the threads that it counts.
struct GuardedIndex {
    cuda_source::Polynomial index;
    cuda_source::Polynomial bound;
    std::uint8_t axis = 0;
};

class ExtentInference {
public:
    ExtentInference(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel);

    const std::vector<GuardedIndex>& guards() const { return guards_; }
    // One more than the largest value over all threads that pass the guards; nullopt: unknown.
    std::optional<cuda_source::Polynomial> extent_of(const cuda_source::Access& access) const;
    // The larger of two extents, where one is larger whatever the parameters (which are not negative).
    static std::optional<cuda_source::Polynomial> larger(const cuda_source::Polynomial& a, const cuda_source::Polynomial& b);

private:
    void add_guards();
    void add_loops();
    std::optional<cuda_source::Polynomial> largest(cuda_source::Polynomial value) const;
    std::optional<cuda_source::Polynomial> bound_by_condition(const cuda_source::Access& access) const;

    const cuda_source::SourceFile& source_;
    cuda_source::FunctionId kernel_;
    cuda_source::KernelFacts facts_;
    std::vector<GuardedIndex> guards_;
    std::vector<BoundedVariable> variables_;  // innermost loops last; guarded indices first
};

}  // namespace optiml::task
