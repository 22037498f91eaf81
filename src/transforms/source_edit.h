#pragma once
// Edits of a parsed source at the level of statements and expressions; what they do not touch stays byte for byte.

#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::transforms {

class SourceEdit {
public:
    explicit SourceEdit(const cuda_source::SourceFile& source) : source_(source) {}

    void replace(TextSpan span, std::string text);
    void replace(cuda_source::ExpressionId expression, std::string text);
    // Lines (without indentation) in place of a statement and its pragma; its comments stay.
    void replace_statement(cuda_source::StatementId statement, std::string_view lines);
    void insert(std::uint32_t offset, std::string text);
    // Lines (separated by '\n', without indentation) before a statement, above the comments that stand directly over it.
    void insert_before(cuda_source::StatementId statement, std::string_view lines);
    // Lines after a statement, after a comment at the end of its line.
    void insert_after(cuda_source::StatementId statement, std::string_view lines);
    // A directive on the line before a statement, below its comments; `#pragma unroll` belongs to what follows it.
    void insert_pragma(cuda_source::StatementId statement, std::string_view pragma);
    // Lines before a function, above its comments.
    void insert_before_function(cuda_source::FunctionId function, std::string_view lines);
    // A statement with its line, where it stands alone on it.
    void remove(cuda_source::StatementId statement);
    // Texts that are to move: the edits inside are made and leave the collection, lines are indented as from column 1.
    // The sibling statements first..last with what stands between them and a comment behind the last.
    std::string take_statements(cuda_source::StatementId first, cuda_source::StatementId last);
    // The same with the comment lines directly above the first.
    std::string take_commented(cuda_source::StatementId first, cuda_source::StatementId last);
    // All that follows a statement, comments included, up to a later sibling.
    std::string take_rest(cuda_source::StatementId after, cuda_source::StatementId last);
    // What stands between the braces of a block, or a single statement.
    std::string take_body(cuda_source::StatementId body);
    // Lines (without indentation) in place of the statements first..last; comments above them stay.
    void replace_statements(cuda_source::StatementId first, cuda_source::StatementId last, std::string_view lines);
    // The text of a span with the edits inside it made; they leave the collection.
    std::string take(TextSpan span);
    Result<std::string> finish() const;

private:
    std::uint32_t end_with_comment(cuda_source::StatementId statement) const;
    std::string take_dedented(TextSpan span, std::string_view indentation);

    const cuda_source::SourceFile& source_;
    std::vector<Replacement> replacements_;
};

// Where the comment lines that stand directly above offset begin; the begin of offset's line where there are none.
std::uint32_t begin_with_comments(std::string_view text, std::uint32_t offset);

// A statement's span together with a #pragma that belongs to it.
TextSpan span_with_pragma(const cuda_source::Statement& statement);

// The expression's text, in parentheses unless it is a name, a literal, a call, a subscript or already in parentheses.
std::string as_operand(const cuda_source::SourceFile& source, cuda_source::ExpressionId expression);

}  // namespace optiml::transforms
