#pragma once
// Results as they lie in memory after a run.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluation/workspace.h"
#include "task/resolved.h"

namespace optiml::evaluation {

struct Output {
    std::size_t buffer = 0;  // in the plan
    std::string name;
    task::ScalarType type = task::ScalarType::f32;
    std::uint64_t elements = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<bool> written;  // by element: all its bytes

    double value(std::uint64_t element) const { return task::load_float(type, bytes.data() + element * task::bytes_of(type)); }
    const std::uint8_t* at(std::uint64_t element) const { return bytes.data() + element * task::bytes_of(type); }
};

// Output and inout buffers, in the plan's order; not scratch.
std::vector<Output> read_outputs(const task::ResolvedPlan& plan, const Workspace& workspace);

// An output as the wider shadow has it: high + low of each element. Empty for integers.
struct WideOutput {
    std::vector<double> high;
    std::vector<double> low;
};
WideOutput read_wide(const Output& output, const Workspace& workspace);

// x - (high + low), computed so that nothing is lost where x is near high.
inline double distance(double x, double high, double low) { return (x - high) - low; }

}  // namespace optiml::evaluation
