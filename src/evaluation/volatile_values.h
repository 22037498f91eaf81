#pragma once
// Values that differ from run to run whatever the inputs: clocks and timers, and where on the device a thread happens to run.

#include <optional>

#include "evaluation/build.h"

namespace optiml::evaluation {

// The first place where results may hang on such a value: clocks and timers may decide nothing, neither what is stored nor where nor
// whether (waiting by nanosleep is free to use them, and so are the loops of the toolkit's headers that wait, in cuda::barrier and the like). %smid and %warpid may choose addresses, of counters a multiprocessor, but not
// values or branches. Some kernel of the build or a function of its module has to do it; what passes through memory is not followed.
std::optional<Finding> find_volatile_result(const Build& build);

}  // namespace optiml::evaluation
