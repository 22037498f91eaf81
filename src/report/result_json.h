#pragma once

#include <string>

#include "optiml/summary.h"

namespace optiml::report {

// One object for programs: run, original_ms, best_ms, speedup, interval, source, evaluations, path, kernel_file, and more.
// The keys stay.
std::string result_json(const Summary& summary);

}  // namespace optiml::report
