#include "transforms/catalogue.h"

#include "transforms/block_reduction.h"
#include "transforms/block_shape.h"
#include "transforms/grid_axes.h"
#include "transforms/grid_stride_loop.h"
#include "transforms/launch_bounds.h"
#include "transforms/launch_fusion.h"
#include "transforms/private_histogram.h"
#include "transforms/read_only_loads.h"
#include "transforms/register_tiling.h"
#include "transforms/shared_memory_tiling.h"
#include "transforms/shared_memory_transpose.h"
#include "transforms/shared_row_loop.h"
#include "transforms/thread_axis_swap.h"
#include "transforms/thread_coarsening.h"
#include "transforms/unroll.h"
#include "transforms/vectorized_access.h"

namespace optiml::transforms {
namespace {

std::vector<std::unique_ptr<Transformation>> make_catalogue() {
    std::vector<std::unique_ptr<Transformation>> all;
    all.push_back(make_block_shape());
    all.push_back(make_thread_coarsening());
    all.push_back(make_grid_stride_loop());
    all.push_back(make_grid_axes());
    all.push_back(make_vectorized_access());
    all.push_back(make_unroll());
    all.push_back(make_read_only_loads());
    all.push_back(make_launch_bounds());
    all.push_back(make_thread_axis_swap());
    all.push_back(make_shared_row_loop());
    all.push_back(make_block_reduction());
    all.push_back(make_private_histogram());
    all.push_back(make_register_tiling());
    all.push_back(make_shared_memory_tiling());
    all.push_back(make_shared_memory_transpose());
    all.push_back(make_launch_fusion());
    return all;
}

}  // namespace

const std::vector<std::unique_ptr<Transformation>>& catalogue() {
    static const std::vector<std::unique_ptr<Transformation>> all = make_catalogue();
    return all;
}

const Transformation* find_transformation(std::string_view name) {
    for (const auto& transformation : catalogue()) {
        if (transformation->name() == name) return transformation.get();
    }
    return nullptr;
}

}  // namespace optiml::transforms
