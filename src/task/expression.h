#pragma once
// Integer expressions over named sizes: + - * / % unary -, ceil_div(a,b) min(a,b,...) max(a,b,...) pow2_at_least(a) log2_ceil(a),
// comparisons (== != < <= > >=), && || !, c ? a : b, parentheses and decimal literals. 2^28 is a power (right-associative,
// exponent >= 0, binds tighter than unary minus). / and % round towards zero as in C, ceil_div rounds up, comparisons give 0 or 1,
// && || ?: evaluate only what they need; overflow of 64 bits is an error.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "optiml/sizes.h"

namespace optiml::task {

struct ExpressionNode;  // task/expression_node.h

class Expression {
public:
    Expression();  // the constant 0
    explicit Expression(std::int64_t constant);
    // where: the place of the text's first character in the task file; errors point into it.
    static Result<Expression> parse(std::string_view text, SourceLocation where = {});

    // Errors (user): unknown name, division by zero, overflow; each names the expression's text and place.
    Result<std::int64_t> evaluate(const Sizes& sizes) const;
    std::set<std::string> names() const;
    const std::string& text() const { return *text_; }  // as written
    // The same expression with standard spacing and only the parentheses it needs; parses to an equal expression.
    const std::string& canonical_text() const { return *canonical_text_; }
    // The same as a C++ expression over variables of type long long; ceil_div, min, max, pow2_at_least, log2_ceil and power(a, b) are
    // functions on long long that the reader provides.
    std::string cpp_text() const;
    bool is_constant() const { return names().empty(); }
    const SourceLocation& where() const { return where_; }
    // Every use of a name replaced by an expression.
    Expression substituted(std::string_view name, const Expression& replacement) const;
    bool operator==(const Expression& other) const { return *canonical_text_ == *other.canonical_text_; }

    // Sum, difference, product, quotient and ceil_div of expressions, for plans that are built in code. Constants are folded
    // where that does not overflow; x + 0, x - 0, x * 1, x / 1 are x.
    friend Expression operator+(const Expression& a, const Expression& b);
    friend Expression operator-(const Expression& a, const Expression& b);
    friend Expression operator*(const Expression& a, const Expression& b);
    friend Expression operator/(const Expression& a, const Expression& b);
    friend Expression ceil_div(const Expression& a, const Expression& b);

private:
    explicit Expression(std::shared_ptr<const ExpressionNode> root);

    std::shared_ptr<const ExpressionNode> root_;
    std::shared_ptr<const std::string> text_;
    std::shared_ptr<const std::string> canonical_text_;
    SourceLocation where_;
};

Expression ceil_div(const Expression& a, const Expression& b);

// True for a name that expressions can refer to: letters, digits and _, not beginning with a digit, and not one of the functions.
bool is_expression_name(std::string_view text);

}  // namespace optiml::task
