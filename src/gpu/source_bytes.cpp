#include "gpu/source_bytes.h"

#include <algorithm>
#include <cstddef>

namespace optiml::gpu {
namespace {

bool continues(char byte) { return (byte & '\xC0') == '\x80'; }

// The bytes of the character that begins here; 0: it is no UTF-8.
std::size_t character_bytes(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80) return 1;
    const std::size_t bytes = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xF0 && first < 0xF5 ? 4 : 0;
    if (bytes == 0 || text.size() < bytes) return 0;
    return std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(bytes), continues) ? bytes : 0;
}

}  // namespace

std::string readable_source(std::string_view source) {
    std::string text(source);
    if (text.starts_with("\xEF\xBB\xBF")) text.replace(0, 3, "   ");
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t bytes = character_bytes(std::string_view(text).substr(i));
        if (bytes == 0) text[i] = '?';
        i += std::max<std::size_t>(bytes, 1);
    }
    return text;
}

}  // namespace optiml::gpu
