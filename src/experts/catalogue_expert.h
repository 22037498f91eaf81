#pragma once

#include <cstdint>
#include <memory>

#include "cuda_source/parse.h"
#include "experts/expert.h"
#include "task/task.h"

namespace optiml::experts {

// Proposes every transformation of the catalogue at every site with every choice of parameters. The prior adds up, over the hypotheses,
// their weight times how directly the transformation relieves that bottleneck; it falls slowly along the choices of a site, is lower for a
// transformation that the candidate has been through already, and never 0.
// task must outlive the expert. multiprocessors: of the device, for grids that just fill it.
std::unique_ptr<Expert> make_catalogue_expert(const task::Task& task, cuda_source::ParseOptions options, std::int64_t multiprocessors = 132);

}  // namespace optiml::experts
