#pragma once

#include <string>
#include <string_view>

namespace optiml::gpu::nsight {

// The metric behind a label of the details page ("Duration" -> "gpu__time_duration.sum"; Nsight Compute's section files say which).
// Some labels stand for two metrics, told apart by unit. Metric names and labels that are not known come back as they are.
std::string metric_of_label(std::string_view label, std::string_view unit);

}  // namespace optiml::gpu::nsight
