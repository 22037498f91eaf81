#include "ptx/lexer.h"

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/text.h"

namespace optiml::ptx {
namespace {

bool starts_word(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%'; }
bool continues_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '$'; }

class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) { tokens_.reserve(text.size() / 4 + 1); }

    std::vector<Token> run() {
        for (skip_blank(); position_ < text_.size(); skip_blank()) next();
        push(TokenKind::end, position_, position_);
        return std::move(tokens_);
    }

private:
    char at(std::size_t position) const { return position < text_.size() ? text_[position] : '\0'; }

    void push(TokenKind kind, std::size_t begin, std::size_t end, std::uint64_t value = 0) {
        tokens_.push_back({kind, line_, text_.substr(begin, end - begin), value});
    }

    void skip_to_line_end() {
        while (position_ < text_.size() && text_[position_] != '\n') ++position_;
    }

    void skip_block_comment() {
        for (position_ += 2; position_ < text_.size(); ++position_) {
            if (text_[position_] == '\n') ++line_;
            if (text_[position_] == '*' && at(position_ + 1) == '/') {
                position_ += 2;
                return;
            }
        }
    }

    void skip_blank() {
        while (position_ < text_.size()) {
            const char c = text_[position_];
            if (c == '\n') {
                ++line_;
                ++position_;
            } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {  // NVRTC counts a final NUL
                ++position_;
            } else if (c == '/' && at(position_ + 1) == '/') {
                skip_to_line_end();
            } else if (c == '/' && at(position_ + 1) == '*') {
                skip_block_comment();
            } else {
                return;
            }
        }
    }

    void next() {
        const char c = text_[position_];
        if (starts_word(c)) {
            word();
        } else if (is_digit(c)) {
            number();
        } else if (c == '.' && continues_word(at(position_ + 1))) {
            dot_word();
        } else if (c == '"') {
            string();
        } else {
            const bool known = std::string_view("()[]{}<>,;:+-*/%&|^~!=@.?#").find(c) != std::string_view::npos;
            push(known ? TokenKind::punctuation : TokenKind::invalid, position_, position_ + 1);
            ++position_;
        }
    }

    void word() {
        const std::size_t begin = position_++;
        while (continues_word(at(position_))) ++position_;
        // A lone '%' is the remainder operator.
        const bool lone_percent = position_ == begin + 1 && text_[begin] == '%';
        push(lone_percent ? TokenKind::punctuation : TokenKind::word, begin, position_);
    }

    void dot_word() {
        const std::size_t begin = position_++;
        while (true) {
            while (continues_word(at(position_))) ++position_;
            if (at(position_) != ':' || at(position_ + 1) != ':' || !continues_word(at(position_ + 2))) break;
            position_ += 2;
        }
        push(TokenKind::dot_word, begin, position_);
    }

    void string() {
        const std::size_t begin = ++position_;
        while (position_ < text_.size() && text_[position_] != '"' && text_[position_] != '\n') ++position_;
        push(at(position_) == '"' ? TokenKind::string : TokenKind::invalid, begin, position_);
        if (at(position_) == '"') ++position_;
    }

    void number() {
        const char second = at(position_ + 1);
        if (text_[position_] == '0' && (second == 'f' || second == 'F')) return hexadecimal_float(TokenKind::float32, 8);
        if (text_[position_] == '0' && (second == 'd' || second == 'D')) return hexadecimal_float(TokenKind::float64, 16);
        if (is_decimal_fraction()) return decimal();
        integer();
    }

    void hexadecimal_float(TokenKind kind, std::size_t digits) {
        const std::size_t begin = position_;
        position_ += 2;
        std::uint64_t value = 0;
        const std::size_t available = std::min(digits, text_.size() - position_);
        const char* first = text_.data() + position_;
        const auto [last, error] = std::from_chars(first, first + available, value, 16);
        position_ += static_cast<std::size_t>(last - first);
        const bool whole = error == std::errc() && position_ == begin + 2 + digits && !continues_word(at(position_));
        push(whole ? kind : TokenKind::invalid, begin, position_, value);
    }

    bool is_decimal_fraction() const {
        std::size_t position = position_;
        while (is_digit(at(position))) ++position;
        if (at(position) == '.') return is_digit(at(position + 1));
        if (at(position) != 'e' && at(position) != 'E') return false;
        const char sign = at(position + 1);
        return is_digit(sign) || ((sign == '+' || sign == '-') && is_digit(at(position + 2)));
    }

    void decimal() {
        double value = 0;
        const char* first = text_.data() + position_;
        const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value);
        const std::size_t begin = position_;
        position_ += static_cast<std::size_t>(last - first);
        const bool whole = error == std::errc() && !continues_word(at(position_));
        push(whole ? TokenKind::decimal : TokenKind::invalid, begin, position_, std::bit_cast<std::uint64_t>(value));
    }

    void integer() {
        const std::size_t begin = position_;
        int base = 10;
        const char second = at(position_ + 1);
        if (text_[position_] == '0' && (second == 'x' || second == 'X')) {
            base = 16;
            position_ += 2;
        } else if (text_[position_] == '0' && (second == 'b' || second == 'B')) {
            base = 2;
            position_ += 2;
        } else if (text_[position_] == '0' && is_digit(second)) {
            base = 8;
        }
        std::uint64_t value = 0;
        const char* first = text_.data() + position_;
        const auto [last, error] = std::from_chars(first, text_.data() + text_.size(), value, base);
        position_ += static_cast<std::size_t>(last - first);
        if (at(position_) == 'U') ++position_;
        const bool whole = error == std::errc() && !continues_word(at(position_));
        push(whole ? TokenKind::integer : TokenKind::invalid, begin, position_, value);
    }

    std::string_view text_;
    std::size_t position_ = 0;
    std::uint32_t line_ = 1;
    std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) { return Lexer(text).run(); }

}  // namespace optiml::ptx
