// Recursive descent over the grammar of task/expression.h, weakest binding first.

#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "task/expression_node.h"
#include "task/nearest.h"

namespace optiml::task {
namespace {

// Both keep hostile text from exhausting the stack: by nesting, and by chains such as 1+1+1+...
constexpr int kMaximumDepth = 200;
constexpr std::size_t kMaximumLength = 4000;

class Parser {
public:
    Parser(std::string_view text, const SourceLocation& where) : text_(text), where_(where) {}

    Result<NodePointer> parse() {
        if (text_.size() > kMaximumLength) {
            return user_error(fmt::format("an expression is longer than {} characters", kMaximumLength), where_,
                              "Split it into smaller expressions.");
        }
        auto root = conditional();
        if (!root) return root;
        skip_space();
        if (position_ < text_.size()) return unexpected_text();
        return root;
    }

private:
    // Counts nesting for as long as it lives.
    class Nesting {
    public:
        explicit Nesting(int& depth) : depth_(depth) { ++depth_; }
        ~Nesting() { --depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        int& depth_;
    };

    Result<NodePointer> conditional() {
        const Nesting nesting(depth_);
        if (depth_ > kMaximumDepth) return error("nests too deeply", position_, "Split it into smaller expressions.");
        auto condition = binary(Binding::logical_or);
        if (!condition || !accept("?")) return condition;
        const std::uint32_t offset = begin_;
        auto chosen = conditional();
        if (!chosen) return chosen;
        if (!accept(":")) return error("lacks the ':' of its '?'", position_, "Write condition ? value : other_value.");
        auto other = conditional();
        if (!other) return other;
        return make_node(Operator::conditional, {*condition, *chosen, *other}, offset);
    }

    Result<NodePointer> binary(Binding level) {
        if (level == Binding::unary) return unary();
        const Binding tighter = static_cast<Binding>(static_cast<int>(level) + 1);
        auto left = binary(tighter);
        while (left) {
            const BinaryOperator* op = accept_operator(level);
            if (op == nullptr) return left;
            const std::uint32_t offset = begin_;
            auto right = binary(tighter);
            if (!right) return right;
            left = make_node(op->op, {*left, *right}, offset);
        }
        return left;
    }

    Result<NodePointer> unary() {
        const Nesting nesting(depth_);
        if (depth_ > kMaximumDepth) return error("nests too deeply", position_, "Split it into smaller expressions.");
        if (accept("-")) return negation();
        if (!at("!=") && accept("!")) {
            const std::uint32_t offset = begin_;
            auto operand = unary();
            if (!operand) return operand;
            return make_node(Operator::logical_not, {*operand}, offset);
        }
        return power();
    }

    // The operand of a minus sign. The smallest integer is the one literal that only a minus sign makes representable.
    Result<NodePointer> negation() {
        const std::uint32_t offset = begin_;
        constexpr std::string_view smallest = "9223372036854775808";
        if (at(smallest) && !is_word(position_ + smallest.size())) {
            position_ += smallest.size();
            if (!at("^")) return make_constant(std::numeric_limits<std::int64_t>::min(), offset);
            return error("holds a literal that does not fit 64 bits", offset, "Numbers reach from -2^63 to 2^63 - 1.");
        }
        auto operand = unary();
        if (!operand) return operand;
        return make_node(Operator::negate, {*operand}, offset);
    }

    Result<NodePointer> power() {
        auto base = primary();
        if (!base || !accept("^")) return base;
        const std::uint32_t offset = begin_;
        auto exponent = unary();
        if (!exponent) return exponent;
        return make_node(Operator::power, {*base, *exponent}, offset);
    }

    Result<NodePointer> primary() {
        skip_space();
        begin_ = position_;
        if (accept("(")) {
            const std::uint32_t offset = begin_;
            auto inner = conditional();
            if (!inner) return inner;
            if (!accept(")")) return error("lacks a closing parenthesis", offset, "Close the parenthesis that opens here.");
            return inner;
        }
        const std::string_view word = take_word();
        if (word.empty()) return unexpected_text();
        if (is_digit(word[0])) return literal(word);
        if (at("(")) return call(word);
        if (!is_expression_name(word)) {
            return error(fmt::format("uses the function {} without arguments", word), begin_, fmt::format("Write {}(...).", word));
        }
        return std::make_shared<ExpressionNode>(ExpressionNode{Operator::name, 0, std::string(word), {}, begin_});
    }

