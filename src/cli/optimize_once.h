#pragma once
// One optimisation with its progress shown; shared by optimize, resume and suite.

#include <string>

#include "cli/console.h"
#include "cli/options.h"
#include "cli/progress_lines.h"
#include "optiml/optimize.h"

namespace optiml::cli {

Result<optimizer::Settings> settings_of(const optimizer::TaskChoice& choice, const DeviceOptions& device, const SearchOptions& search,
                                        const std::string& out);

// Shows progress through the lines, which must outlive the run, and ends it at ctrl-C.
optimizer::RunOptions run_options(const StoreOptions& store, const DeviceOptions& device, ProgressLines& lines);

Result<optimizer::Optimization> optimize_once(const optimizer::Settings& settings, const StoreOptions& store, const DeviceOptions& device,
                                              Console& console);

// Prints the outcome; the value is the exit code.
int tell(const optimizer::Optimization& optimization, Console& console);

}  // namespace optiml::cli
