#pragma once
// Which element of a matrix each lane holds in each of its registers.

#include <cstdint>

#include "ptx/module.h"

namespace optiml::emulator {

struct Element {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
};

// One operand of D = A * B + C, spread over the lanes of a warp as PTX defines it for mma.sync (and our wmma does likewise, where PTX
// leaves the layout open): groups of four lanes share a row of A, C and D or a column of B.
class Fragment {
public:
    // registers: of one lane. type: of the elements in them.
    Fragment(ptx::MatrixFragment role, ptx::MatrixShape shape, ptx::Type type, std::uint32_t registers);

    std::uint32_t rows() const { return rows_; }
    std::uint32_t columns() const { return columns_; }
    std::uint32_t element_bytes() const { return element_bytes_; }
    std::uint32_t register_bytes() const { return register_bytes_; }
    // Elements of one lane. Those from distinct_slots() on repeat the first ones.
    std::uint32_t slots() const { return slots_; }
    std::uint32_t distinct_slots() const { return rows_ * columns_ / 32; }
    // Slot s lies in register s / slots_per_register, from the low bits up.
    std::uint32_t slots_per_register() const { return register_bytes_ / element_bytes_; }
    Element element(std::uint32_t lane, std::uint32_t slot) const;

private:
    ptx::MatrixFragment role_;
    std::uint32_t rows_;
    std::uint32_t columns_;
    std::uint32_t element_bytes_;
    std::uint32_t register_bytes_;
    std::uint32_t slots_;
    bool is_tiled_;  // the layout of mma.sync; else elements are dealt out in order
};

}  // namespace optiml::emulator
