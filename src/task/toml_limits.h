#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace optiml::task {

// The TOML parser descends once for each part of a dotted key and each bracket, so hostile text would exhaust its stack. Whether this
// text is below a size and a nesting that no task file reaches. Error (user): with the place and the limit.
Status check_toml_limits(std::string_view text, const std::string& file);

}  // namespace optiml::task
