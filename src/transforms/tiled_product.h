#pragma once
// Kernels in which every element of a plane folds over a loop what a row of one operand and a column of another give (matrix products
// and their like): what a rewrite that stages the operands in shared memory needs to know.

#include <optional>
#include <string>
#include <vector>

#include "transforms/accumulator.h"
#include "transforms/tile_kernel.h"

namespace optiml::transforms {

// A load in the loop whose place depends on the loop's counter and on one of the two indices.
struct OperandLoad {
    cuda_source::ExpressionId expression = cuda_source::none;
    cuda_source::VariableId base = cuda_source::none;
    const cuda_source::Type* type = nullptr;
    bool follows_rows = false;        // the index y; otherwise x
    bool counter_is_contiguous = false;
};

struct TiledProduct {
    TileKernel tiles;
    const cuda_source::CanonicalLoop* loop = nullptr;
    std::vector<Accumulator> accumulators;             // declared before the loop, in order
    std::vector<OperandLoad> loads;                    // different expressions; equal texts share one
    std::vector<cuda_source::StatementId> epilogue;    // the statements after the loop
    // Zeros beyond the loop's bound change nothing: every update adds a product of loads.
    bool zeros_are_neutral = false;
};

std::optional<TiledProduct> tiled_product(const Context& context, std::size_t kernel, const KernelTree& tree);

}  // namespace optiml::transforms
