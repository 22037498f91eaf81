#include "cuda_source/edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "cuda_source/analysis.h"
#include "cuda_source/scan.h"

namespace optiml::cuda_source {
namespace {

std::uint32_t line_begin(std::string_view text, std::uint32_t offset) {
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    return newline == std::string_view::npos ? 0 : static_cast<std::uint32_t>(newline) + 1;
}

// Behind the newline of the line, or the text's size.
std::uint32_t line_end(std::string_view text, std::uint32_t offset) {
    const std::size_t newline = text.find('\n', offset);
    return newline == std::string_view::npos ? static_cast<std::uint32_t>(text.size()) : static_cast<std::uint32_t>(newline) + 1;
}

bool is_first_on_line(std::string_view text, std::uint32_t offset) {
    const std::uint32_t begin = line_begin(text, offset);
    return text.substr(begin, offset - begin).find_first_not_of(" \t") == std::string_view::npos;
}

// Only white space and comments stand between offset and the line's end.
bool is_last_on_line(std::string_view text, std::uint32_t offset) {
    const std::uint32_t end = line_end(text, offset);
    while (offset < end) {
        const std::uint32_t behind = skip_comment_or_literal(text, offset);
        if (behind != offset) {
            offset = behind;
        } else if (text[offset] == ' ' || text[offset] == '\t' || text[offset] == '\r' || text[offset] == '\n') {
            ++offset;
        } else {
            return false;
        }
    }
    return true;
}

std::string one_line(std::string_view lines) {
    std::string result;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        const std::size_t first = lines.find_first_not_of(" \t", begin);
        if (first < end) result += (result.empty() ? "" : " ") + std::string(lines.substr(first, end - first));
        begin = end + 1;
    }
    return result;
}

}  // namespace

Parents::Parents(const SourceFile& source)
    : of_expression(source.expressions.size(), none), statement_of(source.expressions.size(), none) {
    for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
        for (const ExpressionId child : source.expressions[id].children) of_expression[child] = id;
    }
    for (StatementId id = 0; id < source.statements.size(); ++id) {
        for (const ExpressionId expression : expressions_of(source, id)) statement_of[expression] = id;
    }
}

std::string fresh_name(const SourceFile& source, FunctionId, std::string_view stem) {
    const auto size = static_cast<std::uint32_t>(source.text.size());
    std::string name(stem);
    for (int number = 2; find_word(source.text, name, 0, size) != size; ++number) name = fmt::format("{}{}", stem, number);
    return name;
}

TextSpan header_span(const SourceFile& source, StatementId id) {
    const Statement& statement = source.statements[id];
    if (statement.in_macro) return {};
    std::uint32_t at = statement.span.begin;
    while (at < statement.span.end && is_identifier_character(source.text[at])) ++at;
    const std::uint32_t open = skip_blank(source.text, at);
    if (open >= statement.span.end || source.text[open] != '(') return {};
    const std::uint32_t close = matching_close(source.text, open);
    return close < statement.span.end ? TextSpan{open + 1, close} : TextSpan{};
}

std::string reindented(std::string_view lines, std::string_view indentation) {
    const std::size_t own = std::min(lines.find_first_not_of(" \t"), lines.size());
    std::string result;
    for (std::size_t begin = 0; begin < lines.size();) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        std::string_view line = lines.substr(begin, end - begin);
        const std::size_t lead = std::min(line.find_first_not_of(" \t"), line.size());
        line.remove_prefix(std::min(lead, own));
        if (!line.empty()) result.append(indentation).append(line);
        if (end < lines.size()) result += '\n';
        begin = end + 1;
    }
    return result;
}

Edit::Edit(const SourceFile& source) : source_(source), parents_(source) {}

void Edit::refuse(std::string_view what, TextSpan span) {
    const LineMap lines(source_.text);
    errors_.push_back(user_error(std::string(what), {source_.name, lines.line(span.begin), lines.column(span.begin)}).value());
}

