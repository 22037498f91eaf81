#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtVisitor.h"
#include "cuda_source/clang/tree_builder.h"

namespace optiml::cuda_source {
namespace {

bool is_value_changing(clang::CastKind kind) {
    switch (kind) {
        case clang::CK_IntegralCast:
        case clang::CK_IntegralToBoolean:
        case clang::CK_IntegralToFloating:
        case clang::CK_FloatingToIntegral:
        case clang::CK_FloatingToBoolean:
        case clang::CK_BooleanToSignedIntegral:
        case clang::CK_FloatingCast:
        case clang::CK_PointerToBoolean:
        case clang::CK_PointerToIntegral:
        case clang::CK_IntegralToPointer:
        case clang::CK_BitCast:
            return true;
        default:
            return false;
    }
}

std::optional<BuiltinIndex> builtin_index_named(llvm::StringRef name) {
    if (name == "threadIdx") return BuiltinIndex::thread_idx;
    if (name == "blockIdx") return BuiltinIndex::block_idx;
    if (name == "blockDim") return BuiltinIndex::block_dim;
    if (name == "gridDim") return BuiltinIndex::grid_dim;
    return std::nullopt;
}

// Makes one Expression; the visit functions fill `result`, or set `replacement` where clang's node has no counterpart of ours.
class ExpressionBuilder : public clang::ConstStmtVisitor<ExpressionBuilder> {
public:
    explicit ExpressionBuilder(TreeBuilder& builder) : builder_(builder) {}

    Expression result;
    ExpressionId replacement = none;

    // Literals
    void VisitIntegerLiteral(const clang::IntegerLiteral* node) {
        result.kind = ExpressionKind::integer_literal;
        result.integer = static_cast<std::int64_t>(node->getValue().getLimitedValue());
        result.constant = result.integer;
    }
    void VisitCharacterLiteral(const clang::CharacterLiteral* node) {
        result.kind = ExpressionKind::integer_literal;
        result.integer = node->getValue();
        result.constant = result.integer;
    }
    void VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr* node) {
        result.kind = ExpressionKind::bool_literal;
        result.integer = node->getValue() ? 1 : 0;
        result.constant = result.integer;
    }
    void VisitFloatingLiteral(const clang::FloatingLiteral* node) {
        result.kind = ExpressionKind::float_literal;
        result.floating = node->getValueAsApproximateDouble();
    }
    void VisitStringLiteral(const clang::StringLiteral*) { result.kind = ExpressionKind::string_literal; }

