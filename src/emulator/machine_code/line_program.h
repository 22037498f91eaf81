#pragma once
// The line-number program of DWARF (version 2, section 6.2), as far as ptxas uses it.

#include <cstdint>
#include <vector>

#include "emulator/machine_code/elf_file.h"

namespace optiml::emulator {

struct LineRow {
    std::uint64_t address = 0;  // in the sequence's section; the row holds up to the next one
    std::uint32_t line = 0;
};

// One run of rows with ascending addresses, for one section.
struct LineSequence {
    std::uint64_t address_offset = 0;  // where in the program its first address stands: the place that a relocation names
    std::vector<LineRow> rows;
};

// Sequences of all units in the section; what is malformed ends the reading.
std::vector<LineSequence> read_line_program(Bytes section);

}  // namespace optiml::emulator
