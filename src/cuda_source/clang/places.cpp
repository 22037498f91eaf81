#include "cuda_source/clang/places.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include "cuda_source/scan.h"

namespace optiml::cuda_source {

Places::Places(const clang::SourceManager& sources, const clang::LangOptions& language, std::uint32_t text_size)
    : sources_(sources), language_(language), text_size_(text_size) {
    const std::string_view buffer = sources.getBufferData(sources.getMainFileID());
    text_ = buffer.substr(0, text_size);
}

bool Places::in_main_file(clang::SourceLocation location) const {
    if (location.isInvalid()) return false;
    const auto [file, offset] = sources_.getDecomposedLoc(sources_.getExpansionLoc(location));
    return file == sources_.getMainFileID() && offset < text_size_;
}

std::optional<TextSpan> Places::token(clang::SourceLocation location) const {
    if (location.isInvalid()) return std::nullopt;
    const clang::CharSourceRange range = sources_.getExpansionRange(location);
    const auto [file, begin] = sources_.getDecomposedLoc(range.getBegin());
    const auto [end_file, last] = sources_.getDecomposedLoc(range.getEnd());
    if (file != sources_.getMainFileID() || end_file != file || begin >= text_size_) return std::nullopt;
    const unsigned length = range.isTokenRange() ? clang::Lexer::MeasureTokenLength(range.getEnd(), sources_, language_) : 0;
    return TextSpan{begin, std::min(std::max(last + length, begin), text_size_)};
}

TextSpan Places::span(clang::SourceRange range) const {
    const auto begin = token(range.getBegin());
    const auto end = token(range.getEnd());
    if (!begin || !end || end->end < begin->begin) return {};
    return {begin->begin, end->end};
}

bool Places::in_one_macro(clang::SourceRange range) const {
    return range.getBegin().isMacroID() && range.getEnd().isMacroID() &&
           sources_.getExpansionRange(range.getBegin()).getAsRange() == sources_.getExpansionRange(range.getEnd()).getAsRange();
}

TextSpan Places::with_semicolon(TextSpan span) const {
    const std::uint32_t next = skip_blank(text_, span.end);
    if (!span.empty() && next < text_size_ && text_[next] == ';') span.end = next + 1;
    return span;
}

TextSpan Places::next_word(std::uint32_t offset) const {
    const std::uint32_t begin = skip_blank(text_, offset);
    std::uint32_t end = begin;
    while (end < text_size_ && is_word_character(text_[end])) ++end;
    return {begin, end};
}

TextSpan Places::directive_at(std::uint32_t offset) const {
    const std::size_t begin = text_.find('#', line_begin_at(text_, offset));
    if (begin == std::string_view::npos || begin > offset) return {offset, offset};
    std::size_t end = begin;
    do {
        end = text_.find('\n', end + 1);
        if (end == std::string_view::npos) return {static_cast<std::uint32_t>(begin), text_size_};
    } while (text_[end - 1] == '\\' || text_.substr(end - 2, 2) == "\\\r");
    return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

}  // namespace optiml::cuda_source