    // Names
    void VisitDeclRefExpr(const clang::DeclRefExpr* node) {
        const clang::ValueDecl* declaration = node->getDecl();
        result.name = declaration->getNameAsString();
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
            result.kind = ExpressionKind::variable;
            if (builder_.places().in_main_file(variable->getLocation())) {
                result.variable = builder_.variable(*variable);
            } else if (result.name == "warpSize") {
                result.kind = ExpressionKind::builtin_index;
                result.builtin = BuiltinIndex::warp_size;
            }
        } else if (const auto* value = llvm::dyn_cast<clang::NonTypeTemplateParmDecl>(declaration)) {
            result.kind = ExpressionKind::variable;
            result.variable = builder_.template_value(*value);
        } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
            result.function = builder_.function_of(function);
        }
    }
    void VisitSubstNonTypeTemplateParmExpr(const clang::SubstNonTypeTemplateParmExpr* node) {
        result.kind = ExpressionKind::variable;
        result.name = node->getParameter()->getNameAsString();
        result.variable = builder_.template_value(*node->getParameter());
    }
    void VisitMemberExpr(const clang::MemberExpr* node) {
        result.name = node->getMemberDecl()->getNameAsString();
        if (visit_builtin_index(*node)) return;
        result.kind = ExpressionKind::member;
        if (node->isArrow()) result.op = "->";
        add(node->getBase());
    }

    // Operators
    void VisitUnaryOperator(const clang::UnaryOperator* node) {
        result.kind = ExpressionKind::unary;
        result.op = clang::UnaryOperator::getOpcodeStr(node->getOpcode()).str();
        if (node->isPostfix()) result.op = "p" + result.op;
        add(node->getSubExpr());
    }
    void VisitBinaryOperator(const clang::BinaryOperator* node) {
        result.kind = node->isAssignmentOp() ? ExpressionKind::assignment : ExpressionKind::binary;
        result.op = node->getOpcodeStr().str();
        add(node->getLHS());
        add(node->getRHS());
    }
    void VisitConditionalOperator(const clang::ConditionalOperator* node) {
        result.kind = ExpressionKind::conditional;
        add(node->getCond());
        add(node->getTrueExpr());
        add(node->getFalseExpr());
    }
    void VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* node) {
        result.kind = ExpressionKind::subscript;
        const clang::QualType right = node->getRHS()->getType();
        const bool swapped = !right.isNull() && (right->isPointerType() || right->isArrayType());  // none in broken code
        add(swapped ? node->getRHS() : node->getLHS());
        add(swapped ? node->getLHS() : node->getRHS());
    }
    void VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr*) { result.kind = ExpressionKind::sizeof_; }
    void VisitInitListExpr(const clang::InitListExpr* node) {
        result.kind = ExpressionKind::initializer_list;
        const clang::InitListExpr* written = node->isSemanticForm() && node->getSyntacticForm() ? node->getSyntacticForm() : node;
        for (const clang::Expr* element : written->inits()) add(element);
    }
    // The body stays unseen; what it captures by reference may be written by it.
    void VisitLambdaExpr(const clang::LambdaExpr* node) {
        result.kind = ExpressionKind::lambda;
        for (const clang::LambdaCapture& capture : node->captures()) {
            if (!capture.capturesVariable()) continue;
            const auto* variable = llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar());
            if (variable == nullptr || !builder_.places().in_main_file(variable->getLocation())) continue;
            Expression use;
            use.kind = ExpressionKind::variable;
            use.implicit = capture.isImplicit();
            use.name = variable->getNameAsString();
            use.variable = builder_.variable(*variable);
            use.type = builder_.type(variable->getType());
            use.span = builder_.places().token(capture.getLocation()).value_or(TextSpan{});
            use.by_reference = capture.getCaptureKind() == clang::LCK_ByRef;
            builder_.source().expressions.push_back(std::move(use));
            result.children.push_back(static_cast<ExpressionId>(builder_.source().expressions.size() - 1));
        }
    }

    // Casts: those that change no value vanish.
    void VisitImplicitCastExpr(const clang::ImplicitCastExpr* node) {
        if (!is_value_changing(node->getCastKind())) return replace_by(node->getSubExpr());
        result.kind = ExpressionKind::cast;
        result.implicit = true;
        add(node->getSubExpr());
    }
    void VisitExplicitCastExpr(const clang::ExplicitCastExpr* node) {
        result.kind = ExpressionKind::cast;
        add(node->getSubExprAsWritten());
    }

    // Calls
    void VisitCallExpr(const clang::CallExpr* node) {
        result.kind = ExpressionKind::call;
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(node->getCallee()->IgnoreParenImpCasts())) {
            result.kind = ExpressionKind::member_call;  // a static function called through an object
            add(member->getBase());
        }
        result.name = written_callee(node->getCallee());
        result.function = builder_.function_of(node->getDirectCallee());
        result.takes_values_only = takes_values_only(node->getCallee());
        add_arguments(node->getDirectCallee(), node->arguments());
    }
    void VisitCUDAKernelCallExpr(const clang::CUDAKernelCallExpr* node) {
        VisitCallExpr(node);
        result.op = "<<<>>>";
    }
    void VisitCXXMemberCallExpr(const clang::CXXMemberCallExpr* node) {
        result.kind = ExpressionKind::member_call;
        result.name =
            node->getMethodDecl() != nullptr ? node->getMethodDecl()->getNameAsString() : written_callee(node->getCallee());
        result.function = builder_.function_of(node->getDirectCallee());
        const clang::Expr* object = node->getImplicitObjectArgument();
        const bool is_changed = node->getMethodDecl() != nullptr && !node->getMethodDecl()->isConst();
        add(object, is_changed && object != nullptr && !object->getType().isNull() && !object->getType()->isPointerType());
        add_arguments(node->getDirectCallee(), node->arguments());
    }
    void VisitCXXOperatorCallExpr(const clang::CXXOperatorCallExpr* node) {
        result.op = clang::getOperatorSpelling(node->getOperator());
        result.name = "operator" + result.op;
        result.function = builder_.function_of(node->getDirectCallee());
        if (node->getOperator() == clang::OO_Subscript || node->getOperator() == clang::OO_Call) {
            result.kind = ExpressionKind::call;
        } else if (node->isAssignmentOp()) {
            result.kind = ExpressionKind::assignment;
        } else {
            result.kind = node->getNumArgs() == 1 ? ExpressionKind::unary : ExpressionKind::binary;
            const bool is_step = node->getOperator() == clang::OO_PlusPlus || node->getOperator() == clang::OO_MinusMinus;
            if (is_step && node->getNumArgs() == 2) {  // the postfix form has an unwritten second argument
                result.kind = ExpressionKind::unary;
                result.op = "p" + result.op;
                return add(node->getArg(0), true);
            }
        }
        const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(node->getDirectCallee());
        const bool is_changed = method != nullptr && method->isInstance() && !method->isConst() && !node->isAssignmentOp();
        for (unsigned i = 0; i < node->getNumArgs(); ++i) add(node->getArg(i), i == 0 && is_changed);
    }
    void VisitCXXConstructExpr(const clang::CXXConstructExpr* node) {
        const bool is_copy = node->getNumArgs() == 1 && node->getConstructor()->isCopyOrMoveConstructor();
        if (is_copy || (node->getNumArgs() == 1 && node->isElidable())) return replace_by(node->getArg(0));
        result.kind = ExpressionKind::construct;
        add_arguments(node->getConstructor(), node->arguments());
    }
    void VisitCXXUnresolvedConstructExpr(const clang::CXXUnresolvedConstructExpr* node) {
        result.kind = node->getNumArgs() == 1 ? ExpressionKind::cast : ExpressionKind::construct;
        for (const clang::Expr* argument : node->arguments()) add(argument);
    }

    // Wrappers that the user did not write
    void VisitParenExpr(const clang::ParenExpr* node) { replace_by(node->getSubExpr()); }
    void VisitFullExpr(const clang::FullExpr* node) { replace_by(node->getSubExpr()); }
    void VisitMaterializeTemporaryExpr(const clang::MaterializeTemporaryExpr* node) { replace_by(node->getSubExpr()); }
    void VisitCXXBindTemporaryExpr(const clang::CXXBindTemporaryExpr* node) { replace_by(node->getSubExpr()); }
    void VisitOpaqueValueExpr(const clang::OpaqueValueExpr* node) {
        if (node->getSourceExpr() != nullptr) replace_by(node->getSourceExpr());
    }
    void VisitCXXDefaultInitExpr(const clang::CXXDefaultInitExpr*) {}

    void VisitExpr(const clang::Expr* node) {
        result.kind = node->isInstantiationDependent() ? ExpressionKind::template_dependent : ExpressionKind::other;
        if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(node)) {
            result.name = member->getMember().getAsString();
            if (member->isImplicitAccess()) return;
        }
        for (const clang::Stmt* child : node->children()) {
            if (const auto* part = llvm::dyn_cast_or_null<clang::Expr>(child)) add(part);
        }
    }

