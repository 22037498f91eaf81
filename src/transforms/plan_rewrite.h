#pragma once
// What a rewrite does to the launch plan: block extents, and grids that cover the same elements with other blocks.

#include <array>
#include <cstdint>
#include <optional>

#include "transforms/transformation.h"

namespace optiml::transforms {

// The block extents with which every step launches the kernel; nullopt where they differ between steps or depend on sizes.
std::optional<std::array<std::int64_t, 3>> constant_block(const Context& context, std::size_t kernel);

// A kernel's scalar expression over parameters, literals and single-definition locals as the plan's expression in `step`
// (rows * cols); nullopt where it holds anything else.
std::optional<task::Expression> plan_expression(const Context& context, std::size_t kernel, std::size_t step,
                                                cuda_source::ExpressionId expression);

// What the launch passes for an integer parameter.
std::optional<task::Expression> argument_in_plan(const Context& context, std::size_t kernel, std::size_t step,
                                                 cuda_source::VariableId parameter);

// ceil_div(n, 256) and (n + 255) / 256 with divisor 256: n. nullopt for other expressions.
std::optional<task::Expression> numerator_of_ceil_div(const task::Expression& grid, std::int64_t divisor);

// How many threads a guarded kernel needs along an axis: the guard's bound where the grid was made for it, else all the threads that
// the grid starts.
task::Expression threads_needed(const task::Expression& grid, std::int64_t block, const std::optional<task::Expression>& bound);

// The blocks that make up `threads`.
task::Expression blocks_of(const task::Expression& threads, std::int64_t block);

// min(blocks, most)
task::Expression at_most(const task::Expression& blocks, std::int64_t most);

// Launches the kernel in blocks of `block` threads along x, at most `most` of them, in the place of blocks of `old_block`. bound: of the
// guard along x, as for threads_needed.
void launch_at_most(const Context& context, std::size_t kernel, std::int64_t old_block, cuda_source::ExpressionId bound, std::int64_t block,
                    std::int64_t most, task::LaunchPlan& plan);

// False where the launch at the task's large sizes has more blocks than devices start (2^31-1 in x, 65,535 in y and z).
bool grid_fits(const Context& context, const task::Launch& launch);

}  // namespace optiml::transforms
