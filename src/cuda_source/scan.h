#pragma once
// Steps over C++ text without a parser: comments, literals, parentheses.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace optiml::cuda_source {

// Behind the comment, string or character literal that begins at `offset`; offset itself if none does.
std::uint32_t skip_comment_or_literal(std::string_view text, std::uint32_t offset);

// The first byte at or after `offset` that is neither white space nor in a comment; the text's size if there is none.
std::uint32_t skip_blank(std::string_view text, std::uint32_t offset);

// The place of the parenthesis, bracket or brace that closes the one at `open`; the text's size if there is none.
std::uint32_t matching_close(std::string_view text, std::uint32_t open);

// The place of a whole word in [begin, end) outside of comments and literals; `end` if it is not there.
std::uint32_t find_word(std::string_view text, std::string_view word, std::uint32_t begin, std::uint32_t end);

// An #include <name> or "name", also one that a condition may switch off.
struct IncludeLine {
    std::string name;
    TextSpan line;  // from the # to the closing bracket or quote
};
std::vector<IncludeLine> include_lines(std::string_view text);

}  // namespace optiml::cuda_source
