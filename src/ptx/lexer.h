#pragma once
// PTX text to tokens. Comments and white space vanish; every token views the text, which must outlive it.

#include <cstdint>
#include <string_view>
#include <vector>

namespace optiml::ptx {

enum class TokenKind : std::uint8_t {
    end,
    word,         // name, register, opcode: "%r12", "$L__BB0_1", "ld"
    dot_word,     // directive, modifier or component with its dot: ".global", ".shared::cta", ".2d"
    integer,      // value: the bits
    float32,      // 0f: value: 32 bits
    float64,      // 0d: value: 64 bits
    decimal,      // "1.5": value: the bits of the double
    string,       // text without its quotes
    punctuation,  // one character
    invalid,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint32_t line = 0;  // from 1
    std::string_view text;
    std::uint64_t value = 0;

    bool is(char character) const { return kind == TokenKind::punctuation && text[0] == character; }
    bool is_dot_word(std::string_view word) const { return kind == TokenKind::dot_word && text == word; }
    bool is_word(std::string_view word) const { return kind == TokenKind::word && text == word; }
};

// Always ends with one token of kind end.
std::vector<Token> tokenize(std::string_view text);

}  // namespace optiml::ptx
