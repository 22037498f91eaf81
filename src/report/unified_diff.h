#pragma once

#include <string>
#include <string_view>

namespace optiml::report {

// Unified diff (as `diff -u` and patch know it) of two texts by lines, with three lines of context. Empty: the texts are equal.
// The script is a shortest one (Myers 1986): time and memory grow with the number of differing lines squared, which is capped; texts
// that differ in more than some thousand lines are given as one replacement.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view before_name, std::string_view after_name);

}  // namespace optiml::report
