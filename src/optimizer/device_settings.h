#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "optimizer/services.h"
#include "workers/device_evaluator.h"

namespace optiml::optimizer {

// How candidates are evaluated on the cards of those ordinals. builders: processes that compile and emulate beside them. large: sizes
// that are verified too.
workers::DeviceSettings device_settings(const EvaluatorRequest& request, std::vector<int> ordinals, std::uint32_t builders,
                                        const std::optional<task::Sizes>& large);

}  // namespace optiml::optimizer
