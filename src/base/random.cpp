#include "base/random.h"

#include <random>

namespace optiml {

std::uint64_t system_secret() {
    std::random_device entropy;
    return std::uint64_t{entropy()} << 32 | entropy();
}

}  // namespace optiml
