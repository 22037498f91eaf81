#include "transforms/polynomial_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace optiml::transforms {
namespace {

using cuda_source::Symbol;

std::optional<std::string> symbol_text(const cuda_source::SourceFile& source, const Symbol& symbol) {
    constexpr std::array<std::string_view, 4> builtins = {"threadIdx.", "blockIdx.", "blockDim.", "gridDim."};
    if (symbol.kind == Symbol::Kind::variable) return source.variables[symbol.variable].name;
    if (symbol.kind == Symbol::Kind::opaque || symbol.builtin == cuda_source::BuiltinIndex::warp_size) return std::nullopt;
    return std::string(builtins[static_cast<std::size_t>(symbol.builtin)]) + "xyz"[symbol.axis];
}

}  // namespace

std::optional<std::string> polynomial_text(const cuda_source::SourceFile& source, const cuda_source::Polynomial& polynomial) {
    std::vector<std::pair<std::string, std::int64_t>> parts;  // factors without sign, coefficient
    for (const auto& [symbols, coefficient] : polynomial.terms) {
        const std::int64_t size = coefficient < 0 ? -coefficient : coefficient;
        std::string text = size != 1 || symbols.empty() ? std::to_string(size) : "";
        for (const Symbol& symbol : symbols) {
            const auto factor = symbol_text(source, symbol);
            if (!factor) return std::nullopt;
            text += (text.empty() ? "" : " * ") + *factor;
        }
        parts.emplace_back(std::move(text), coefficient);
    }
    if (parts.empty()) return "0";
    // Positive terms first, the constant (the map's first) last.
    std::rotate(parts.begin(), parts.begin() + (polynomial.terms.begin()->first.empty() ? 1 : 0), parts.end());
    std::stable_partition(parts.begin(), parts.end(), [](const auto& part) { return part.second > 0; });
    std::string text;
    for (const auto& [part, coefficient] : parts) {
        if (text.empty()) {
            text = (coefficient < 0 ? "-" : "") + part;
        } else {
            text += (coefficient < 0 ? " - " : " + ") + part;
        }
    }
    return text;
}

}  // namespace optiml::transforms
