#pragma once

namespace optiml::cli {

constexpr const char* kVersion = "0.1.0";

}  // namespace optiml::cli
