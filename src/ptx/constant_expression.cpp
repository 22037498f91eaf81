#include "ptx/constant_expression.h"

#include <limits>

namespace optiml::ptx {
namespace {

constexpr int kMaxDepth = 64;

struct Operator {
    char symbol[3];
    int precedence;  // higher binds tighter; 0: no operator
};

constexpr Operator kOperators[] = {{"<<", 4}, {">>", 4}, {"|", 1}, {"^", 2}, {"&", 3},
                                   {"+", 5},  {"-", 5},  {"*", 6}, {"/", 6}, {"%", 6}};

class Evaluator {
public:
    explicit Evaluator(Cursor& cursor) : cursor_(cursor) {}

    std::uint64_t binary(int lowest) {
        std::uint64_t left = unary();
        for (Operator op = operator_here(); op.precedence >= lowest && !cursor_.failed(); op = operator_here()) {
            for (const char* symbol = op.symbol; *symbol != '\0'; ++symbol) cursor_.take();
            const std::uint64_t right = binary(op.precedence + 1);
            left = apply(op.symbol[0], left, right);
        }
        return left;
    }

private:
    // {"", 0} where none stands: its precedence is below every `lowest`.
    Operator operator_here() const {
        for (const Operator& op : kOperators) {
            if (!cursor_.peek().is(op.symbol[0])) continue;
            if (op.symbol[1] == '\0' || cursor_.peek(1).is(op.symbol[1])) return op;
        }
        return {"", 0};
    }

    std::uint64_t unary() {
        if (++depth_ > kMaxDepth) {
            cursor_.fail("constant expression is nested too deeply");
            return 0;
        }
        const std::uint64_t value = unary_within_depth();
        --depth_;
        return value;
    }

    std::uint64_t unary_within_depth() {
        if (cursor_.accept('-')) return 0 - unary();
        if (cursor_.accept('+')) return unary();
        if (cursor_.accept('~')) return ~unary();
        if (cursor_.accept('!')) return unary() == 0 ? 1 : 0;
        if (!cursor_.accept('(')) return cursor_.expect_integer("a constant");
        const std::uint64_t value = binary(1);
        cursor_.expect(')');
        return value;
    }

    std::uint64_t apply(char symbol, std::uint64_t left, std::uint64_t right) {
        switch (symbol) {
            case '|': return left | right;
            case '^': return left ^ right;
            case '&': return left & right;
            case '+': return left + right;
            case '-': return left - right;
            case '*': return left * right;
            case '<': return right < 64 ? left << right : 0;
            case '>': return static_cast<std::uint64_t>(static_cast<std::int64_t>(left) >> (right < 64 ? right : 63));
            default: return divide(symbol, static_cast<std::int64_t>(left), static_cast<std::int64_t>(right));
        }
    }

    std::uint64_t divide(char symbol, std::int64_t left, std::int64_t right) {
        if (right == 0) cursor_.fail("division by zero in a constant");
        if (right == 0) return 0;
        if (right == -1) return symbol == '/' ? 0 - static_cast<std::uint64_t>(left) : 0;
        return static_cast<std::uint64_t>(symbol == '/' ? left / right : left % right);
    }

    Cursor& cursor_;
    int depth_ = 0;
};

}  // namespace

std::uint64_t parse_constant_expression(Cursor& cursor) { return Evaluator(cursor).binary(1); }

bool starts_constant_expression(const Token& token) {
    if (token.kind == TokenKind::integer) return true;
    return token.kind == TokenKind::punctuation && std::string_view("-+~!(").find(token.text[0]) != std::string_view::npos;
}

}  // namespace optiml::ptx
