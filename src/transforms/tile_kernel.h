#pragma once
// Kernels with one thread an element of a plane, as the starting point of rewrites that give a block a tile of the plane.

#include <optional>
#include <string>
#include <vector>

#include "transforms/rewrite.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {

// Two guarded indices, x and y, declared by the kernel's first statements; behind their bounds the statements of an element.
struct TileKernel {
    ThreadIndex x;
    ThreadIndex y;
    ThreadMapping mapping;
    std::vector<cuda_source::StatementId> before;      // top-level declarations that use neither index: they stay in front
    std::vector<cuda_source::StatementId> statements;  // of one element; at least one
    cuda_source::StatementId body = cuda_source::none; // the block that holds them and nothing else, if there is one
};

// nullopt unless threads are independent, guards hold nothing but the two bounds, and everything between the indices and the statements
// can stay in front of a loop over several elements.
std::optional<TileKernel> tile_kernel(const Context& context, std::size_t kernel, const KernelTree& tree);

struct TileShape {
    std::int64_t columns = 0;  // of a block's tile, along x
    std::int64_t rows = 0;
    std::int64_t block_x = 0;  // threads
    std::int64_t block_y = 0;
};

// The plan with one block a tile; nullopt where the grid would be larger than devices start.
std::optional<task::LaunchPlan> plan_of_tiles(const Context& context, std::size_t kernel, const TileKernel& tiles, const TileShape& shape);

// "row < rows && col < cols", in the order y, x.
std::string bounds_text(const Context& context, const TileKernel& tiles);

// "const int row = value;" with the index's own type and name.
std::string declaration_text(const Context& context, const ThreadIndex& index, const std::string& value);

// Puts text in the place of everything from the first index's or guard's statement to the end, behind the declarations that stay.
void replace_tile_kernel(SourceEdit& edit, const Context& context, const KernelTree& tree, const TileKernel& tiles, const std::string& text);

}  // namespace optiml::transforms
