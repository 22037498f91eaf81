#pragma once
// How many of a grid's blocks the device holds at once.

#include <map>
#include <set>
#include <string>

#include "evaluation/reference.h"
#include "task/launch_plan.h"

namespace optiml::evaluation {

// Of those kernels whose grids at the task's large sizes do not fit on the device: the share of their blocks that does, the smallest of
// their launches. Blocks beyond it start only when others have ended.
std::map<std::string, double> resident_shares(const VerificationContext& context, const Build& build, const task::LaunchPlan& plan,
                                              const std::set<std::string>& kernels);

}  // namespace optiml::evaluation
