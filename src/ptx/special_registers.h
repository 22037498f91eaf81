#pragma once

#include <optional>
#include <string_view>

#include "ptx/module.h"

namespace optiml::ptx {

// "%tid.x", "%laneid", "WARP_SZ". SpecialRegister::unknown: exists in PTX but has no meaning here (%pm0, %envreg7);
// nullopt: no special register.
std::optional<SpecialRegister> find_special_register(std::string_view name);

std::string_view name_of(SpecialRegister special);

}  // namespace optiml::ptx
