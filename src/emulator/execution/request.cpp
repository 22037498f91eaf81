#include "emulator/execution/request.h"

#include "emulator/execution/vectorized.h"

namespace optiml::emulator {

OPTIML_VECTORIZED
bool form_addresses(const std::uint64_t* bases, std::uint64_t offset, std::uint64_t step, std::uint64_t* addresses) {
    const std::uint64_t first = bases[0] + offset;
    std::uint64_t gaps = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        addresses[lane] = bases[lane] + offset;
        gaps |= addresses[lane] ^ (first + step * static_cast<std::uint64_t>(lane));
    }
    return gaps == 0;
}

OPTIML_VECTORIZED
bool form_addresses(const std::uint32_t* bases, std::uint32_t offset, std::uint64_t step, std::uint64_t* addresses) {
    const std::uint32_t first = bases[0] + offset;
    std::uint64_t gaps = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
        const std::uint32_t address = bases[lane] + offset;
        addresses[lane] = address;
        gaps |= addresses[lane] ^ (first + step * static_cast<std::uint64_t>(lane));
    }
    return gaps == 0;
}

}  // namespace optiml::emulator
