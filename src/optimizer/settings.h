#pragma once
// What the user asked for; kept with the run as JSON, so that it can be resumed.

#include <string>
#include <string_view>

#include "optiml/settings.h"
#include "task/task.h"

namespace optiml::optimizer {

// The chosen set with --set over it. Errors (user): an unknown set or size, a value that the task does not
// allow, or one for which an expression of the launch plan overflows.
Result<task::Sizes> timing_sizes(const task::Task& task, const TaskChoice& choice);

std::string to_json(const Settings& settings);
Result<Settings> settings_from_json(std::string_view json);

}  // namespace optiml::optimizer
