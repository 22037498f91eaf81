#include "cuda_source/clang/parse_limits.h"

#include <memory>
#include <utility>

#include <fmt/format.h>

#include "clang/Basic/Diagnostic.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

namespace optiml::cuda_source {

class PreprocessorWatch final : public clang::PPCallbacks {
public:
    PreprocessorWatch(ParseLimits& limits, clang::Preprocessor& preprocessor) : limits_(limits), preprocessor_(preprocessor) {}

    void MacroExpands(const clang::Token&, const clang::MacroDefinition&, clang::SourceRange, const clang::MacroArgs*) override {
        limits_.check_expansion();
    }
    // Once stopped, every file ends where it begins.
    void FileChanged(clang::SourceLocation, FileChangeReason reason, clang::SrcMgr::CharacteristicKind, clang::FileID) override {
        limits_.check_expansion();
        if (!limits_.is_exceeded() || reason != EnterFile) return;
        if (auto* lexer = static_cast<clang::Lexer*>(preprocessor_.getCurrentLexer())) lexer->seek(static_cast<unsigned>(lexer->getBuffer().size()), true);
    }

private:
    ParseLimits& limits_;
    clang::Preprocessor& preprocessor_;
};

class TemplateWatch final : public clang::TemplateInstantiationCallback {
public:
    explicit TemplateWatch(ParseLimits& limits) : limits_(limits) {}
    void initialize(const clang::Sema&) override {}
    void finalize(const clang::Sema&) override {}
    void atTemplateBegin(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override { limits_.check_time(); }
    void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}

private:
    ParseLimits& limits_;
};

void ParseLimits::watch_preprocessor() {
    clang::Preprocessor& preprocessor = compiler_.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<PreprocessorWatch>(*this, preprocessor));
    // The parser gets the very token that is watched.
    preprocessor.setTokenWatcher([this](const clang::Token& token) { count(const_cast<clang::Token&>(token)); });
}

void ParseLimits::watch_templates(clang::Sema& sema) { sema.TemplateInstCallbacks.push_back(std::make_unique<TemplateWatch>(*this)); }

void ParseLimits::count(clang::Token& token) {
    const bool ends_statement = token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace);
    if (ends_statement) statement_tokens_ = 0;
    else if (!clang::tok::isLiteral(token.getKind())) ++statement_tokens_;
    if (++tokens_ > kMostTokens) stop(fmt::format("with its macros and headers the source has more than {} tokens", kMostTokens));
    if (statement_tokens_ > kMostStatementTokens) stop(fmt::format("a statement has more than {} operators and names", kMostStatementTokens));
    check_time();
    if (!is_exceeded()) return;
    // The text ends here.
    const clang::SourceLocation place = token.getLocation();
    token.startToken();
    token.setKind(clang::tok::eof);
    token.setLocation(place);
}

void ParseLimits::check_expansion() {
    if (compiler_.getSourceManager().getNextLocalOffset() > kMostLocations) stop("macros and headers make the source larger than 1 GiB");
    check_time();
}

// Asking the clock takes as long as parsing a token.
void ParseLimits::check_time() {
    if (++events_ % 256 == 0 && deadline_.passed()) stop(fmt::format("the source takes more than {} s to parse", seconds_));
}

void ParseLimits::stop(std::string why) {
    if (is_exceeded()) return;
    exceeded_ = std::move(why);
    // No macro is expanded any more, ...
    for (auto& identifier : compiler_.getPreprocessor().getIdentifierTable()) {
        if (identifier.second != nullptr) identifier.second->setHasMacroDefinition(false);
    }
    // ... and after a fatal error of clang's own no template is instantiated. It counts as such when the next diagnostic comes.
    clang::DiagnosticsEngine& diagnostics = compiler_.getDiagnostics();
    diagnostics.setFatalsAsError(false);
    diagnostics.Report(clang::diag::fatal_too_many_errors);
    diagnostics.Report(clang::diag::fatal_too_many_errors);
}

}  // namespace optiml::cuda_source
