#pragma once
// What a second run on equal values may differ by.

#include <string_view>

namespace optiml::evaluation::device {

// Whether the order in which threads come may show in an honest kernel's last bits: atomics are done in any order. True, too, where the
// source does not show it (assembly, headers of the user's own).
bool may_use_atomics(std::string_view source);

}  // namespace optiml::evaluation::device
