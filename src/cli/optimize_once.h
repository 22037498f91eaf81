#pragma once
// One optimisation with its progress shown; shared by optimize, resume and suite.

#include "cli/console.h"
#include "cli/options.h"
#include "optimizer/pipeline.h"
#include "optimizer/world.h"

namespace optiml::cli {

Result<optimizer::Settings> settings_of(const optimizer::TaskChoice& choice, const DeviceOptions& device, const SearchOptions& search,
                                        const std::string& out);

Result<optimizer::Optimization> optimize_once(optimizer::World& world, const optimizer::Settings& settings, std::uint32_t jobs,
                                              Console& console);

// Prints the outcome; the value is the exit code.
int tell(const optimizer::Optimization& optimization, Console& console);

}  // namespace optiml::cli
