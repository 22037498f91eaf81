#pragma once
// What one atomic operation makes of the value in memory.

#include <cstdint>

#include "ptx/opcode.h"

namespace optiml::emulator {

struct AtomicOperands {
    std::uint64_t value = 0;    // b: what is added, exchanged, ...; for cas what memory is compared with
    std::uint64_t replacement = 0;  // c, cas only
};

// Bits beyond the type's width are zero, in and out. flush: subnormal f32 become zero, as in global memory.
std::uint64_t apply_atomic(ptx::AtomicOperation operation, ptx::Type type, std::uint64_t old, AtomicOperands operands, bool flush);

// False: no atomic operation of that type exists here.
bool is_atomic(ptx::AtomicOperation operation, ptx::Type type);

}  // namespace optiml::emulator
