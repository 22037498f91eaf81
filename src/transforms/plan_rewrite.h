#pragma once
// What a rewrite does to the launch plan: block extents, and grids that cover the same elements with other blocks.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "transforms/transformation.h"

namespace optiml::transforms {

// The block extents with which every step launches the kernel; nullopt where they differ between steps or depend on sizes.
std::optional<std::array<std::int64_t, 3>> constant_block(const Context& context, std::size_t kernel);

// A kernel's scalar expression over parameters, literals and single-definition locals as a plan expression of `step`
// ("rows * cols"); nullopt where it holds anything else.
std::optional<std::string> plan_text(const Context& context, std::size_t kernel, std::size_t step,
                                     cuda_source::ExpressionId expression);

// "ceil_div(n, 256)" and "(n + 255) / 256" with divisor 256: "n". nullopt for other texts.
std::optional<std::string> numerator_of_ceil_div(const task::Expression& grid, std::int64_t divisor);

// Expressions made from texts; a factor or divisor of 1 leaves the text alone.
task::Expression ceil_div(std::string_view numerator, std::int64_t divisor);
task::Expression product(const task::Expression& expression, std::int64_t factor);

// How many threads a guarded kernel needs along an axis: `bound` (plan text of its guard's bound) where the grid was made for it,
// else all the threads that the grid starts.
std::string threads_needed(const task::Expression& grid, std::int64_t block, const std::optional<std::string>& bound);

// The numbers of a plan's launch at the task's large sizes may exceed what devices launch (2^31-1 blocks in x, 65,535 in y and z).
bool grid_fits(const Context& context, const task::Launch& launch);

}  // namespace optiml::transforms