void Edit::replace(TextSpan span, std::string text) { replacements_.push_back({span, std::move(text)}); }

void Edit::replace_expression(ExpressionId id, std::string_view text) {
    const Expression& expression = source_.expressions[id];
    const ExpressionId parent = parents_.of_expression[id];
    const bool is_part = expression.in_macro && parent != none && source_.expressions[parent].in_macro &&
                         source_.expressions[parent].span == expression.span && !source_.expressions[parent].implicit;
    if (is_part || expression.span.empty()) return refuse("an expression inside a macro use cannot be replaced", expression.span);
    const bool bare = precedence_of(text) >= precedence_needed_at(source_, parents_, id);
    replace(expression.span, bare ? std::string(text) : fmt::format("({})", text));
}

void Edit::replace_statement(StatementId id, std::string_view lines) {
    if (!has_place(id)) return;
    const TextSpan span = source_.statements[id].span;
    const std::string moved = reindented(lines, indentation_at(source_.text, span.begin));
    replace(span, moved.substr(std::min(moved.find_first_not_of(" \t"), moved.size())));
}

bool Edit::has_place(StatementId id) {
    const Statement& statement = source_.statements[id];
    const StatementId parent = statement.parent;
    bool has_own = !statement.span.empty();
    if (parent != none) {
        const Statement& outer = source_.statements[parent];
        // The statement around it, or one beside it, may come from the same macro use.
        const auto shares = [&](StatementId other) { return other != id && source_.statements[other].span == statement.span; };
        has_own = has_own && !(statement.in_macro && outer.span == statement.span) && outer.init != id &&
                  std::none_of(outer.children.begin(), outer.children.end(), shares);
    }
    if (!has_own) refuse("a loop's first part, or a part of a macro use, is no statement to edit around", statement.span);
    return has_own;
}

void Edit::insert_before(StatementId id, std::string_view lines) {
    if (has_place(id)) around_[id].before.emplace_back(lines);
}

void Edit::insert_after(StatementId id, std::string_view lines) {
    if (has_place(id)) around_[id].after.emplace_back(lines);
}

void Edit::insert_at_begin(StatementId id, std::string_view lines) {
    const Statement& compound = source_.statements[id];
    if (!compound.children.empty()) return insert_before(compound.children.front(), lines);
    const std::string indentation(indentation_at(source_.text, compound.span.begin));
    replace({compound.span.begin + 1, compound.span.end - 1}, "\n" + reindented(lines, indentation + "    ") + "\n" + indentation);
}

void Edit::insert_at_end(StatementId id, std::string_view lines) {
    const Statement& compound = source_.statements[id];
    if (compound.children.empty()) return insert_at_begin(id, lines);
    insert_after(compound.children.back(), lines);
}

bool Edit::is_bare_body(StatementId id) const {
    const StatementId parent = source_.statements[id].parent;
    if (parent == none) return false;
    const StatementKind kind = source_.statements[parent].kind;
    return kind != StatementKind::compound && kind != StatementKind::case_ && kind != StatementKind::other;
}

void Edit::remove_statement(StatementId id) {
    const Statement& statement = source_.statements[id];
    const std::string_view text = source_.text;
    if (!has_place(id)) return;
    if (!statement.pragma.empty()) set_pragma(id, "");
    if (is_bare_body(id)) return replace(statement.span, ";");
    if (is_first_on_line(text, statement.span.begin) && is_last_on_line(text, statement.span.end)) {
        return replace({line_begin(text, statement.span.begin), line_end(text, statement.span.end)}, "");
    }
    std::uint32_t end = statement.span.end;
    while (end < text.size() && (text[end] == ' ' || text[end] == '\t')) ++end;
    replace({statement.span.begin, end}, "");
}

void Edit::replace_header(StatementId id, std::string_view text) {
    const TextSpan span = header_span(source_, id);
    if (span.empty()) return refuse("the header comes from a macro", source_.statements[id].span);
    replace(span, std::string(text));
}

