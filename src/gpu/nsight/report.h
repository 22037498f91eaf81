#pragma once
// Nsight Compute's report as text: `ncu --csv`, pages details (a row a metric) and raw (a column a metric), with or without
// --print-summary, whatever the locale.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::gpu::nsight {

struct Launch {
    std::string id;                              // as ncu numbers it; empty in a summary
    std::string kernel;                          // "scale(const float *, float *, int)"
    std::array<std::uint64_t, 3> grid{};         // 0: the report does not say
    std::array<std::uint64_t, 3> block{};
    std::uint64_t invocations = 1;               // more than one in a summary, whose values are averages
    std::map<std::string, double> counters;      // by metric name; bytes, nanoseconds, hertz, percent
    std::map<std::string, std::string> texts;    // values that are no numbers: the name of the card
};

// Launches in the report's order. What is not known (columns, units, labels) is kept by its name. Errors: (user) no table, a line with
// too few or too many fields, no metric at all, with the line and how to export a report; (environment) what ncu said instead of one.
Result<std::vector<Launch>> parse_report(std::string_view text, const std::string& file);

// What ncu says went wrong, from its "==ERROR==" lines; empty if nothing.
std::string error_in(std::string_view output);

}  // namespace optiml::gpu::nsight
