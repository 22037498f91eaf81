#pragma once
// A place in a token sequence. The first failure is kept and moves the cursor to the end, so that every loop over tokens ends and
// parsing functions need not pass errors on: they check failed() only where they would go on with a value that makes no sense.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/lexer.h"

namespace optiml::ptx {

class Cursor {
public:
    explicit Cursor(std::string_view text) : tokens_(tokenize(text)) {}

    const Token& peek(std::size_t ahead = 0) const {
        const std::size_t last = tokens_.size() - 1;
        return tokens_[position_ + ahead < last ? position_ + ahead : last];
    }
    // At the end this returns the end token and stays.
    const Token& take();

    bool at_end() const { return peek().kind == TokenKind::end; }
    bool accept(char character);
    bool accept_dot_word(std::string_view word);
    void expect(char character);
    std::string_view expect_word(std::string_view what);
    std::string_view expect_dot_word(std::string_view what);
    std::uint64_t expect_integer(std::string_view what);
    // The cursor stands at the opening bracket; afterwards behind the matching closing one.
    void skip_brackets(char open, char close);
    // Skips up to and including the next ';'.
    void skip_statement();

    void fail(std::string message);
    // As fail, naming the token that stands here.
    void fail_unexpected(std::string_view wanted);
    bool failed() const { return !error_.empty(); }
    const std::string& error() const { return error_; }

private:
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    std::string error_;
};

}  // namespace optiml::ptx
