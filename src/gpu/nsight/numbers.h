#pragma once
// Numbers as Nsight Compute prints them: in the user's locale (1,234.5 or 1.234,5 or 1 234,5), scaled to a unit that suits the value.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace optiml::gpu::nsight {

// The character before the fraction, '.' or ',', by what all numbers of one report have in common: 1,234 alone could be either.
char decimal_mark_of(const std::vector<std::string_view>& values);

// A number, of which only the total is read where instances follow ("12 (5; 7)"); nullopt: none, or not a finite one.
std::optional<double> parse_number(std::string_view text, char decimal_mark);

// What a value in this unit is multiplied by to be in bytes, nanoseconds, hertz or units a second; 1 for units that do not scale ("%").
double factor_to_base(std::string_view unit);

}  // namespace optiml::gpu::nsight
