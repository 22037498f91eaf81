#pragma once
// How a kernel's threads find their element: `int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;`

#include <cstdint>
#include <optional>
#include <vector>

#include "cuda_source/analysis.h"
#include "transforms/kernel_tree.h"

namespace optiml::transforms {

// A variable that numbers the threads of the whole grid along one axis.
struct ThreadIndex {
    std::uint8_t axis = 0;
    cuda_source::VariableId variable = cuda_source::none;
    cuda_source::StatementId declaration = cuda_source::none;
    cuda_source::ExpressionId value = cuda_source::none;  // its initialiser
    // Every use of the axis's threadIdx, blockIdx, blockDim and gridDim is inside `value` (or a local that only feeds it).
    bool is_only_use = false;
    cuda_source::ExpressionId bound = cuda_source::none;       // index < bound holds where the thread takes part; none: unguarded
    cuda_source::ExpressionId comparison = cuda_source::none;  // the comparison that says so
    std::size_t guard = 0;                                     // index into ThreadMapping::guards, where there is a bound
};

// if (i >= n || j >= m) return;   or, with nothing after it,   if (i < n && j < m) { ... }
struct Guard {
    cuda_source::StatementId statement = cuda_source::none;
    bool returns = false;
    bool only_bounds = false;  // every operand of the && or || compares a thread index with its bound
};

struct ThreadMapping {
    std::vector<ThreadIndex> indices;  // at most one an axis
    std::vector<Guard> guards;         // in program order

    const ThreadIndex* along(std::uint8_t axis) const;
    const ThreadIndex* of(cuda_source::VariableId variable) const;
};

ThreadMapping thread_mapping(const KernelTree& tree);

// blockIdx.a * blockDim.a + threadIdx.a
cuda_source::Polynomial flat_index(std::uint8_t axis);
// gridDim.a * blockDim.a
cuda_source::Polynomial grid_extent(std::uint8_t axis);
cuda_source::Symbol builtin_symbol(cuda_source::BuiltinIndex builtin, std::uint8_t axis);

// The statements that a participating thread executes after the last guard: what stands inside the `if`, or after the `return`.
std::vector<cuda_source::StatementId> guarded_statements(const KernelTree& tree, const ThreadMapping& mapping);

// for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x): the axis, if the loop is one.
std::optional<std::uint8_t> grid_stride_axis(const KernelTree& tree, const cuda_source::CanonicalLoop& loop);

}  // namespace optiml::transforms
