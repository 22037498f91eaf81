#pragma once
// Suggestions for misspelt names.

#include <span>
#include <string>
#include <string_view>

namespace optiml::task {

// The candidate with the fewest single-letter changes to `name`; empty if none is near enough to be meant.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

// A remedy: "Did you mean 'x'?" where one is near, else "Known KINDS: a, b, c." (or that there are none).
std::string suggestion_for(std::string_view name, std::span<const std::string> candidates, std::string_view kinds);

}  // namespace optiml::task
