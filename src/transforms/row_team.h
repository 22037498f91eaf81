#pragma once
// A kernel in which one thread walks a row with loops, seen as one that a team of lanes could execute: which loops the lanes can share,
// which statements one lane must execute alone, and where the lanes must wait for each other.

#include <optional>
#include <vector>

#include "transforms/accumulator.h"
#include "transforms/element_body.h"

namespace optiml::transforms {

struct SharedLoop {
    const cuda_source::CanonicalLoop* loop = nullptr;
    std::vector<Accumulator> accumulators;
};

struct RowKernel {
    ElementBody body;
    std::vector<SharedLoop> loops;                           // their iterations go to the lanes in turn
    std::vector<cuda_source::StatementId> single;            // write memory outside those loops: for lane 0
    std::vector<cuda_source::StatementId> after_barrier;     // touch memory that other lanes touched before
};

// nullopt where no loop can be shared, or where the code between the loops is not the same for all lanes of a row.
std::optional<RowKernel> row_kernel(const Context& context, std::size_t kernel, const KernelTree& tree);

}  // namespace optiml::transforms
