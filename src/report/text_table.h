#pragma once

#include <string>
#include <vector>

namespace optiml::report {

// A Markdown table with aligned columns, the first to the left and the others to the right. rows[0] is the head.
std::string table(const std::vector<std::vector<std::string>>& rows);

// Four significant digits, with thousands separators up to 10 million and an exponent beyond: "0.0421", "12,345", "1.074e+09".
std::string number(double value);

}  // namespace optiml::report
