#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Basic/SourceManager.h"
#include "cuda_source/clang/tree_builder.h"

namespace optiml::cuda_source {
namespace {

// The declaration whose body is worth converting: the only instantiation of a template, if there is exactly one.
const clang::FunctionDecl* representative(const clang::FunctionDecl& pattern,
                                          const clang::FunctionTemplateDecl* function_template) {
    const clang::FunctionDecl* definition = pattern.getDefinition();
    const clang::FunctionDecl* best = definition != nullptr ? definition : &pattern;
    if (function_template == nullptr) return best;
    const clang::FunctionDecl* only = nullptr;
    for (const clang::FunctionDecl* specialization : function_template->specializations()) {
        const bool written_apart = specialization->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization;
        if (written_apart || !specialization->hasBody() || specialization->isInvalidDecl()) continue;
        if (only != nullptr) return best;
        only = specialization->getDefinition();
    }
    return only != nullptr ? only : best;
}

Storage storage_of(const clang::VarDecl& declaration) {
    if (declaration.hasAttr<clang::CUDASharedAttr>()) {
        return declaration.hasExternalStorage() ? Storage::dynamic_shared : Storage::shared;
    }
    if (declaration.hasAttr<clang::CUDAConstantAttr>()) return Storage::constant;
    if (declaration.hasAttr<clang::HIPManagedAttr>()) return Storage::managed;
    if (llvm::isa<clang::ParmVarDecl>(declaration)) return Storage::parameter;
    if (!declaration.isFileVarDecl()) return Storage::local;
    const bool on_device = declaration.hasAttr<clang::CUDADeviceAttr>() || declaration.getType().isConstQualified();
    return on_device ? Storage::device_global : Storage::host;
}

struct DeclaratorParts {
    clang::SourceLocation begin;           // its first `*` or `&`, or its name
    clang::SourceLocation specifiers_end;  // the last token of the type before it
};

DeclaratorParts parts_of(const clang::DeclaratorDecl& declaration) {
    DeclaratorParts parts{declaration.getLocation(), declaration.getLocation()};
    if (declaration.getTypeSourceInfo() == nullptr) return parts;
    clang::TypeLoc type = declaration.getTypeSourceInfo()->getTypeLoc();
    for (; !type.isNull(); type = type.getNextTypeLoc()) {
        if (const auto pointer = type.getAs<clang::PointerTypeLoc>()) {
            parts.begin = pointer.getStarLoc();
        } else if (const auto lvalue = type.getAs<clang::LValueReferenceTypeLoc>()) {
            parts.begin = lvalue.getAmpLoc();
        } else if (const auto rvalue = type.getAs<clang::RValueReferenceTypeLoc>()) {
            parts.begin = rvalue.getAmpAmpLoc();
        } else if (const auto parentheses = type.getAs<clang::ParenTypeLoc>()) {
            parts.begin = parentheses.getLParenLoc();
        } else if (!type.getAs<clang::QualifiedTypeLoc>() && !type.getAs<clang::ArrayTypeLoc>() &&
                   !type.getAs<clang::FunctionTypeLoc>() && !type.getAs<clang::AttributedTypeLoc>()) {
            break;
        }
    }
    if (!type.isNull()) parts.specifiers_end = type.getEndLoc();
    return parts;
}

}  // namespace

TreeBuilder::TreeBuilder(clang::ASTContext& context, SourceFile& source)
    : context_(context),
      source_(source),
      places_(context.getSourceManager(), context.getLangOpts(), static_cast<std::uint32_t>(source.text.size())),
      mangle_(context.createMangleContext()) {}

void TreeBuilder::build() {
    collect(*context_.getTranslationUnitDecl(), {});
    for (const clang::VarDecl* global : globals_) variable(*global);
    for (FunctionId id = 0; id < source_.functions.size(); ++id) convert_function(id);
}

void TreeBuilder::collect(const clang::DeclContext& declarations, clang::SourceLocation linkage_begin) {
    for (const clang::Decl* declaration : declarations.decls()) {
        if (declaration->isImplicit() || !places_.in_main_file(declaration->getLocation())) continue;
        if (const auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(declaration)) {
            collect(*linkage, linkage->hasBraces() ? clang::SourceLocation() : linkage->getBeginLoc());
        } else if (const auto* function_template = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
            collect(*function_template->getTemplatedDecl(), function_template, function_template->getBeginLoc());
        } else if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
            collect(*function, nullptr, linkage_begin);
        } else if (const auto* global = llvm::dyn_cast<clang::VarDecl>(declaration)) {
            globals_.push_back(global);
        } else if (const auto* class_template = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration)) {
            collect(*class_template->getTemplatedDecl(), {});
        } else if (llvm::isa<clang::NamespaceDecl, clang::CXXRecordDecl>(declaration)) {
            collect(*llvm::cast<clang::DeclContext>(declaration), {});
        }
    }
}

