#pragma once
// The roofline figures of a kernel (Williams, Waterman, Patterson 2009) for single precision against DRAM.

#include <optional>

#include "diagnosis/bottleneck.h"

namespace optiml::diagnosis {

struct Roofline {
    double intensity = 0;            // floating-point operations a byte of DRAM traffic; 0 where no bytes move
    double giga_operations = 0;      // achieved, a second
    double gigabytes = 0;            // achieved, a second
    double attainable = 0;           // operations a second (giga) at that intensity: min(peak, intensity * bandwidth)
    double speed_of_light = 0;       // 0..1: the higher of the shares of the two ceilings reached
    bool memory_bound = true;        // left of the ridge
};

// nullopt: no time, or ceilings ("dram_gb_per_s", "clock_ghz", "sm_count") that are not known.
std::optional<Roofline> roofline_of(const Inputs& inputs);

}  // namespace optiml::diagnosis
