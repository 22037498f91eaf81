#pragma once

#include <cstdint>

#include "ptx/cursor.h"

namespace optiml::ptx {

// An integer constant expression (PTX ISA 4.5): 64-bit arithmetic that wraps, division and comparison signed.
// The result is two's complement. On malformed text or division by zero the cursor fails.
std::uint64_t parse_constant_expression(Cursor& cursor);

// Whether such an expression can begin here.
bool starts_constant_expression(const Token& token);

}  // namespace optiml::ptx
