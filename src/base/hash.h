#pragma once
// Content addresses: XXH3 over 128 bits (not against an attacker, who gains nothing by a collision here).

#include <cstdint>
#include <string>
#include <string_view>

#include "optiml/digest.h"

namespace optiml {

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
