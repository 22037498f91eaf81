#pragma once
// Lays out a program's frame and turns operands into slots.

#include <map>

#include "emulator/execution/module_image.h"

namespace optiml::emulator {

class ProgramBuilder {
public:
    ProgramBuilder(const ptx::Function& function, const ModuleImage& image, const SharedLayout& shared, Program& program);

    // The slot of an operand that is to stand in a row of this width if it is no register (whose width is its own).
    Slot slot(const ptx::Operand& operand, std::uint32_t width);
    AddressForm address(const ptx::Operand& operand, ptx::Space space);
    std::uint32_t guard_offset(std::uint32_t register_index) const { return program_.registers[register_index].offset; }
    // Whether an operand reads a clock, whose row has to be filled anew each time.
    static bool is_clock(ptx::SpecialRegister special);

private:
    void lay_out_registers();
    void lay_out_symbols(const SharedLayout& shared);
    Slot add_row(std::uint32_t width);
    Slot constant(std::uint32_t width, std::uint64_t value);
    Slot special(ptx::SpecialRegister special, std::uint32_t width);
    Slot local_address(std::uint32_t symbol, std::uint64_t offset, std::uint32_t width);
    ptx::Space space_of_symbol(const ptx::Operand& operand) const;
    std::uint64_t symbol_address(const ptx::Operand& operand) const;

    const ptx::Function& function_;
    const ModuleImage& image_;
    const SharedLayout& shared_;
    Program& program_;
    std::uint32_t bytes_ = 0;  // of the frame so far
    std::map<std::pair<std::uint32_t, std::uint64_t>, Slot> constants_;
    std::map<std::pair<ptx::SpecialRegister, std::uint32_t>, Slot> specials_;
};

}  // namespace optiml::emulator