private:
    void add(const clang::Expr* node, bool by_reference = false) {
        const ExpressionId id = builder_.expression(node);
        if (id == none) return;
        if (by_reference) builder_.source().expressions[id].by_reference = true;
        result.children.push_back(id);
    }
    void replace_by(const clang::Expr* node) { replacement = builder_.expression(node); }

    template <class Arguments>
    void add_arguments(const clang::FunctionDecl* callee, const Arguments& arguments) {
        unsigned position = 0;
        for (const clang::Expr* argument : arguments) {
            bool by_reference = false;
            if (callee != nullptr && position < callee->getNumParams()) {
                const clang::QualType parameter = callee->getParamDecl(position)->getType();
                by_reference = parameter->isLValueReferenceType() && !parameter->getPointeeType().isConstQualified();
            }
            ++position;
            if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) add(argument, by_reference);
        }
    }

    std::string written_callee(const clang::Expr* callee) const {
        const clang::Expr* bare = callee->IgnoreParenImpCasts();
        if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare)) return name->getDecl()->getNameAsString();
        if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(bare)) return overloads->getName().getAsString();
        if (const auto* member = llvm::dyn_cast<clang::MemberExpr>(bare)) return member->getMemberDecl()->getNameAsString();
        if (const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(bare)) return member->getMember().getAsString();
        return std::string(builder_.source().text_of(builder_.places().span(bare->getSourceRange())));
    }

    bool takes_values_only(const clang::Expr* callee) const {
        const clang::Expr* bare = callee->IgnoreParenImpCasts();
        const auto by_value = [&](const clang::NamedDecl* named) {
            const auto* function = llvm::dyn_cast<clang::FunctionDecl>(named->getUnderlyingDecl());
            if (function == nullptr || !builder_.is_from_system(function->getLocation())) return false;
            if (function->getReturnType()->isVoidType()) return false;  // called for its effect
            return llvm::all_of(function->parameters(), [](const clang::ParmVarDecl* parameter) {
                const clang::QualType type = parameter->getType();
                const bool changes =
                    type->isPointerType() || (type->isReferenceType() && !type->getPointeeType().isConstQualified());
                return !changes;
            });
        };
        if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(bare)) return by_value(name->getDecl());
        if (const auto* overloads = llvm::dyn_cast<clang::OverloadExpr>(bare)) {
            return overloads->getNumDecls() != 0 && llvm::all_of(overloads->decls(), by_value);
        }
        return false;
    }

    bool visit_builtin_index(const clang::MemberExpr& node) {
        const auto* base = llvm::dyn_cast<clang::DeclRefExpr>(node.getBase()->IgnoreParenImpCasts());
        if (base == nullptr || builder_.places().in_main_file(base->getDecl()->getLocation())) return false;
        const auto builtin = builtin_index_named(base->getDecl()->getName());
        if (!builtin || result.name.size() != 1 || result.name[0] < 'x' || result.name[0] > 'z') return false;
        result.kind = ExpressionKind::builtin_index;
        result.builtin = *builtin;
        result.axis = static_cast<std::uint8_t>(result.name[0] - 'x');
        return true;
    }

    TreeBuilder& builder_;
};

