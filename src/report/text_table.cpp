#include "report/text_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace optiml::report {
namespace {

std::string separated(std::int64_t value) {
    std::string digits = fmt::format("{}", value);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > (value < 0 ? 1 : 0); at -= 3) {
        digits.insert(static_cast<std::size_t>(at), 1, ',');
    }
    return digits;
}

}  // namespace

std::string number(double value) {
    const double size = std::fabs(value);
    if (size >= 1e7) return fmt::format("{:.3e}", value);
    if (size >= 1000) return separated(std::llround(value));
    return fmt::format("{:.4g}", value);
}

std::string table(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 3);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const auto& row : rows) {
        text += "|";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += i == 0 ? fmt::format(" {:<{}} |", row[i], widths[i]) : fmt::format(" {:>{}} |", row[i], widths[i]);
        }
        text += "\n";
        if (&row != &rows.front()) continue;
        text += "|";
        for (std::size_t i = 0; i < row.size(); ++i) {
            text += i == 0 ? std::string(widths[i] + 2, '-') + "|" : std::string(widths[i] + 1, '-') + ":|";
        }
        text += "\n";
    }
    return text;
}

}  // namespace optiml::report
