#pragma once
// From counters to ranked hypotheses of what binds a kernel, each with its evidence.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "optiml/diagnosis.h"

namespace optiml::diagnosis {

struct LineInputs {
    std::string file;
    std::uint32_t line = 0;
    std::map<std::string, double> counters;  // additive ones
};

struct LaunchInputs {
    double blocks = 0;
    double time_ms = 0;  // one launch; 0: not known
    double repeats = 1;  // launches like it
};

// What the rules look at; everything by Nsight Compute name plus the terms of the time model ("model_term__dram_ms", ...), where the
// time is modelled, and what the compiler tells of the kernel that spills most ("ptxas__spill_store_bytes", "ptxas__spill_load_bytes",
// "ptxas__stack_bytes", a thread). Counters that are missing are taken as not known: rules that need them say nothing.
struct Inputs {
    std::map<std::string, double> counters;
    std::map<std::string, double> ceilings;  // the device's rates and sizes: "dram_gb_per_s", "clock_ghz", "sm_count", ...
    std::vector<LineInputs> lines;
    double time_ms = 0;
    std::vector<LaunchInputs> launches = {};  // empty: a single one, of launch__grid_size blocks
    bool is_double_meant = true;              // false: no argument of the kernels is an f64
};

// Hypotheses of weight 0.05 and more, the heaviest first.
std::vector<Hypothesis> diagnose(const Inputs& inputs);

}  // namespace optiml::diagnosis
