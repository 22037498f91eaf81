#include "base/text.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml {

Result<std::string> apply_replacements(std::string_view text, std::vector<Replacement> replacements) {
    std::stable_sort(replacements.begin(), replacements.end(), [](const Replacement& a, const Replacement& b) {
        return a.span.begin != b.span.begin ? a.span.begin < b.span.begin : a.span.end < b.span.end;
    });
    std::string result;
    std::uint32_t position = 0;
    for (const Replacement& replacement : replacements) {
        const TextSpan span = replacement.span;
        if (span.begin < position || span.end < span.begin || span.end > text.size()) {
            return internal_error(fmt::format("replacement [{}, {}) overlaps another or leaves the text", span.begin, span.end));
        }
        result.append(text.substr(position, span.begin - position));
        result.append(replacement.text);
        position = span.end;
    }
    result.append(text.substr(position));
    return result;
}

LineMap::LineMap(std::string_view text) : size_(static_cast<std::uint32_t>(text.size())) {
    line_begins_.push_back(0);
    for (std::uint32_t i = 0; i < size_; ++i) {
        if (text[i] == '\n') line_begins_.push_back(i + 1);
    }
}

std::uint32_t LineMap::line(std::uint32_t offset) const {
    const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    return static_cast<std::uint32_t>(after - line_begins_.begin());
}

std::uint32_t LineMap::column(std::uint32_t offset) const { return offset - line_begins_[line(offset) - 1] + 1; }

std::uint32_t LineMap::line_begin(std::uint32_t line) const {
    return line == 0 || line > line_begins_.size() ? size_ : line_begins_[line - 1];
}

std::string_view indentation_at(std::string_view text, std::uint32_t offset) {
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
    return text.substr(begin, end - begin);
}

}  // namespace optiml