    Result<NodePointer> literal(std::string_view digits) {
        std::int64_t value = 0;
        for (const char c : digits) {
            if (!is_digit(c)) {
                return error(fmt::format("holds '{}', which is no decimal integer", digits), begin_,
                             "Write whole numbers in decimal digits; 2^28 is a power of two.");
            }
            if (__builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, c - '0', &value)) {
                return error("holds a literal that does not fit 64 bits", begin_, "Numbers reach from -2^63 to 2^63 - 1.");
            }
        }
        return make_constant(value, begin_);
    }

    Result<NodePointer> call(std::string_view name) {
        const std::uint32_t offset = begin_;
        const NamedFunction* function = nullptr;
        std::vector<std::string> known;
        for (const NamedFunction& candidate : named_functions()) {
            known.emplace_back(candidate.name);
            if (candidate.name == name) function = &candidate;
        }
        if (function == nullptr) {
            return error(fmt::format("calls the unknown function {}", name), offset, suggestion_for(name, known, "functions"));
        }
        auto arguments = call_arguments();
        if (!arguments) return tl::make_unexpected(std::move(arguments.error()));
        if (arguments->size() < function->least_arguments || arguments->size() > function->most_arguments) {
            const std::string wanted = function->most_arguments == function->least_arguments
                                           ? fmt::format("{}", function->least_arguments)
                                           : fmt::format("at least {}", function->least_arguments);
            return error(fmt::format("gives {} {} arguments", name, arguments->size()), offset,
                         fmt::format("{} takes {}.", name, wanted));
        }
        return make_node(function->op, std::move(*arguments), offset);
    }

    Result<std::vector<NodePointer>> call_arguments() {
        std::vector<NodePointer> arguments;
        accept("(");
        if (accept(")")) return arguments;
        do {
            auto argument = conditional();
            if (!argument) return tl::make_unexpected(std::move(argument.error()));
            arguments.push_back(std::move(*argument));
        } while (accept(","));
        if (accept(")")) return arguments;
        return fail("lacks a closing parenthesis", position_, "Separate arguments by commas and close the parenthesis.");
    }

    const BinaryOperator* accept_operator(Binding level) {
        for (const BinaryOperator& candidate : binary_operators()) {
            if (!at(candidate.symbol)) continue;
            if (candidate.binding != level) return nullptr;
            accept(candidate.symbol);
            return &candidate;
        }
        return nullptr;
    }

    bool is_word(std::size_t offset) const { return offset < text_.size() && is_word_character(text_[offset]); }

    std::string_view take_word() {
        std::size_t end = position_;
        while (is_word(end)) ++end;
        const std::string_view word = text_.substr(position_, end - position_);
        position_ = static_cast<std::uint32_t>(end);
        return word;
    }

    void skip_space() {
        while (position_ < text_.size() && std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) ++position_;
    }

    bool at(std::string_view symbol) {
        skip_space();
        return text_.substr(position_).starts_with(symbol);
    }

    bool accept(std::string_view symbol) {
        if (!at(symbol)) return false;
        begin_ = position_;
        position_ += static_cast<std::uint32_t>(symbol.size());
        return true;
    }

    tl::unexpected<Error> fail(std::string_view what, std::uint32_t offset, std::string remedy) const {
        return user_error(fmt::format("the expression \"{}\" {}", text_, what), place_in(where_, text_, offset), std::move(remedy));
    }
    Result<NodePointer> error(std::string_view what, std::uint32_t offset, std::string remedy) const {
        return fail(what, offset, std::move(remedy));
    }

    Result<NodePointer> unexpected_text() {
        skip_space();
        if (position_ >= text_.size()) return error("ends too early", position_, "A number, a size's name or a '(' must follow.");
        return error(fmt::format("has an unexpected '{}'", text_.substr(position_, 1)), position_,
                     "Expressions are built of numbers, names of sizes, + - * / % ^, comparisons, && || ! ?: and functions.");
    }

    std::string_view text_;
    const SourceLocation& where_;
    std::uint32_t position_ = 0;
    std::uint32_t begin_ = 0;  // where the token accepted last began
    int depth_ = 0;
};

}  // namespace

Result<NodePointer> parse_expression(std::string_view text, const SourceLocation& where) { return Parser(text, where).parse(); }

}  // namespace optiml::task
