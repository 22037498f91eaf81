#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtVisitor.h"
#include "cuda_source/clang/tree_builder.h"

namespace optiml::cuda_source {
namespace {

// Fills one Statement, whose id is taken before its children's so that ids grow in program order.
class StatementBuilder : public clang::ConstStmtVisitor<StatementBuilder> {
public:
    StatementBuilder(TreeBuilder& builder, StatementId id) : builder_(builder), id_(id) {}

    Statement result;

    void VisitCompoundStmt(const clang::CompoundStmt* node) {
        result.kind = StatementKind::compound;
        for (const clang::Stmt* child : node->body()) add(child);
    }
    void VisitDeclStmt(const clang::DeclStmt* node) {
        result.kind = StatementKind::declaration;
        for (const clang::Decl* declaration : node->decls()) {
            if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
                result.variables.push_back(builder_.variable(*variable));
            }
        }
    }
    void VisitIfStmt(const clang::IfStmt* node) {
        result.kind = StatementKind::if_;
        if (node->getInit() != nullptr) result.init = child(node->getInit());
        if (node->getConditionVariableDeclStmt() != nullptr) result.init = child(node->getConditionVariableDeclStmt());
        result.expression = builder_.expression(node->getCond());
        add(node->getThen());
        if (node->getElse() != nullptr) add(node->getElse());
    }
    void VisitForStmt(const clang::ForStmt* node) {
        result.kind = StatementKind::for_;
        if (node->getInit() != nullptr) result.init = child(node->getInit());
        result.expression = builder_.expression(node->getCond());
        result.increment = builder_.expression(node->getInc());
        add(node->getBody());
    }
    void VisitWhileStmt(const clang::WhileStmt* node) {
        result.kind = StatementKind::while_;
        result.expression = builder_.expression(node->getCond());
        add(node->getBody());
    }
    void VisitDoStmt(const clang::DoStmt* node) {
        result.kind = StatementKind::do_;
        add(node->getBody());
        result.expression = builder_.expression(node->getCond());
        ends_with_semicolon_ = true;
    }
    void VisitReturnStmt(const clang::ReturnStmt* node) {
        result.kind = StatementKind::return_;
        result.expression = builder_.expression(node->getRetValue());
        ends_with_semicolon_ = true;
    }
    void VisitBreakStmt(const clang::BreakStmt*) { leave(StatementKind::break_); }
    void VisitContinueStmt(const clang::ContinueStmt*) { leave(StatementKind::continue_); }
    void VisitSwitchStmt(const clang::SwitchStmt* node) {
        result.kind = StatementKind::switch_;
        result.expression = builder_.expression(node->getCond());
        add(node->getBody());
    }
    void VisitCaseStmt(const clang::CaseStmt* node) {
        result.kind = StatementKind::case_;
        result.expression = builder_.expression(node->getLHS());
        add(node->getSubStmt());
    }
    void VisitDefaultStmt(const clang::DefaultStmt* node) {
        result.kind = StatementKind::case_;
        add(node->getSubStmt());
    }
    void VisitAsmStmt(const clang::AsmStmt* node) {
        result.kind = StatementKind::inline_assembly;
        result.expression = assembly_operands(*node);
        ends_with_semicolon_ = true;
    }
    void VisitNullStmt(const clang::NullStmt*) { result.kind = StatementKind::empty; }
    void VisitExpr(const clang::Expr* node) {
        result.kind = StatementKind::expression;
        result.expression = builder_.expression(node);
        ends_with_semicolon_ = true;
    }
    // goto, labels, range-based for, try: seen whole, with their parts below them.
    void VisitStmt(const clang::Stmt* node) {
        result.kind = StatementKind::other;
        for (const clang::Stmt* part : node->children()) {
            if (part != nullptr && !llvm::isa<clang::Expr>(part)) add(part);
        }
        ends_with_semicolon_ = llvm::isa<clang::GotoStmt, clang::IndirectGotoStmt>(node);
    }

    void place(const clang::Stmt* node) {
        const Places& places = builder_.places();
        result.span = places.span(node->getSourceRange());
        result.in_macro = places.in_one_macro(node->getSourceRange());
        if (ends_with_semicolon_) result.span = places.with_semicolon(result.span);
        // The body of a loop or branch may end behind the node's own end: its semicolon is no part of clang's range.
        for (const StatementId part : result.children) {
            const TextSpan span = builder_.source().statements[part].span;
            if (!span.empty() && span.end > result.span.end && span.begin >= result.span.begin) result.span.end = span.end;
        }
    }

private:
    StatementId child(const clang::Stmt* node) { return builder_.statement(node, id_); }
    void add(const clang::Stmt* node) {
        const StatementId id = child(node);
        if (id != none) result.children.push_back(id);
    }
    void leave(StatementKind kind) {
        result.kind = kind;
        ends_with_semicolon_ = true;
    }

    // An expression of kind other, named "asm", over all operands; outputs are taken by reference.
    ExpressionId assembly_operands(const clang::AsmStmt& node) {
        Expression operands;
        operands.name = "asm";
        operands.span = builder_.places().span(node.getSourceRange());
        operands.in_macro = builder_.places().in_one_macro(node.getSourceRange());
        operands.type = builder_.type(builder_.context().VoidTy);
        for (unsigned i = 0; i < node.getNumOutputs(); ++i) {
            const ExpressionId output = builder_.expression(node.getOutputExpr(i));
            if (output == none) continue;
            builder_.source().expressions[output].by_reference = true;
            operands.children.push_back(output);
        }
        for (unsigned i = 0; i < node.getNumInputs(); ++i) {
            const ExpressionId input = builder_.expression(node.getInputExpr(i));
            if (input != none) operands.children.push_back(input);
        }
        builder_.source().expressions.push_back(std::move(operands));
        return static_cast<ExpressionId>(builder_.source().expressions.size() - 1);
    }

    TreeBuilder& builder_;
    StatementId id_;
    bool ends_with_semicolon_ = false;
};

}  // namespace

StatementId TreeBuilder::statement(const clang::Stmt* node, StatementId parent) {
    if (node == nullptr) return none;
    if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(node)) {
        const StatementId id = statement(attributed->getSubStmt(), parent);
        for (const clang::Attr* attribute : attributed->getAttrs()) {
            if (id == none || !llvm::isa<clang::LoopHintAttr>(attribute)) continue;
            const auto place = places_.token(attribute->getLocation());
            if (!place) continue;
            const bool by_macro = attribute->getLocation().isMacroID();
            source_.statements[id].pragma_span = by_macro ? *place : places_.directive_at(place->begin);
            source_.statements[id].pragma = std::string(source_.text_of(source_.statements[id].pragma_span));
        }
        return id;
    }
    const auto id = static_cast<StatementId>(source_.statements.size());
    source_.statements.emplace_back();
    StatementBuilder builder(*this, id);
    const Descent descent(*this);
    if (!descent.too_deep()) builder.Visit(node);
    builder.place(node);
    builder.result.parent = parent;
    source_.statements[id] = std::move(builder.result);
    return id;
}

}  // namespace optiml::cuda_source