void Edit::set_pragma(StatementId id, std::string_view pragma) {
    const Statement& loop = source_.statements[id];
    const std::string_view text = source_.text;
    if (!loop.pragma.empty()) {
        const TextSpan old = loop.pragma_span;
        if (!pragma.empty()) return replace(old, std::string(pragma));
        if (!is_first_on_line(text, old.begin)) return refuse("the pragma comes from a macro", old);
        return replace({line_begin(text, old.begin), line_end(text, old.end)}, "");
    }
    if (pragma.empty()) return;
    if (loop.in_macro) return refuse("the loop comes from a macro", loop.span);
    const std::string indentation(indentation_at(text, loop.span.begin));
    if (is_first_on_line(text, loop.span.begin)) {
        const std::uint32_t begin = line_begin(text, loop.span.begin);
        return replace({begin, begin}, fmt::format("{}{}\n", indentation, pragma));
    }
    replace({loop.span.begin, loop.span.begin}, fmt::format("\n{}{}\n{}    ", indentation, pragma, indentation));
}

void Edit::set_launch_bounds(FunctionId id, std::uint32_t threads, std::uint32_t blocks) {
    const Function& kernel = source_.functions[id];
    const std::string bounds =
        blocks == 0 ? fmt::format("__launch_bounds__({})", threads) : fmt::format("__launch_bounds__({}, {})", threads, blocks);
    if (!kernel.launch_bounds_span.empty()) return replace(kernel.launch_bounds_span, bounds);
    constexpr std::string_view keyword = "__global__";
    const std::uint32_t at = find_word(source_.text, keyword, kernel.span.begin, kernel.name_span.begin);
    if (kernel.in_macro || at == kernel.name_span.begin) return refuse("the kernel's head comes from a macro", kernel.span);
    const std::uint32_t behind = at + static_cast<std::uint32_t>(keyword.size());
    replace({behind, behind}, " " + bounds);
}

void Edit::add_restrict(VariableId id) {
    const Variable& parameter = source_.variables[id];
    const Type& type = source_.types[parameter.type];
    if (type.is_restrict) return;
    const std::string_view head = source_.text_of(TextSpan{parameter.declaration.begin, parameter.name_span.begin});
    if (parameter.in_macro || type.kind != TypeKind::pointer || head.find('*') == std::string_view::npos) {
        return refuse(fmt::format("'{}' cannot be qualified with __restrict__ where it stands", parameter.name),
                      parameter.declaration);
    }
    const bool touches = head.back() == '*';
    replace({parameter.name_span.begin, parameter.name_span.begin}, touches ? " __restrict__ " : "__restrict__ ");
}

void Edit::add_const_pointee(VariableId id) {
    const Variable& parameter = source_.variables[id];
    const Type& type = source_.types[parameter.type];
    if (type.kind == TypeKind::pointer && type.element != none && source_.types[type.element].is_const) return;
    if (parameter.in_macro || type.kind != TypeKind::pointer || parameter.type_span.empty()) {
        return refuse(fmt::format("'{}' cannot be made const where it stands", parameter.name), parameter.declaration);
    }
    replace({parameter.type_span.begin, parameter.type_span.begin}, "const ");
}

void Edit::replace_type(VariableId id, std::string_view specifiers) {
    const Variable& variable = source_.variables[id];
    if (variable.in_macro || variable.type_span.empty()) return refuse("the declaration comes from a macro", variable.declaration);
    replace(variable.type_span, std::string(specifiers));
}

void Edit::insert_before_function(FunctionId id, std::string_view lines) {
    const std::uint32_t begin = line_begin(source_.text, source_.functions[id].span.begin);
    replace({begin, begin}, std::string(lines) + (lines.ends_with('\n') ? "\n" : "\n\n"));
}

