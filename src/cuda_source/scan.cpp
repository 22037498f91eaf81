#include "cuda_source/scan.h"

namespace optiml::cuda_source {
namespace {

std::uint32_t size_of(std::string_view text) { return static_cast<std::uint32_t>(text.size()); }

}  // namespace

std::uint32_t skip_comment_or_literal(std::string_view text, std::uint32_t offset) {
    const std::string_view two = text.substr(offset, 2);
    if (two == "//" || two == "/*") {
        const std::size_t end = text.find(two == "//" ? "\n" : "*/", offset + 2);
        if (end == std::string_view::npos) return size_of(text);
        return static_cast<std::uint32_t>(end) + (two == "//" ? 0 : 2);
    }
    const char quote = offset < text.size() ? text[offset] : '\0';
    // 1'000'000 holds no character literals.
    const bool is_digit_separator = quote == '\'' && offset > 0 && is_word_character(text[offset - 1]);
    if ((quote != '"' && quote != '\'') || is_digit_separator) return offset;
    for (std::uint32_t at = offset + 1; at < text.size() && text[at] != '\n'; ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == quote) {
            return at + 1;
        }
    }
    return offset + 1;
}

std::uint32_t skip_blank(std::string_view text, std::uint32_t offset) {
    while (offset < text.size()) {
        const char c = text[offset];
        const std::string_view two = text.substr(offset, 2);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++offset;
        } else if (two == "//" || two == "/*") {
            offset = skip_comment_or_literal(text, offset);
        } else {
            break;
        }
    }
    return offset;
}

std::uint32_t matching_close(std::string_view text, std::uint32_t open) {
    int depth = 0;
    for (std::uint32_t at = open; at < text.size();) {
        const std::uint32_t behind = skip_comment_or_literal(text, at);
        if (behind != at) {
            at = behind;
            continue;
        }
        const char c = text[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if ((c == ')' || c == ']' || c == '}') && --depth == 0) return at;
        ++at;
    }
    return size_of(text);
}

std::uint32_t find_word(std::string_view text, std::string_view word, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t at = begin; at < end;) {
        const std::uint32_t behind = skip_comment_or_literal(text, at);
        if (behind != at) {
            at = behind;
        } else if (!is_word_character(text[at])) {
            ++at;
        } else {
            std::uint32_t stop = at;
            while (stop < end && is_word_character(text[stop])) ++stop;
            if (text.substr(at, stop - at) == word) return at;
            at = stop;
        }
    }
    return end;
}

std::vector<IncludeLine> include_lines(std::string_view text) {
    std::vector<IncludeLine> lines;
    for (std::size_t at = text.find("include"); at != std::string_view::npos; at = text.find("include", at + 1)) {
        const std::size_t hash = at == 0 ? std::string_view::npos : text.find_last_not_of(" \t", at - 1);
        if (hash == std::string_view::npos || text[hash] != '#') continue;
        const std::size_t open = text.find_first_not_of(" \t", at + 7);
        if (open == std::string_view::npos || (text[open] != '<' && text[open] != '"')) continue;
        const std::size_t close = text.find_first_of(text[open] == '<' ? ">\n" : "\"\n", open + 1);
        if (close == std::string_view::npos || text[close] == '\n') continue;
        lines.push_back({std::string(text.substr(open + 1, close - open - 1)),
                         {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(close) + 1}});
    }
    return lines;
}

}  // namespace optiml::cuda_source
