#pragma once
// Clang's source locations as byte spans of the user's text.

#include <optional>

#include "base/text.h"
#include "clang/Basic/SourceLocation.h"

namespace clang {
class SourceManager;
class LangOptions;
}  // namespace clang

namespace optiml::cuda_source {

class Places {
public:
    // text_size: bytes of the user's text; whatever stands behind it in the buffer is ours and has no place.
    Places(const clang::SourceManager& sources, const clang::LangOptions& language, std::uint32_t text_size);

    bool in_main_file(clang::SourceLocation location) const;
    // Of the token at `location` (of the whole macro use, if it comes from a macro); nullopt outside of the user's text.
    std::optional<TextSpan> token(clang::SourceLocation location) const;
    // From the first byte of the first token to the last of the last; empty where either lies outside of the user's text.
    TextSpan span(clang::SourceRange range) const;
    // All of it comes from one macro use.
    bool in_one_macro(clang::SourceRange range) const;

    // The span grown by the `;` that follows (comments and white space may stand between).
    TextSpan with_semicolon(TextSpan span) const;
    // The word that begins at or after `offset`, behind white space and comments; empty if there is none.
    TextSpan next_word(std::uint32_t offset) const;
    // The preprocessor directive on the line that holds `offset`, with continuation lines.
    TextSpan directive_at(std::uint32_t offset) const;

private:

    const clang::SourceManager& sources_;
    const clang::LangOptions& language_;
    std::uint32_t text_size_;
    std::string_view text_;
};

}  // namespace optiml::cuda_source
