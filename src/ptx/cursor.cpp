#include "ptx/cursor.h"

#include <fmt/format.h>

namespace optiml::ptx {

const Token& Cursor::take() {
    const Token& token = peek();
    if (token.kind != TokenKind::end) ++position_;
    return token;
}

bool Cursor::accept(char character) {
    if (!peek().is(character)) return false;
    ++position_;
    return true;
}

bool Cursor::accept_dot_word(std::string_view word) {
    if (!peek().is_dot_word(word)) return false;
    ++position_;
    return true;
}

void Cursor::expect(char character) {
    if (!accept(character)) fail_unexpected(fmt::format("'{}'", character));
}

std::string_view Cursor::expect_word(std::string_view what) {
    if (peek().kind == TokenKind::word) return take().text;
    fail_unexpected(what);
    return {};
}

std::string_view Cursor::expect_dot_word(std::string_view what) {
    if (peek().kind == TokenKind::dot_word) return take().text;
    fail_unexpected(what);
    return {};
}

std::uint64_t Cursor::expect_integer(std::string_view what) {
    if (peek().kind == TokenKind::integer) return take().value;
    fail_unexpected(what);
    return 0;
}

void Cursor::skip_brackets(char open, char close) {
    expect(open);
    for (std::size_t depth = 1; depth > 0 && !failed();) {
        if (at_end()) return fail_unexpected(fmt::format("'{}'", close));
        if (peek().is(open)) ++depth;
        if (peek().is(close)) --depth;
        take();
    }
}

void Cursor::skip_statement() {
    while (!at_end() && !peek().is(';')) take();
    expect(';');
}

void Cursor::fail(std::string message) {
    if (failed()) return;
    error_ = fmt::format("PTX line {}: {}", peek().line, message);
    position_ = tokens_.size() - 1;
}

void Cursor::fail_unexpected(std::string_view wanted) {
    if (at_end()) return fail(fmt::format("{} expected, but the text ends", wanted));
    fail(fmt::format("{} expected, but '{}' found", wanted, peek().text));
}

}  // namespace optiml::ptx
