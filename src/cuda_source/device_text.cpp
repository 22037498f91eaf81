#include "cuda_source/device_text.h"

#include "cuda_source/prelude.h"
#include "cuda_source/scan.h"

namespace optiml::cuda_source {
namespace {

class DeviceText {
public:
    explicit DeviceText(const SourceFile& source) : source_(source), text_(source.text) {}

    std::string run() {
        for (const Function& function : source_.functions) {
            if (function.is_kernel || function.in_macro || function.span.empty()) continue;
            if (!function.is_device) blank(function.span);
        }
        for (const Variable& variable : source_.variables) {
            if (variable.storage == Storage::host && !variable.in_macro && !variable.type_span.empty())
                blank(declaration_of(variable));
        }
        blank_covered_includes();
        annotate_constexpr();
        return std::move(text_);
    }

private:
    void blank(TextSpan span) {
        for (std::uint32_t at = span.begin; at < span.end; ++at) {
            if (text_[at] != '\n' && text_[at] != '\r') text_[at] = ' ';
        }
    }

    // From the specifiers to the semicolon, the other variables of the declaration included.
    TextSpan declaration_of(const Variable& variable) const {
        std::uint32_t end = variable.declaration.end;
        while (end < source_.text.size() && source_.text[end] != ';') {
            const std::uint32_t behind = skip_comment_or_literal(source_.text, end);
            const bool opens = source_.text[end] == '(' || source_.text[end] == '{' || source_.text[end] == '[';
            end = behind != end ? behind : (opens ? matching_close(source_.text, end) : end) + 1;
        }
        const auto size = static_cast<std::uint32_t>(source_.text.size());
        return {variable.type_span.begin, std::min(end + 1, size)};
    }

    void blank_covered_includes() {
        for (const IncludeLine& include : include_lines(source_.text)) {
            if (is_covered_header(include.name)) blank(include.line);
        }
    }

    // From back to front, so that places in front stay right.
    void annotate_constexpr() {
        for (auto function = source_.functions.rbegin(); function != source_.functions.rend(); ++function) {
            if (!function->is_constexpr_only || function->in_macro) continue;
            const std::uint32_t at = find_word(source_.text, "constexpr", function->span.begin, function->name_span.begin);
            if (at != function->name_span.begin) text_.insert(at, "__host__ __device__ ");
        }
    }

    const SourceFile& source_;
    std::string text_;
};

}  // namespace

std::string device_text(const SourceFile& source) { return DeviceText(source).run(); }

}  // namespace optiml::cuda_source
