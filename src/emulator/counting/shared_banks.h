#pragma once
// How many cycles (wavefronts) a warp's access to shared memory takes: 32 banks of 4 bytes, one word a bank and cycle.

#include <cstdint>

#include "emulator/lanes.h"

namespace optiml::emulator {

struct BankUse {
    std::uint32_t wavefronts = 0;
    std::uint32_t conflicts = 0;  // wavefronts beyond those that as many words need without conflicts
};

// bytes: a lane (1 to 16). addresses: byte offsets in shared memory by lane. Lanes that read the same word share it. 16-byte lanes go in
// two halves of the warp: a broadcast takes two wavefronts, 32 different addresses four.
BankUse shared_bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses);

// Atomics: lanes on the same word come one after another.
BankUse shared_atomic_bank_use(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses);

}  // namespace optiml::emulator