void TreeBuilder::collect(const clang::FunctionDecl& pattern, const clang::FunctionTemplateDecl* function_template,
                          clang::SourceLocation outer_begin) {
    const clang::Decl* canonical = pattern.getCanonicalDecl();
    const auto known = functions_.find(canonical);
    if (known == functions_.end()) {
        functions_.emplace(canonical, static_cast<FunctionId>(source_.functions.size()));
        source_.functions.emplace_back();
        collected_.push_back({&pattern, representative(pattern, function_template), function_template, outer_begin});
    } else if (pattern.isThisDeclarationADefinition()) {  // it was declared before: the definition's place counts
        Collected& first = collected_[known->second];
        first = {&pattern, representative(pattern, function_template), function_template, outer_begin};
    }
}

FunctionId TreeBuilder::function_of(const clang::FunctionDecl* declaration) const {
    if (declaration == nullptr) return none;
    if (const clang::FunctionDecl* pattern = declaration->getTemplateInstantiationPattern(false)) declaration = pattern;
    const auto known = functions_.find(declaration->getCanonicalDecl());
    return known == functions_.end() ? none : known->second;
}

bool TreeBuilder::is_from_system(clang::SourceLocation location) const {
    return location.isValid() && context_.getSourceManager().isInSystemHeader(location);
}

void TreeBuilder::convert_function(FunctionId id) {
    const Collected& collected = collected_[id];
    const clang::FunctionDecl& pattern = *collected.pattern;
    const clang::FunctionDecl& converted = *collected.converted;
    current_function_ = id;

    Function function;
    function.name = pattern.getNameAsString();
    function.qualified_name = pattern.getQualifiedNameAsString();
    function.is_kernel = pattern.hasAttr<clang::CUDAGlobalAttr>();
    function.is_device = pattern.hasAttr<clang::CUDADeviceAttr>() || pattern.isConstexpr();
    const auto* host = pattern.getAttr<clang::CUDAHostAttr>();
    const auto* device = pattern.getAttr<clang::CUDADeviceAttr>();
    const bool is_annotated = (host != nullptr && !host->isImplicit()) || (device != nullptr && !device->isImplicit());
    function.is_constexpr_only = pattern.isConstexpr() && !function.is_kernel && !is_annotated;
    function.is_template = collected.function_template != nullptr || pattern.isDependentContext();
    function.extern_c = pattern.isExternC();
    if (!function.is_template) {
        const clang::GlobalDecl global(&pattern);
        const bool special = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(pattern);
        function.lowered_name = function.name;
        if (!special && mangle_->shouldMangleDeclName(&pattern)) {
            function.lowered_name.clear();
            llvm::raw_string_ostream stream(function.lowered_name);
            mangle_->mangleName(global, stream);
        }
    }
    if (collected.function_template != nullptr) {
        for (const clang::NamedDecl* parameter : *collected.function_template->getTemplateParameters()) {
            function.template_parameters.push_back(parameter->getNameAsString());
        }
    }
    function.in_macro = pattern.getLocation().isMacroID();
    function.return_type = type(converted.getReturnType());
    const clang::SourceLocation begin = collected.outer_begin.isValid() ? collected.outer_begin : pattern.getBeginLoc();
    function.span = places_.span({begin, pattern.getEndLoc()});
    if (!pattern.isThisDeclarationADefinition()) function.span = places_.with_semicolon(function.span);
    for (const clang::Attr* attribute : pattern.attrs()) {
        const auto place = places_.token(attribute->getLocation());
        if (place && !attribute->isImplicit() && place->begin < function.span.begin) function.span.begin = place->begin;
    }
    function.name_span = places_.token(pattern.getLocation()).value_or(TextSpan{});
    if (const auto location = pattern.getFunctionTypeLoc()) {
        const auto open = places_.token(location.getLParenLoc());
        const auto close = places_.token(location.getRParenLoc());
        if (open && close) function.parameters_span = {open->end, std::max(close->begin, open->end)};
        if (function.in_macro) function.parameters_span = function.name_span;
    }
    convert_attributes(function, converted);
    for (const clang::ParmVarDecl* parameter : converted.parameters()) function.parameters.push_back(variable(*parameter));
    if (converted.doesThisDeclarationHaveABody()) function.body = statement(converted.getBody(), none);
    source_.functions[id] = std::move(function);
}

