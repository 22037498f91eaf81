#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace optiml::task {

// Values of a task's named sizes.
using Sizes = std::map<std::string, std::int64_t>;

}  // namespace optiml::task
