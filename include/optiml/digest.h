#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace optiml {

// A content address.
struct Digest {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    auto operator<=>(const Digest&) const = default;
    std::string hex() const;  // 32 lower-case digits
};

}  // namespace optiml