void TreeBuilder::convert_attributes(Function& function, const clang::FunctionDecl& declaration) {
    const auto* bounds = declaration.getAttr<clang::CUDALaunchBoundsAttr>();
    if (bounds == nullptr) return;
    const auto value = [&](const clang::Expr* expression) -> std::optional<std::uint32_t> {
        if (expression == nullptr || expression->isValueDependent()) return std::nullopt;
        const auto constant = expression->getIntegerConstantExpr(context_);
        return constant ? std::optional(static_cast<std::uint32_t>(constant->getLimitedValue())) : std::nullopt;
    };
    function.launch_bounds_threads = value(bounds->getMaxThreads());
    function.launch_bounds_blocks = value(bounds->getMinBlocks());
    function.launch_bounds_span = places_.span(bounds->getRange());
}

void TreeBuilder::place_variable(Variable& variable, const clang::DeclaratorDecl& declaration) {
    variable.in_macro = declaration.getLocation().isMacroID();
    variable.name_span = places_.token(declaration.getLocation()).value_or(TextSpan{});
    const DeclaratorParts parts = parts_of(declaration);
    const auto begin = places_.token(parts.begin);
    const auto end = places_.token(declaration.getEndLoc());
    if (begin && end) variable.declaration = {begin->begin, std::max(end->end, begin->end)};
    const auto specifiers = places_.token(declaration.getBeginLoc());
    const auto last = places_.token(parts.specifiers_end);
    if (!specifiers || !last || variable.in_macro) return;
    variable.type_span = {specifiers->begin, std::max(last->end, specifiers->begin)};
    for (;;) {  // `float const *x`: qualifiers behind the type belong to the specifiers
        const TextSpan word = places_.next_word(variable.type_span.end);
        const std::string_view text = source_.text_of(word);
        if (text != "const" && text != "volatile") break;
        variable.type_span.end = word.end;
    }
}

VariableId TreeBuilder::variable(const clang::VarDecl& declaration) {
    // `extern __shared__` of several kernels are redeclarations of one another to clang, but not to us.
    const bool is_local_extern = declaration.isLocalExternDecl();
    const clang::Decl* identity = is_local_extern ? &declaration : declaration.getCanonicalDecl();
    const auto known = variables_.find(identity);
    if (known != variables_.end()) return known->second;
    const auto id = static_cast<VariableId>(source_.variables.size());
    variables_.emplace(identity, id);

    Variable variable;
    variable.name = declaration.getNameAsString();
    variable.type = type(declaration.getType());
    variable.storage = storage_of(declaration);
    variable.function = declaration.isLocalVarDeclOrParm() || is_local_extern ? current_function_ : none;
    place_variable(variable, declaration);
    source_.variables.push_back(variable);
    if (!llvm::isa<clang::ParmVarDecl>(declaration)) {
        const ExpressionId initializer = expression(declaration.getInit());
        source_.variables[id].initializer = initializer;
    }
    return id;
}

VariableId TreeBuilder::template_value(const clang::NonTypeTemplateParmDecl& declaration) {
    const clang::Decl* canonical = declaration.getCanonicalDecl();
    const auto known = variables_.find(canonical);
    if (known != variables_.end()) return known->second;
    const auto id = static_cast<VariableId>(source_.variables.size());
    variables_.emplace(canonical, id);

    Variable variable;
    variable.name = declaration.getNameAsString();
    variable.type = type(declaration.getType());
    variable.storage = Storage::template_value;
    variable.function = current_function_;
    place_variable(variable, declaration);
    source_.variables.push_back(std::move(variable));
    return id;
}

}  // namespace optiml::cuda_source
