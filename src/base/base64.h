#pragma once
// RFC 4648 base64, for bytes inside JSON lines.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace optiml {

std::string to_base64(std::span<const std::uint8_t> bytes);
// nullopt: not base64 (wrong length, letter or padding).
std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text);

}  // namespace optiml
