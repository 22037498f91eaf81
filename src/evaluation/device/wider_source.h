#pragma once
// A kernel's source with doubles for its floats: the same computation with next to no rounding.

#include <optional>
#include <string>
#include <string_view>

namespace optiml::evaluation::device {

// The source with macros behind its last #include that read `float` as `double`, the vector types, math functions and intrinsics
// likewise. nullopt: it looks at the bits of its floats, whose meaning would change. It may not compile, and constants keep their
// rounding to f32: what comes of it is believed only where it agrees with the source itself.
std::optional<std::string> wider_source(std::string_view source);

}  // namespace optiml::evaluation::device
