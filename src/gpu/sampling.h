#pragma once
// Samples of original and candidate in turns until a stopping rule is content or a limit is reached. Knows no device.

#include <functional>
#include <optional>

#include "base/clock.h"
#include "gpu/timing.h"

namespace optiml::gpu {

enum class Side : std::uint8_t { original, candidate };

// Takes one sample, milliseconds; nullopt: it was unfit.
using Sampler = std::function<DeviceResult<std::optional<double>>(Side side)>;

// with_original: false: only the candidate is sampled. The first failure is returned as it is. Of the two it is random which comes first
// in a pair. Where options.known_original suffices the original is not run, and original_ms holds the known times.
DeviceResult<PairedTimes> sample_in_turns(const Sampler& sample, bool with_original, const StoppingRule& rule, const TimingOptions& options,
                                          const Clock& clock);

}  // namespace optiml::gpu
