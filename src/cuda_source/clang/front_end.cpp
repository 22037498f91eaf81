#include "cuda_source/clang/front_end.h"

#include <filesystem>

#include <fmt/format.h>

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/SemaConsumer.h"
#include "cuda_source/clang/parse_limits.h"
#include "cuda_source/clang/places.h"
#include "cuda_source/clang/tree_builder.h"
#include "cuda_source/large_stack.h"
#include "cuda_source/prelude.h"
#include "cuda_source/scan.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace optiml::cuda_source {
namespace {

constexpr const char* prelude_path = "/optiml/prelude.h";
constexpr const char* covered_folder = "/optiml/covered";

// Collects clang's messages with places in the user's text; those from inside headers of ours or of CUDA are no errors of the user.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
    explicit DiagnosticCollector(SourceFile& source) : source_(source), lines_(source.text) {}

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark) return;
        Diagnostic diagnostic;
        llvm::SmallString<256> message;
        info.FormatDiagnostic(message);
        diagnostic.message = message.str().str();
        diagnostic.severity = level >= clang::DiagnosticsEngine::Error     ? Diagnostic::Severity::error
                              : level == clang::DiagnosticsEngine::Warning ? Diagnostic::Severity::warning
                                                                           : Diagnostic::Severity::note;
        // `__shared__ cuda::barrier` has a constructor: CUDA's compilers let it pass.
        if (info.getID() == clang::diag::err_shared_var_init) diagnostic.severity = Diagnostic::Severity::warning;
        diagnostic.where.file = source_.name;
        if (info.hasSourceManager() && info.getLocation().isValid()) place(diagnostic, info.getLocation(), info.getSourceManager());
        source_.diagnostics.push_back(std::move(diagnostic));
    }

private:
    void place(Diagnostic& diagnostic, clang::SourceLocation location, const clang::SourceManager& sources) {
        const clang::SourceLocation expansion = sources.getExpansionLoc(location);
        if (sources.isInMainFile(expansion)) {
            const auto size = static_cast<std::uint32_t>(source_.text.size());
            const std::uint32_t offset = std::min(sources.getFileOffset(expansion), size);
            diagnostic.where.line = lines_.line(offset);
            diagnostic.where.column = lines_.column(offset);
            return;
        }
        const clang::PresumedLoc presumed = sources.getPresumedLoc(expansion);
        if (presumed.isInvalid()) return;
        diagnostic.where = {presumed.getFilename(), presumed.getLine(), presumed.getColumn()};
        const bool foreign = sources.isInSystemHeader(expansion) || llvm::StringRef(presumed.getFilename()) == prelude_path;
        if (foreign && diagnostic.severity == Diagnostic::Severity::error) diagnostic.severity = Diagnostic::Severity::warning;
    }

    SourceFile& source_;
    LineMap lines_;
};

// Notes the #define lines of the main file.
class MacroCollector : public clang::PPCallbacks {
public:
    MacroCollector(const clang::CompilerInstance& compiler, SourceFile& source) : compiler_(compiler), source_(source) {}

    void MacroDefined(const clang::Token& name, const clang::MacroDirective*) override {
        const Places places(compiler_.getSourceManager(), compiler_.getLangOpts(), static_cast<std::uint32_t>(source_.text.size()));
        if (const auto place = places.token(name.getLocation())) {
            source_.macro_definitions.push_back(places.directive_at(place->begin));
        }
    }

private:
    const clang::CompilerInstance& compiler_;
    SourceFile& source_;
};

class TreeConsumer : public clang::SemaConsumer {
public:
    TreeConsumer(SourceFile& source, ParseLimits& limits) : source_(source), limits_(limits) {}
    void InitializeSema(clang::Sema& sema) override { limits_.watch_templates(sema); }
    void HandleTranslationUnit(clang::ASTContext& context) override {
        if (limits_.exceeded().empty()) TreeBuilder(context, source_).build();
    }

private:
    SourceFile& source_;
    ParseLimits& limits_;
};

class TreeAction : public clang::ASTFrontendAction {
public:
    TreeAction(SourceFile& source, ParseLimits& limits) : source_(source), limits_(limits) {}

protected:
    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
        compiler.getPreprocessor().addPPCallbacks(std::make_unique<MacroCollector>(compiler, source_));
        limits_.watch_preprocessor();
        return std::make_unique<TreeConsumer>(source_, limits_);
    }

private:
    SourceFile& source_;
    ParseLimits& limits_;
};

std::vector<std::string> included_names(std::string_view text) {
    std::vector<std::string> names;
    for (IncludeLine& include : include_lines(text)) names.push_back(std::move(include.name));
    return names;
}

struct Command {
    std::vector<std::string> arguments;
    bool needs_cuda_headers = false;
};

