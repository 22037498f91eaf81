#pragma once
// Content addresses: XXH3 over 128 bits (not against an attacker, who gains nothing by a collision here).

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace optiml {

struct Digest {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    auto operator<=>(const Digest&) const = default;
    std::string hex() const;  // 32 lower-case digits
};

Digest digest_of(std::string_view bytes);

// Collects fields with their lengths, so that ("ab","c") and ("a","bc") differ.
class Hasher {
public:
    Hasher& add(std::string_view field);
    Hasher& add(std::uint64_t number);
    Hasher& add(const Digest& digest);
    Digest finish() const { return digest_of(bytes_); }

private:
    std::string bytes_;
};

}  // namespace optiml
