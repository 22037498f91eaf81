#pragma once
// Places in a source text, edits as replacements that leave everything else as the user wrote it, and small questions about text.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml {

// Half-open byte range [begin, end) of one text.
struct TextSpan {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    std::uint32_t size() const { return end - begin; }
    bool empty() const { return begin == end; }
    bool contains(TextSpan other) const { return begin <= other.begin && other.end <= end; }
    bool operator==(const TextSpan&) const = default;
};

struct Replacement {
    TextSpan span;
    std::string text;
};

// Applies replacements given in any order. Overlapping ones are an internal error; several insertions at one place keep their order.
Result<std::string> apply_replacements(std::string_view text, std::vector<Replacement> replacements);

// Byte offsets to lines and columns, both counted from 1.
class LineMap {
public:
    explicit LineMap(std::string_view text);
    std::uint32_t line(std::uint32_t offset) const;
    std::uint32_t column(std::uint32_t offset) const;
    // Offset of the first byte of a line; the text's size for lines past its end.
    std::uint32_t line_begin(std::uint32_t line) const;

private:
    std::vector<std::uint32_t> line_begins_;
    std::uint32_t size_;
};

// Of one place, where a LineMap would not pay: the line that holds offset, counted from 1, and the offset of its first byte. Linear.
std::uint32_t line_at(std::string_view text, std::size_t offset);
std::uint32_t line_begin_at(std::string_view text, std::size_t offset);
// The white space that begins the line which holds offset.
std::string_view indentation_at(std::string_view text, std::uint32_t offset);

// The lines without their newlines; none behind a last newline.
std::vector<std::string_view> lines_of(std::string_view text);

// Letters are those of ASCII, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// What identifiers and numbers are made of.
constexpr bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

// Without the blanks, tabs and ends of lines around it.
std::string_view trimmed(std::string_view text);
// The first place at or after `from` where the word stands and is no part of a longer one; npos if there is none.
std::size_t find_whole_word(std::string_view text, std::string_view word, std::size_t from = 0);
// "space::scale<float, 4>" -> "scale"
std::string_view unqualified_name(std::string_view name);

// The decimal number that is the whole text; nothing if there is more or less, or if it does not fit.
template <class Number>
std::optional<Number> parsed_number(std::string_view text) {
    Number number{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

}  // namespace optiml
