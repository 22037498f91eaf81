#pragma once
// One optimisation from the user's file to the explained winner. The .cpp is the table of contents of the program.

#include "optimizer/services.h"
#include "optiml/optimize.h"

namespace optiml::optimizer {

// Errors: user (file, task, sizes, a kernel that does not compile), environment (compiler, device, disk), faulty_original.
Result<Optimization> optimize(Settings settings, const Services& services);

// Goes on with a run that was interrupted or killed: what was evaluated is not evaluated again, and with a budget of evaluations the
// end is the same as without the interruption. A finished run gives its result again.
Result<Optimization> resume(const runs::RunRecord& record, const Services& services);

}  // namespace optiml::optimizer