std::optional<std::int64_t> constant_of(const clang::Expr& node, const clang::ASTContext& context) {
    if (node.getType().isNull() || node.isValueDependent() || node.containsErrors() ||
        !node.getType()->isIntegralOrEnumerationType()) {
        return std::nullopt;
    }
    clang::Expr::EvalResult value;
    if (!node.EvaluateAsInt(value, context, clang::Expr::SE_NoSideEffects)) return std::nullopt;
    const llvm::APSInt& number = value.Val.getInt();
    if (!number.isRepresentableByInt64()) return std::nullopt;
    return number.getExtValue();
}

}  // namespace

ExpressionId TreeBuilder::expression(const clang::Expr* node) {
    if (node == nullptr) return none;
    const Descent descent(*this);
    ExpressionBuilder builder(*this);
    if (!descent.too_deep()) builder.Visit(node);
    if (builder.replacement != none) return builder.replacement;

    Expression& result = builder.result;
    result.type = type(node->getType());
    const clang::SourceRange range = node->getSourceRange();
    result.span = places_.span(range);
    result.in_macro = places_.in_one_macro(range);
    if (result.implicit) {
        const Expression& inner = source_.expressions[result.children.front()];
        result.span = inner.span;
        result.in_macro = inner.in_macro;
    }
    if (!result.constant) result.constant = constant_of(*node, context_);
    const auto id = static_cast<ExpressionId>(source_.expressions.size());
    const bool is_launch = result.op == "<<<>>>";
    source_.expressions.push_back(std::move(result));
    if (is_launch) {
        const clang::CallExpr& configuration = *llvm::cast<clang::CUDAKernelCallExpr>(node)->getConfig();
        KernelLaunch launch;
        launch.call = id;
        const auto part = [&](unsigned i) {
            const bool written = i < configuration.getNumArgs() && !llvm::isa<clang::CXXDefaultArgExpr>(configuration.getArg(i));
            return written ? expression(configuration.getArg(i)) : none;
        };
        launch.grid = part(0);
        launch.block = part(1);
        launch.shared = part(2);
        source_.launches.push_back(launch);
    }
    return id;
}

}  // namespace optiml::cuda_source
