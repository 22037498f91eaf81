#pragma once
// Builds our plain syntax tree from clang's. One object for one translation unit; its parts are split over
//   declarations.cpp (functions, variables), statements.cpp, expressions.cpp, types.cpp.

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "cuda_source/clang/places.h"
#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

class TreeBuilder {
public:
    TreeBuilder(clang::ASTContext& context, SourceFile& source);
    void build();

    // types.cpp
    TypeId type(clang::QualType type);

    // declarations.cpp
    VariableId variable(const clang::VarDecl& declaration);  // known or made now
    VariableId template_value(const clang::NonTypeTemplateParmDecl& declaration);
    FunctionId function_of(const clang::FunctionDecl* declaration) const;  // none if it is not one of this file

    // statements.cpp, expressions.cpp: none for a null pointer
    StatementId statement(const clang::Stmt* statement, StatementId parent);
    ExpressionId expression(const clang::Expr* expression);

    // Declared by our prelude or a CUDA header.
    bool is_from_system(clang::SourceLocation location) const;

    clang::ASTContext& context() { return context_; }
    SourceFile& source() { return source_; }
    const Places& places() const { return places_; }

    // Depth of the tree that is being converted; beyond the limit a node becomes `other` without children.
    class Descent {
    public:
        explicit Descent(TreeBuilder& builder) : builder_(builder) { ++builder_.depth_; }
        ~Descent() { --builder_.depth_; }
        Descent(const Descent&) = delete;
        Descent& operator=(const Descent&) = delete;
        bool too_deep() const { return builder_.depth_ > 1000; }

    private:
        TreeBuilder& builder_;
    };

private:
    void collect(const clang::DeclContext& declarations, clang::SourceLocation linkage_begin);
    void collect(const clang::FunctionDecl& pattern, const clang::FunctionTemplateDecl* function_template,
                 clang::SourceLocation outer_begin);
    void convert_function(FunctionId id);
    void convert_attributes(Function& function, const clang::FunctionDecl& declaration);
    void place_variable(Variable& variable, const clang::DeclaratorDecl& declaration);

    struct Collected {
        const clang::FunctionDecl* pattern;    // as written
        const clang::FunctionDecl* converted;  // the pattern or its only instantiation
        const clang::FunctionTemplateDecl* function_template;
        clang::SourceLocation outer_begin;  // of `extern "C"` or `template`, invalid if there is none
    };

    clang::ASTContext& context_;
    SourceFile& source_;
    Places places_;
    std::unique_ptr<clang::MangleContext> mangle_;
    std::vector<Collected> collected_;  // parallel to source_.functions
    std::vector<const clang::VarDecl*> globals_;
    std::unordered_map<const clang::Decl*, FunctionId> functions_;
    std::unordered_map<const clang::Decl*, VariableId> variables_;
    std::unordered_map<void*, TypeId> types_;
    FunctionId current_function_ = none;
    unsigned depth_ = 0;
};

}  // namespace optiml::cuda_source
