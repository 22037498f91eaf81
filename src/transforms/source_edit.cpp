#include "transforms/source_edit.h"

#include <algorithm>

#include "base/text.h"
#include "transforms/kernel_tree.h"
#include "transforms/source_style.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionKind;
using cuda_source::none;

std::uint32_t line_end(std::string_view text, std::uint32_t offset) {
    return static_cast<std::uint32_t>(std::min(text.find('\n', offset), text.size()));
}

bool is_blank(std::string_view text) { return trimmed(text).empty(); }

bool is_comment(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line.substr(first).starts_with("//");
}

bool begins_its_line(std::string_view text, std::uint32_t offset) {
    const std::uint32_t begin = line_begin_at(text, offset);
    return is_blank(text.substr(begin, offset - begin));
}

// Nothing but blanks or a comment follows on the line.
bool ends_its_line(std::string_view text, std::uint32_t offset) {
    const std::string_view rest = text.substr(offset, line_end(text, offset) - offset);
    return is_blank(rest) || is_comment(rest);
}

// "a\nb" at indentation "  ": "a\n  b".
std::string joined(std::string_view lines, std::string_view indentation) { return indented(lines, indentation); }

}  // namespace

std::uint32_t begin_with_comments(std::string_view text, std::uint32_t offset) {
    std::uint32_t begin = line_begin_at(text, offset);
    while (begin > 0) {
        const std::uint32_t above = line_begin_at(text, begin - 1);
        if (!is_comment(text.substr(above, begin - 1 - above))) break;
        begin = above;
    }
    return begin;
}

TextSpan span_with_pragma(const cuda_source::Statement& statement) {
    if (statement.pragma.empty() || statement.pragma_span.empty()) return statement.span;
    return {std::min(statement.pragma_span.begin, statement.span.begin), statement.span.end};
}

void SourceEdit::replace(TextSpan span, std::string text) { replacements_.push_back({span, std::move(text)}); }

void SourceEdit::replace(cuda_source::ExpressionId expression, std::string text) {
    replace(source_.expressions[expression].span, std::move(text));
}

void SourceEdit::replace_statement(cuda_source::StatementId statement, std::string_view lines) {
    const TextSpan span = span_with_pragma(source_.statements[statement]);
    replace(span, joined(lines, indentation_at(source_.text, span.begin)));
}

void SourceEdit::insert(std::uint32_t offset, std::string text) { replace({offset, offset}, std::move(text)); }

void SourceEdit::insert_before(cuda_source::StatementId statement, std::string_view lines) {
    const std::string_view text = source_.text;
    const std::uint32_t begin = span_with_pragma(source_.statements[statement]).begin;
    const std::string indentation(indentation_at(text, source_.statements[statement].span.begin));
    if (begins_its_line(text, begin)) {
        insert(begin_with_comments(text, begin), indentation + joined(lines, indentation) + '\n');
    } else {
        insert(begin, joined(lines, indentation) + '\n' + indentation);
    }
}

void SourceEdit::insert_after(cuda_source::StatementId statement, std::string_view lines) {
    const std::string_view text = source_.text;
    const TextSpan span = source_.statements[statement].span;
    const std::string indentation(indentation_at(text, span.begin));
    const std::string inserted = '\n' + indentation + joined(lines, indentation);
    if (ends_its_line(text, span.end)) {
        insert(line_end(text, span.end), inserted);
    } else {
        insert(span.end, inserted + '\n' + indentation);
    }
}

void SourceEdit::insert_pragma(cuda_source::StatementId statement, std::string_view pragma) {
    const std::uint32_t begin = source_.statements[statement].span.begin;
    const std::string indentation(indentation_at(source_.text, begin));
    const std::string line = std::string(pragma) + '\n' + indentation;
    insert(begin, begins_its_line(source_.text, begin) ? line : '\n' + indentation + line);
}

void SourceEdit::insert_before_function(cuda_source::FunctionId function, std::string_view lines) {
    insert(begin_with_comments(source_.text, source_.functions[function].span.begin), std::string(lines));
}

