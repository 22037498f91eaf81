#include "cuda_source/substitution.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "cuda_source/analysis.h"
#include "cuda_source/scan.h"

namespace optiml::cuda_source {
namespace {

namespace precedence {
constexpr int comma = 1;
constexpr int assignment = 2;  // and ?:, which groups with it
constexpr int unary = 15;
constexpr int postfix = 16;
constexpr int primary = 17;
}  // namespace precedence

int binary_precedence(std::string_view op) {
    static constexpr std::array<std::string_view, 33> by_precedence = {
        ",", "",   "=", "?", ":", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "",  "||",
        "",  "&&", "",  "|", "",  "^",  "",   "&",  "",   "==", "!=", "",   "<",  ">",   "<=",  ">="};
    int level = precedence::comma;
    for (const std::string_view entry : by_precedence) {
        if (entry.empty()) {
            ++level;
        } else if (entry == op) {
            return level;
        }
    }
    if (op == "<<" || op == ">>") return level + 2;  // <=> stands between
    if (op == "+" || op == "-") return level + 3;
    if (op == "*" || op == "/" || op == "%") return level + 4;
    return precedence::primary;
}

// The operator that begins at `at`, longest first.
std::string_view operator_at(std::string_view text, std::size_t at) {
    static constexpr std::string_view operators[] = {"<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
                                                     "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "::", ",",  "=",  "?",  ":",
                                                     "|",   "^",   "&",  "<",  ">",  "+",  "-",  "*",  "/",  "%",  "!",  "~"};
    for (const std::string_view op : operators) {
        if (text.substr(at, op.size()) == op) return op;
    }
    return {};
}

// How tightly the outermost operator of an expression's text binds: larger binds tighter (comma 1 ... primary 17).
int precedence_of(std::string_view text) {
    int least = precedence::primary;
    bool after_operand = false;
    for (std::uint32_t at = skip_blank(text, 0); at < text.size(); at = skip_blank(text, at)) {
        const char c = text[at];
        if (c == '(' || c == '[' || c == '{') {
            const std::uint32_t close = matching_close(text, at);
            // "(int)x" and "(a)" alone look the same up to the next token: what follows an operand without an operator was a cast.
            if (after_operand) least = std::min(least, precedence::postfix);
            after_operand = true;
            at = close < text.size() ? close + 1 : close;
        } else if (is_word_character(c) || c == '"' || c == '\'' || c == '.') {
            if (after_operand && c != '.') least = std::min(least, precedence::unary);
            if (after_operand && c == '.') least = std::min(least, precedence::postfix);
            if (c == '"' || c == '\'') {
                at = skip_comment_or_literal(text, at);
            } else {
                ++at;
                while (at < text.size() && (is_word_character(text[at]) || text[at] == '.' || text[at] == '\'')) {
                    const bool exponent = (text[at] == 'e' || text[at] == 'E') && is_digit(text[at - 1]);
                    ++at;
                    if (exponent && at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
                }
            }
            after_operand = true;
        } else {
            const std::string_view op = operator_at(text, at);
            if (op.empty()) return precedence::comma;  // not an expression we know
            at += static_cast<std::uint32_t>(op.size());
            if (op == "::") {
                after_operand = false;
            } else if (op == "->") {
                least = std::min(least, precedence::postfix);
                after_operand = false;
            } else if (op == "++" || op == "--") {
                least = std::min(least, after_operand ? precedence::postfix : precedence::unary);
            } else if (after_operand) {
                least = std::min(least, binary_precedence(op));
                after_operand = false;
            } else {
                least = std::min(least, precedence::unary);
            }
        }
    }
    return least;
}

// The expression above each one; none: at the top of its statement, or of a variable's initializer.
std::vector<ExpressionId> parents_of(const SourceFile& source) {
    std::vector<ExpressionId> parents(source.expressions.size(), none);
    for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
        for (const ExpressionId child : source.expressions[id].children) parents[child] = id;
    }
    return parents;
}

// The least precedence that text in place of this node must have to need no parentheses.
int precedence_needed_at(const SourceFile& source, const std::vector<ExpressionId>& parents, ExpressionId id) {
    const TextSpan span = source.expressions[id].span;
    ExpressionId child = id;
    ExpressionId parent = parents[id];
    while (parent != none && source.expressions[parent].kind == ExpressionKind::cast && source.expressions[parent].implicit) {
        child = parent;
        parent = parents[parent];
    }
    if (parent == none) return precedence::assignment;  // an initializer must not be taken for two
    const Expression& outer = source.expressions[parent];
    const std::string_view text = source.text;
    const std::uint32_t next = skip_blank(text, span.end);
    std::uint32_t before = span.begin;
    while (before > 0 && (text[before - 1] == ' ' || text[before - 1] == '\t' || text[before - 1] == '\n')) --before;
    if (before > outer.span.begin && text[before - 1] == '(' && next < outer.span.end && text[next] == ')') return precedence::comma;
    const bool is_first = outer.children.front() == child;
    switch (outer.kind) {
        case ExpressionKind::binary:
            return binary_precedence(outer.op) + (is_first ? 0 : 1);
        case ExpressionKind::assignment:
            return is_first ? precedence::unary : precedence::assignment;
        case ExpressionKind::unary:
            return outer.op[0] == 'p' ? precedence::postfix : precedence::unary;
        case ExpressionKind::conditional:
            return is_first ? precedence::assignment + 1 : precedence::assignment;
        case ExpressionKind::subscript:
            return is_first ? precedence::postfix : precedence::comma;
        case ExpressionKind::member:
            return precedence::postfix;
        case ExpressionKind::member_call:
            return is_first ? precedence::postfix : precedence::assignment;
        case ExpressionKind::cast:
            return precedence::unary;
        default:
            return precedence::assignment;
    }
}

}  // namespace

Result<std::string> substitute(const SourceFile& source, ExpressionId expression, const std::map<VariableId, std::string>& values) {
    const std::vector<ExpressionId> parents = parents_of(source);
    const TextSpan whole = source.expressions[expression].span;
    std::vector<Replacement> replacements;
    for (const ExpressionId id : expressions_below(source, expression)) {
        const Expression& part = source.expressions[id];
        const auto value = part.kind == ExpressionKind::variable ? values.find(part.variable) : values.end();
        if (value == values.end()) continue;
        if (part.in_macro || !whole.contains(part.span)) {
            const LineMap lines(source.text);
            return user_error(fmt::format("'{}' stands inside a macro use", part.name),
                              {source.name, lines.line(part.span.begin), lines.column(part.span.begin)});
        }
        const bool is_root = part.span == whole;
        const bool bare = is_root || precedence_of(value->second) >= precedence_needed_at(source, parents, id);
        const TextSpan local{part.span.begin - whole.begin, part.span.end - whole.begin};
        replacements.push_back({local, bare ? value->second : "(" + value->second + ")"});
    }
    return apply_replacements(source.text_of(expression), std::move(replacements));
}

}  // namespace optiml::cuda_source
