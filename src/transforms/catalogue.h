#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "transforms/transformation.h"

namespace optiml::transforms {

// Every transformation, one line each in catalogue.cpp, in a fixed order.
const std::vector<std::unique_ptr<Transformation>>& catalogue();
const Transformation* find_transformation(std::string_view name);

}  // namespace optiml::transforms
