#pragma once
// Sizes far beyond what can be run whole, at which blocks are sampled: where 32-bit indices and the limits of grids end.

#include <optional>
#include <vector>

#include "task/resolved.h"

namespace optiml::evaluation {

// Each size in turn: just above 65,535 (grid y and z); and such that the largest buffer holds a few more than 2^31 and 2^32 elements,
// or as many as most_elements allows. No size goes beyond 8 times the task's large value or what a 32-bit argument can carry: users
// who name 2^26 as large do not mean 2^31. The other sizes are small, or large where the elements cannot be reached otherwise. Then the
// task's large sizes. Only those for which the task's own plan resolves. most_elements: see index_limit.
std::vector<task::Sizes> large_sizes(const task::Task& task, std::int64_t most_elements);

// Where a thread or block of the original takes too long at sizes of that list, because what it loops over is long: sizes of no fewer
// elements, as far as 2^31 and 2^32 are concerned, with each size in turn as small as the others, at their largest, and the task allow.
// Of three sizes two may hold far more elements by themselves. No more than most_elements either way.
std::vector<task::Sizes> other_shapes(const task::Task& task, std::int64_t most_elements, const task::Sizes& sizes);

// The sizes with the fewest elements in all for which the largest buffer holds at least that many: one size is raised, the others are
// small or, where that is not enough, large. The task's own bounds hold; nullopt: it allows no such sizes.
std::optional<task::Sizes> sizes_beyond(const task::Task& task, std::int64_t elements);

}  // namespace optiml::evaluation
