#pragma once
// Places in a source text, and edits as replacements that leave everything else as the user wrote it.

#include <cstdint>
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

// The white space that begins the line which holds offset.
std::string_view indentation_at(std::string_view text, std::uint32_t offset);

}  // namespace optiml
