#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace optiml {

std::string Digest::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Digest digest_of(std::string_view bytes) {
    const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

Hasher& Hasher::add(std::string_view field) {
    add(static_cast<std::uint64_t>(field.size()));
    bytes_.append(field);
    return *this;
}

Hasher& Hasher::add(std::uint64_t number) {
    for (int i = 0; i < 8; ++i) bytes_.push_back(static_cast<char>(number >> (8 * i) & 0xff));
    return *this;
}

Hasher& Hasher::add(const Digest& digest) { return add(digest.high).add(digest.low); }

}  // namespace optiml
