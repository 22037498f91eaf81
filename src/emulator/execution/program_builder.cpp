#include "emulator/execution/program_builder.h"

#include <algorithm>
#include <cstring>

#include "emulator/storage/address_space.h"

namespace optiml::emulator {
namespace {

using ptx::OperandKind;
using ptx::Space;

std::uint32_t align(std::uint32_t offset, std::uint32_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

constexpr std::uint32_t kPredicateBytes = sizeof(LaneMask);

std::uint32_t row_bytes(std::uint32_t width) {
    if (width == 1) return kPredicateBytes;
    return std::max(width, 32u) / 8 * kLanes;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const ptx::Function& function, const ModuleImage& image, const SharedLayout& shared, Program& program)
    : function_(function), image_(image), shared_(shared), program_(program) {
    program_.constants.resize(1);
    program_.register_lines = 1;
    lay_out_registers();
    lay_out_symbols(shared);
}

void ProgramBuilder::lay_out_registers() {
    program_.registers.resize(function_.registers.size());
    program_.rows = static_cast<std::uint32_t>(program_.registers.size());
    // Predicates first, packed; then the rows that have to be aligned.
    for (const bool predicates : {true, false}) {
        for (std::uint32_t index = 0; index < program_.registers.size(); ++index) {
            const std::uint32_t width = row_width(function_.registers[index].type);
            if ((width == 1) != predicates) continue;
            program_.registers[index] = add_row(width);
            program_.registers[index].row = index;
        }
    }
}

Slot ProgramBuilder::add_row(std::uint32_t width) {
    if (width != 1) bytes_ = align(bytes_, sizeof(RowLine));
    const Slot slot{.offset = bytes_, .width = static_cast<std::uint16_t>(width)};
    bytes_ += row_bytes(width);
    program_.register_lines = std::max<std::uint32_t>(1, align(bytes_, sizeof(RowLine)) / sizeof(RowLine));
    return slot;
}

// Parameters and returns of kernels lie where the launch put them; those of functions, like all .param variables, in the frame.
void ProgramBuilder::lay_out_symbols(const SharedLayout& shared) {
    program_.symbol_offsets.resize(function_.symbol_count());
    std::uint32_t symbol = 0;
    std::uint32_t parameters = 0;
    const auto place = [](std::uint32_t& end, std::uint32_t alignment, std::uint64_t bytes) {
        const std::uint32_t offset = align(end, std::max(alignment, 8u));  // 8: each can be read by any scalar type
        end = offset + static_cast<std::uint32_t>(bytes);
        return offset;
    };
    for (const auto* list : {&function_.parameters, &function_.returns})
        for (const ptx::Parameter& parameter : *list)
            program_.symbol_offsets[symbol++] = function_.is_kernel ? static_cast<std::uint32_t>(parameter.offset)
                                                                    : place(parameters, parameter.alignment, parameter.bytes);
    for (std::uint32_t index = 0; index < function_.variables.size(); ++index) {
        const ptx::Variable& variable = function_.variables[index];
        std::uint32_t& offset = program_.symbol_offsets[symbol++];
        if (variable.space == Space::local) offset = place(program_.local_bytes, variable.alignment, variable.bytes);
        if (variable.space == Space::param) offset = place(parameters, variable.alignment, variable.bytes);
        if (variable.space == Space::shared) offset = shared.offsets.at({&function_, index});
    }
    program_.local_bytes = align(program_.local_bytes, 16);
    program_.parameter_bytes = align(parameters, 8);
}

Slot ProgramBuilder::constant(std::uint32_t width, std::uint64_t value) {
    if (width < 64) value &= (std::uint64_t{1} << std::max(width, 1u)) - 1;
    const auto [known, is_new] = constants_.try_emplace({width, value});
    if (!is_new) return known->second;
    const std::uint32_t first_line = static_cast<std::uint32_t>(program_.constants.size());
    program_.constants.resize(first_line + align(row_bytes(width), sizeof(RowLine)) / sizeof(RowLine));
    known->second = {.offset = first_line * static_cast<std::uint32_t>(sizeof(RowLine)),
                     .width = static_cast<std::uint16_t>(width),
                     .constant = true};
    std::byte* row = program_.constants[first_line].bytes;
    if (width == 1) {
        const LaneMask lanes = value != 0 ? ~LaneMask{0} : 0;
        std::memcpy(row, &lanes, sizeof lanes);
    } else if (width <= 32) {
        std::fill_n(reinterpret_cast<std::uint32_t*>(row), kLanes, static_cast<std::uint32_t>(value));
    } else {
        auto* longs = reinterpret_cast<std::uint64_t*>(row);
        const int step = static_cast<int>(width / 64);
        for (int lane = 0; lane < kLanes; ++lane) longs[lane * step] = value;
    }
    return known->second;
}

bool ProgramBuilder::is_clock(ptx::SpecialRegister special) {
    using enum ptx::SpecialRegister;
    return special == clock || special == clock_hi || special == clock64 || special == globaltimer || special == globaltimer_lo ||
           special == globaltimer_hi;
}

Slot ProgramBuilder::special(ptx::SpecialRegister special, std::uint32_t width) {
    const auto [known, is_new] = specials_.try_emplace({special, width});
    if (is_new) {
        known->second = add_row(width);
        program_.prologue.push_back({.slot = known->second, .special = special});
    }
    return known->second;
}

Slot ProgramBuilder::local_address(std::uint32_t symbol, std::uint64_t offset, std::uint32_t width) {
    const Slot slot = add_row(width);
    program_.prologue.push_back(
        {.slot = slot, .is_local_address = true, .local_offset = program_.symbol_offsets[symbol] + offset});
    return slot;
}

Space ProgramBuilder::space_of_symbol(const ptx::Operand& operand) const {
    if (!operand.local_symbol) return image_.module().variables[operand.index].space;
    const ptx::Variable* variable = function_.variable_of(operand.index);
    return variable != nullptr ? variable->space : Space::param;
}

std::uint64_t ProgramBuilder::symbol_address(const ptx::Operand& operand) const {
    if (operand.local_symbol) return program_.symbol_offsets[operand.index] + operand.bits;
    if (image_.module().variables[operand.index].space == Space::shared)
        return shared_.offsets.at({nullptr, operand.index}) + operand.bits;
    return image_.variable_address(operand.index) + operand.bits;
}

Slot ProgramBuilder::slot(const ptx::Operand& operand, std::uint32_t width) {
    switch (operand.kind) {
        case OperandKind::reg: return program_.registers[operand.index];
        case OperandKind::immediate: return constant(width, operand.bits);
        case OperandKind::special: return special(operand.special, width);
        case OperandKind::function: return constant(width, kFunctionWindow + operand.index);
        case OperandKind::symbol:
            if (space_of_symbol(operand) == Space::local) return local_address(operand.index, operand.bits, width);
            return constant(width, symbol_address(operand));
        default: return {};
    }
}

AddressForm ProgramBuilder::address(const ptx::Operand& operand, Space space) {
    AddressForm form;
    form.offset = operand.bits;
    if (operand.kind != OperandKind::address) {
        // A register or symbol without brackets, as in the handle of an indirect access.
        form.base = slot(operand, 64);
        form.offset = 0;
    } else if (operand.is_symbol) {
        const Space home = space_of_symbol(operand);
        form.offset = symbol_address(operand);
        form.in_frame = home == Space::local || (home == Space::param && !function_.is_kernel) ||
                        (home == Space::param && operand.index >= function_.parameters.size());
        if (space == Space::generic) form.offset += window_of(home);
    } else if (operand.index != ptx::none) {
        form.base = program_.registers[operand.index];
    }
    return form;
}

}  // namespace optiml::emulator
