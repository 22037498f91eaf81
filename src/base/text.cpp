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

std::uint32_t line_at(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    return 1 + static_cast<std::uint32_t>(std::count(before.begin(), before.end(), '\n'));
}

std::uint32_t line_begin_at(std::string_view text, std::size_t offset) {
    return static_cast<std::uint32_t>(text.substr(0, offset).rfind('\n') + 1);  // npos + 1 is 0
}

std::string_view indentation_at(std::string_view text, std::uint32_t offset) {
    const std::size_t begin = line_begin_at(text, offset);
    const std::size_t end = std::min(text.find_first_not_of(" \t", begin), text.size());
    return text.substr(begin, end - begin);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::size_t find_whole_word(std::string_view text, std::string_view word, std::size_t from) {
    if (word.empty()) return std::string_view::npos;
    for (std::size_t at = text.find(word, from); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word_character(text[at - 1])) && (end == text.size() || !is_word_character(text[end]))) return at;
    }
    return std::string_view::npos;
}

std::string_view unqualified_name(std::string_view name) {
    name = name.substr(0, name.find('<'));
    if (const std::size_t colons = name.rfind("::"); colons != std::string_view::npos) name.remove_prefix(colons + 2);
    return trimmed(name);
}

}  // namespace optiml
