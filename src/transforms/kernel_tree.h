#pragma once
// A kernel's statements and expressions with the links that the syntax tree leaves out: parents, uses and writes of variables.

#include <unordered_map>
#include <vector>

#include "cuda_source/syntax.h"

namespace optiml::transforms {

class KernelTree {
public:
    KernelTree(const cuda_source::SourceFile& source, cuda_source::FunctionId function);

    const cuda_source::SourceFile& source() const { return source_; }
    cuda_source::FunctionId function() const { return function_; }
    cuda_source::StatementId body() const { return source_.functions[function_].body; }
    // In program order.
    const std::vector<cuda_source::StatementId>& statements() const { return statements_; }
    const std::vector<cuda_source::ExpressionId>& expressions() const { return expressions_; }

    cuda_source::ExpressionId parent(cuda_source::ExpressionId expression) const;        // none at a statement's top
    cuda_source::StatementId statement_of(cuda_source::ExpressionId expression) const;   // innermost
    bool is_inside(cuda_source::StatementId statement, cuda_source::StatementId ancestor) const;  // or the same
    bool is_within(cuda_source::ExpressionId expression, cuda_source::ExpressionId ancestor) const;       // or the same
    bool holds(cuda_source::StatementId statement, cuda_source::ExpressionId expression) const;   // at any depth
    // Expressions that name the variable, in program order.
    std::vector<cuda_source::ExpressionId> uses_of(cuda_source::VariableId variable) const;
    std::vector<cuda_source::ExpressionId> uses_of(cuda_source::VariableId variable, cuda_source::StatementId within) const;
    // Whether a use (as uses_of gives it) assigns or increments the variable, takes its address or hands it over by reference.
    bool is_write(cuda_source::ExpressionId use) const;
    cuda_source::StatementId declaration_of(cuda_source::VariableId variable) const;  // none for parameters and file scope

private:
    void visit(cuda_source::StatementId statement);
    void visit(cuda_source::ExpressionId expression, cuda_source::ExpressionId parent, cuda_source::StatementId statement);

    struct Place {
        cuda_source::ExpressionId parent = cuda_source::none;
        cuda_source::StatementId statement = cuda_source::none;
    };
    const cuda_source::SourceFile& source_;
    cuda_source::FunctionId function_;
    std::vector<cuda_source::StatementId> statements_;
    std::vector<cuda_source::ExpressionId> expressions_;
    std::unordered_map<cuda_source::ExpressionId, Place> places_;
    std::unordered_map<cuda_source::StatementId, cuda_source::StatementId> parents_;
};

// The expression below casts that the user did not write.
cuda_source::ExpressionId without_implicit_casts(const cuda_source::SourceFile& source, cuda_source::ExpressionId expression);

// Whether evaluating the expression changes nothing: no assignment, increment, or call other than of known mathematical functions
// and of functions of this file that write nothing.
bool is_pure(const cuda_source::SourceFile& source, cuda_source::ExpressionId expression);

// The functions of this file that the kernel calls, directly or through others; not the kernel itself.
std::vector<cuda_source::FunctionId> callees_of(const cuda_source::SourceFile& source, cuda_source::FunctionId kernel);

// Whether two expressions are the same text apart from blanks (of side-effect-free expressions: the same value at the same place).
bool same_text(const cuda_source::SourceFile& source, cuda_source::ExpressionId a, cuda_source::ExpressionId b);

}  // namespace optiml::transforms
