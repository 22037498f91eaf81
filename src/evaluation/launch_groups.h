#pragma once
// The launches of a plan in groups of like ones, so that a plan of hundreds of launches is sampled by a few.

#include <cstddef>
#include <vector>

#include "task/resolved.h"

namespace optiml::evaluation {

struct LaunchGroup {
    std::size_t step = 0;              // the one that stands for all, as an index into ResolvedPlan::steps
    std::vector<std::size_t> members;  // in order, with `step` among them
};

// Launches of one kernel with the same shape are grouped around at most `most` of them, chosen far apart by their scalar arguments
// (in a sort or a scan these say how far apart accesses lie). Launches that differ in nothing but buffers are one. Empty grids and
// clears are left out. Groups are ordered by their first member.
std::vector<LaunchGroup> group_launches(const task::ResolvedPlan& plan, std::size_t most);

}  // namespace optiml::evaluation
