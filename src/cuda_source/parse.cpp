#include "cuda_source/parse.h"

#include <algorithm>

#include "cuda_source/clang/front_end.h"
#include "cuda_source/flags.h"

namespace optiml::cuda_source {
namespace {

// Errors inside functions that only the host runs do not concern the kernels.
void mark_host_diagnostics(SourceFile& source) {
    const LineMap lines(source.text);
    for (Diagnostic& diagnostic : source.diagnostics) {
        if (diagnostic.where.line == 0 || diagnostic.where.file != source.name) continue;
        const std::uint32_t offset = lines.line_begin(diagnostic.where.line) + diagnostic.where.column - 1;
        diagnostic.in_host_code = std::any_of(source.functions.begin(), source.functions.end(), [&](const Function& function) {
            return !function.is_kernel && !function.is_device && function.span.begin <= offset && offset < function.span.end;
        });
    }
}

}  // namespace

Result<SourceFile> parse(std::string text, const ParseOptions& options) {
    if (text.size() > 64u << 20) return user_error("the source is larger than 64 MiB", {options.file_name, 0, 0});
    SourceFile source;
    source.name = options.file_name;
    source.text = std::move(text);
    if (Status status = run_front_end(source, options); !status) return tl::unexpected(status.error());
    mark_written_variables(source);
    mark_host_diagnostics(source);
    return source;
}

Status first_error(const SourceFile& source) {
    for (const Diagnostic& diagnostic : source.diagnostics) {
        if (diagnostic.severity != Diagnostic::Severity::error || diagnostic.in_host_code) continue;
        return user_error(diagnostic.message, diagnostic.where);
    }
    return {};
}

}  // namespace optiml::cuda_source