void SourceEdit::remove(cuda_source::StatementId statement) {
    const std::string_view text = source_.text;
    TextSpan span = span_with_pragma(source_.statements[statement]);
    if (begins_its_line(text, span.begin) && is_blank(text.substr(span.end, line_end(text, span.end) - span.end))) {
        span = {line_begin_at(text, span.begin), std::min<std::uint32_t>(line_end(text, span.end) + 1, text.size())};
    }
    replace(span, "");
}

std::uint32_t SourceEdit::end_with_comment(cuda_source::StatementId statement) const {
    const std::string_view text = source_.text;
    const std::uint32_t end = source_.statements[statement].span.end;
    const bool has_comment = ends_its_line(text, end) && !is_blank(text.substr(end, line_end(text, end) - end));
    return has_comment ? line_end(text, end) : end;
}

std::string SourceEdit::take_dedented(TextSpan span, std::string_view indentation) {
    const std::string kept(indentation);
    const std::string text = take(span);
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        result += text[i];
        if (text[i] == '\n' && std::string_view(text).substr(i + 1).starts_with(kept)) i += kept.size();
    }
    // The first line begins behind its indentation; blank lines around the text stay behind.
    return std::string(trimmed(result));
}

std::string SourceEdit::take_statements(cuda_source::StatementId first, cuda_source::StatementId last) {
    const TextSpan span = {span_with_pragma(source_.statements[first]).begin, end_with_comment(last)};
    return take_dedented(span, indentation_at(source_.text, span.begin));
}

std::string SourceEdit::take_commented(cuda_source::StatementId first, cuda_source::StatementId last) {
    const std::string_view text = source_.text;
    TextSpan span = {span_with_pragma(source_.statements[first]).begin, end_with_comment(last)};
    if (begins_its_line(text, span.begin)) span.begin = begin_with_comments(text, span.begin);
    return take_dedented(span, indentation_at(text, span_with_pragma(source_.statements[first]).begin));
}

std::string SourceEdit::take_rest(cuda_source::StatementId after, cuda_source::StatementId last) {
    const TextSpan statement = source_.statements[after].span;
    return take_dedented({statement.end, end_with_comment(last)}, indentation_at(source_.text, statement.begin));
}

std::string SourceEdit::take_body(cuda_source::StatementId body) {
    const auto& statement = source_.statements[body];
    if (statement.kind != cuda_source::StatementKind::compound) return take_statements(body, body);
    const std::uint32_t first = statement.children.empty() ? statement.span.end : source_.statements[statement.children.front()].span.begin;
    return take_dedented({statement.span.begin + 1, statement.span.end - 1}, indentation_at(source_.text, first));
}

void SourceEdit::replace_statements(cuda_source::StatementId first, cuda_source::StatementId last, std::string_view lines) {
    const TextSpan span = {span_with_pragma(source_.statements[first]).begin, end_with_comment(last)};
    replace(span, joined(lines, indentation_at(source_.text, span.begin)));
}

std::string SourceEdit::take(TextSpan span) {
    std::vector<Replacement> inside;
    std::erase_if(replacements_, [&](const Replacement& replacement) {
        if (!span.contains(replacement.span)) return false;
        inside.push_back({{replacement.span.begin - span.begin, replacement.span.end - span.begin}, replacement.text});
        return true;
    });
    const std::string before(source_.text_of(span));
    return apply_replacements(before, std::move(inside)).value_or(before);
}

Result<std::string> SourceEdit::finish() const { return apply_replacements(source_.text, replacements_); }

std::string as_operand(const cuda_source::SourceFile& source, cuda_source::ExpressionId expression) {
    const auto& node = source.expressions[without_implicit_casts(source, expression)];
    const std::string text(source.text_of(node.span));
    const bool is_primary = node.kind == ExpressionKind::integer_literal || node.kind == ExpressionKind::float_literal ||
                            node.kind == ExpressionKind::variable || node.kind == ExpressionKind::builtin_index ||
                            node.kind == ExpressionKind::subscript || node.kind == ExpressionKind::call ||
                            node.kind == ExpressionKind::member || node.kind == ExpressionKind::member_call || node.in_macro;
    return is_primary ? text : '(' + text + ')';
}

}  // namespace optiml::transforms