Command command_for(const std::string& path, const std::vector<std::string>& includes, const ParseOptions& options) {
    Command command;
    command.arguments = {"-triple",
                         "nvptx64-nvidia-cuda",
                         "-aux-triple",
                         "x86_64-unknown-linux-gnu",
                         "-fcuda-is-device",
                         "-target-cpu",
                         "sm_90",
                         "-target-feature",
                         "+ptx83",
                         "-target-sdk-version=12.3",
                         "-fsyntax-only",
                         "-std=" + options.standard,
                         "-fcuda-allow-variadic-functions",
                         "-nostdsysteminc",
                         "-nobuiltininc",
                         "-ferror-limit",
                         "0",
                         "-Wno-unknown-cuda-version",
                         "-fgnuc-version=0",
                         "-include",
                         prelude_path,
                         "-internal-isystem",
                         covered_folder};
    for (const std::string& define : options.defines) command.arguments.push_back("-D" + define);
    for (const std::string& folder : options.include_paths) command.arguments.push_back("-I" + folder);
    const auto needs_file = [](const std::string& name) { return !is_covered_header(name); };
    command.needs_cuda_headers = std::any_of(includes.begin(), includes.end(), needs_file);
    if (command.needs_cuda_headers && !options.cuda_include.empty()) {
        for (const char* folder : {"", "/cccl"}) {
            command.arguments.push_back("-internal-isystem");
            command.arguments.push_back(options.cuda_include + folder);
        }
    }
    command.arguments.insert(command.arguments.end(), {"-x", "cuda", path});
    return command;
}

// The real disk, and over it the user's text, the prelude and the empty headers that the prelude covers.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> file_system(const std::string& path, const std::string& text,
                                                            const std::vector<std::string>& includes) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    const auto add = [&](const std::string& name, std::string_view content) {
        memory->addFile(name, 0, llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(content.data(), content.size())));
    };
    add(path, text);
    static const std::string prelude(clang_prelude());
    add(prelude_path, prelude);
    for (const std::string& name : includes) {
        if (is_covered_header(name)) add(std::string(covered_folder) + "/" + name, std::string_view(""));
    }
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::createPhysicalFileSystem());
    overlay->pushOverlay(memory);
    return overlay;
}

// Uses of the named instantiations behind the user's text, so that clang makes their bodies.
std::string with_instantiations(const std::string& text, const std::vector<std::string>& instantiations) {
    std::string result = text;
    for (std::size_t i = 0; i < instantiations.size(); ++i) {
        result += fmt::format("\nstatic auto* const optiml_instantiation_{} = &{};", i, instantiations[i]);
    }
    return result;
}

bool exists(const std::string& name, const ParseOptions& options) {
    std::error_code failure;
    const auto beside = std::filesystem::path(options.file_name).parent_path() / name;
    if (std::filesystem::exists(beside, failure)) return true;
    return std::any_of(options.include_paths.begin(), options.include_paths.end(), [&](const std::string& folder) {
        return std::filesystem::exists(std::filesystem::path(folder) / name, failure);
    });
}

}  // namespace

Status run_front_end(SourceFile& source, const ParseOptions& options) {
    std::error_code failure;
    const std::string path = std::filesystem::absolute(options.file_name, failure).string();
    const std::string text = with_instantiations(source.text, options.instantiations);
    const std::vector<std::string> includes = included_names(source.text);
    const Command command = command_for(path, includes, options);
    if (command.needs_cuda_headers && options.cuda_include.empty()) {
        for (const std::string& name : includes) {
            if (is_covered_header(name) || exists(name, options)) continue;
            return environment_error(fmt::format("{} includes <{}>, and no CUDA headers were found", options.file_name, name),
                                     "install the CUDA toolkit's headers, or name their folder with an include path");
        }
    }

    DiagnosticCollector collector(source);
    clang::CompilerInstance compiler;
    compiler.createDiagnostics(&collector, false);
    std::vector<const char*> arguments;
    for (const std::string& argument : command.arguments) arguments.push_back(argument.c_str());
    if (!clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), arguments, compiler.getDiagnostics())) {
        std::string reason = source.diagnostics.empty() ? "" : source.diagnostics.front().message;
        return internal_error(fmt::format("clang refuses its arguments: {}", reason));
    }
    compiler.getDiagnosticOpts().ShowCarets = false;
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    compiler.getDiagnostics().setFatalsAsError(true);
    compiler.createFileManager(file_system(path, text, includes));
    compiler.createSourceManager(compiler.getFileManager());
    ParseLimits limits(compiler, options.time_limit_seconds);
    TreeAction action(source, limits);
    run_on_large_stack([&] { compiler.ExecuteAction(action); });
    if (limits.exceeded().empty()) return {};
    return user_error(limits.exceeded(), {options.file_name}, "Look for macros, headers or templates that multiply.");
}

}  // namespace optiml::cuda_source