std::string Edit::fresh_name(FunctionId function, std::string_view stem) {
    std::string name = cuda_source::fresh_name(source_, function, stem);
    for (int number = 2; taken_.count(name) != 0; ++number) {
        name = cuda_source::fresh_name(source_, function, fmt::format("{}{}", stem, number));
    }
    taken_.insert(name);
    return name;
}

void Edit::insert_around(StatementId id, const Around& around, std::vector<Replacement>& replacements) const {
    const Statement& statement = source_.statements[id];
    const std::string_view text = source_.text;
    const std::uint32_t head = statement.pragma.empty() ? statement.span.begin : statement.pragma_span.begin;
    const std::string_view indentation = indentation_at(text, statement.span.begin);
    for (const std::string& lines : around.before) {
        if (is_first_on_line(text, head)) {
            const std::uint32_t begin = line_begin(text, head);
            replacements.push_back({{begin, begin}, reindented(lines, indentation) + "\n"});
        } else {
            replacements.push_back({{head, head}, one_line(lines) + " "});
        }
    }
    for (const std::string& lines : around.after) {
        const std::uint32_t end = line_end(text, statement.span.end);
        const bool has_newline = end > 0 && text[end - 1] == '\n';
        if (is_last_on_line(text, statement.span.end) && has_newline) {
            replacements.push_back({{end, end}, reindented(lines, indentation) + "\n"});
        } else {
            replacements.push_back({{statement.span.end, statement.span.end}, " " + one_line(lines)});
        }
    }
}

void Edit::wrap_in_braces(StatementId id, const Around& around, std::vector<Replacement>& replacements) const {
    const Statement& statement = source_.statements[id];
    const std::string_view text = source_.text;
    const std::string outer(indentation_at(text, source_.statements[statement.parent].span.begin));
    const std::string inner = outer + "    ";
    const std::uint32_t head = statement.pragma.empty() ? statement.span.begin : statement.pragma_span.begin;
    std::string opening = "{\n";
    for (const std::string& lines : around.before) opening += reindented(lines, inner) + "\n";
    std::string closing;
    for (const std::string& lines : around.after) closing += "\n" + reindented(lines, inner);
    closing += "\n" + outer + "}";
    // The brace goes to the end of the header's line; the body keeps or gets a line of its own.
    std::uint32_t header_end = head;
    while (header_end > 0 && std::string_view(" \t\n\r").find(text[header_end - 1]) != std::string_view::npos) --header_end;
    const bool own_line = is_first_on_line(text, head);
    const std::string_view gap = text.substr(header_end, head - header_end);
    const bool has_comment_line =
        own_line && std::count(gap.begin(), gap.end(), '\n') == 1 &&
        text.substr(line_begin(text, header_end), header_end - line_begin(text, header_end)).find("//") != std::string_view::npos;
    if (has_comment_line) {
        replacements.push_back(
            {{head, head}, opening + inner});  // a comment ends the header's line: the brace must not fall into it
    } else {
        const bool keeps_hash = text[head] == '#';
        replacements.push_back({{header_end, head}, " " + opening + (keeps_hash ? "" : inner)});
    }
    std::uint32_t end = statement.span.end;
    if (is_last_on_line(text, end)) {
        end = line_end(text, end);
        while (end > statement.span.end && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
    }
    replacements.push_back({{end, end}, closing});
}

Result<std::string> Edit::apply() const {
    if (!errors_.empty()) return tl::unexpected(errors_.front());
    std::vector<Replacement> replacements = replacements_;
    // Where bare bodies end together, the inner one's brace comes first; lines between statements come in program order.
    for (auto at = around_.rbegin(); at != around_.rend(); ++at) {
        if (is_bare_body(at->first)) wrap_in_braces(at->first, at->second, replacements);
    }
    for (const auto& [id, around] : around_) {
        if (!is_bare_body(id)) insert_around(id, around, replacements);
    }
    return apply_replacements(source_.text, std::move(replacements));
}

}  // namespace optiml::cuda_source
