#pragma once
// Counters of a plan's launches, by whatever collector, as a Profile.

#include <map>
#include <string>
#include <vector>

#include "evaluation/device/device_program.h"
#include "evaluation/evaluation.h"
#include "gpu/device.h"

namespace optiml::evaluation::device {

struct LaunchCounters {
    std::string kernel;                        // as the plan names it
    std::map<std::string, double> counters;    // gpu__time_duration.sum in nanoseconds
};

// Over the plan sums add up; ratios and percentages are weighted by the kernels' times (equally, where no time is known).
Profile measured_profile(const std::vector<LaunchCounters>& launches, std::string collector);

// What the driver tells without any permission: registers, shared and local memory, theoretical occupancy and the launches' shapes.
Profile driver_profile(const gpu::Device& device, const DeviceProgram& program, std::size_t most_launches);

}  // namespace optiml::evaluation::device
