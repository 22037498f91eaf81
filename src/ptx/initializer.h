#pragma once

#include <cstdint>
#include <vector>

#include "ptx/cursor.h"
#include "ptx/declarations.h"

namespace optiml::ptx {

// The value behind '=': fills initial, relocations and their names, and bytes where the first dimension was left empty (0).
// A list that is shorter than its dimension leaves zeros.
void parse_initializer(Cursor& cursor, std::uint32_t element_bytes, const std::vector<std::uint64_t>& dimensions,
                       DeclaredVariable& declared);

}  // namespace optiml::ptx
