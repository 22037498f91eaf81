#pragma once
// Integer expressions over named sizes: + - * / % unary -, ceil_div(a,b) min(a,b,...) max(a,b,...) pow2_at_least(a) log2_ceil(a),
// comparisons (== != < <= > >=), && || !, c ? a : b, parentheses, integer literals with optional suffixes k/M/G are NOT accepted,
// but 2^28 is (right-associative, exponent >= 0). / and % round towards zero as in C; overflow of 64 bits is an error.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace optiml::task {

using Sizes = std::map<std::string, std::int64_t>;

class Expression {
public:
    Expression();  // the constant 0
    explicit Expression(std::int64_t constant);
    // where: the place of the text's first character in the task file; errors point into it.
    static Result<Expression> parse(std::string_view text, SourceLocation where = {});

    // Errors (user): unknown name, division by zero, overflow; each names the expression's text and place.
    Result<std::int64_t> evaluate(const Sizes& sizes) const;
    std::set<std::string> names() const;
    const std::string& text() const;            // as written
    bool is_constant() const;
    bool operator==(const Expression& other) const { return text() == other.text(); }

private:
    struct Node;
    std::shared_ptr<const Node> root_;
    std::shared_ptr<const std::string> text_;
    SourceLocation where_;
};

}  // namespace optiml::task
