#pragma once
// Edits of the user's text by parts of the tree. Everything that is not named stays as it was written: comments, formatting,
// macros.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

// The nodes above each node.
struct Parents {
    explicit Parents(const SourceFile& source);
    std::vector<ExpressionId> of_expression;  // none: at the top of its statement, or of a variable's initializer
    std::vector<StatementId> statement_of;    // the innermost statement that holds the expression
};

// How tightly the outermost operator of an expression's text binds: larger binds tighter (comma 1 ... primary 17).
int precedence_of(std::string_view expression_text);
// The least precedence that text in place of this node must have to need no parentheses.
int precedence_needed_at(const SourceFile& source, const Parents& parents, ExpressionId expression);

// The expression's text with variables replaced by other expressions' texts, which are put in parentheses only where the operators
// around them need it. Error (user): a variable stands inside a macro use.
Result<std::string> substitute(const SourceFile& source, ExpressionId expression, const std::map<VariableId, std::string>& values);

// A name that occurs nowhere in the file: the stem, or the stem with a number behind it.
std::string fresh_name(const SourceFile& source, FunctionId function, std::string_view stem);

// The text between the parentheses behind `for`, `while`, `if` or `switch`. Empty where the statement comes from a macro.
TextSpan header_span(const SourceFile& source, StatementId statement);

// The lines of a text moved to another indentation: the first line's own one is replaced in every line that has it.
std::string reindented(std::string_view lines, std::string_view indentation);

// Collects changes to one source and applies them all at once. Lines given to it are written without indentation of their own
// beyond the relative one; they get the indentation of the statement they go to. A change that cannot be made (a part of a macro
// use) makes apply() fail with it.
class Edit {
public:
    explicit Edit(const SourceFile& source);

    void replace(TextSpan span, std::string text);
    // The text gets parentheses where the operators around the expression need them.
    void replace_expression(ExpressionId expression, std::string_view text);
    void replace_statement(StatementId statement, std::string_view lines);
    // Braces appear where the statement is the bare body of a loop or branch.
    void insert_before(StatementId statement, std::string_view lines);
    void insert_after(StatementId statement, std::string_view lines);
    // The first or last lines of a body (compound).
    void insert_at_begin(StatementId compound, std::string_view lines);
    void insert_at_end(StatementId compound, std::string_view lines);
    // With its line, where nothing else stands on it, and its pragma. The bare body of a loop or branch becomes `;`.
    void remove_statement(StatementId statement);
    void replace_header(StatementId loop, std::string_view text);
    // "#pragma unroll 4" on a line of its own before the loop, in place of one that is there; an empty text removes it.
    void set_pragma(StatementId loop, std::string_view pragma);
    // __launch_bounds__(threads) or (threads, blocks) behind __global__, in place of those that are there.
    void set_launch_bounds(FunctionId kernel, std::uint32_t threads, std::uint32_t blocks = 0);
    void add_restrict(VariableId parameter);       // no change where it has it
    void add_const_pointee(VariableId parameter);  // float* becomes const float*
    void replace_type(VariableId variable, std::string_view specifiers);
    // Lines before the function, at file scope.
    void insert_before_function(FunctionId function, std::string_view lines);

    // As the free function, and different from earlier names of this edit.
    std::string fresh_name(FunctionId function, std::string_view stem);

    Result<std::string> apply() const;

private:
    struct Around {
        std::vector<std::string> before;
        std::vector<std::string> after;
    };
    bool is_bare_body(StatementId statement) const;
    void insert_around(StatementId statement, const Around& around, std::vector<Replacement>& replacements) const;
    void wrap_in_braces(StatementId statement, const Around& around, std::vector<Replacement>& replacements) const;
    bool has_place(StatementId statement);
    void refuse(std::string_view what, TextSpan span);

    const SourceFile& source_;
    Parents parents_;
    std::vector<Replacement> replacements_;
    std::map<StatementId, Around> around_;
    std::set<std::string, std::less<>> taken_;
    std::vector<Error> errors_;
};

}  // namespace optiml::cuda_source
