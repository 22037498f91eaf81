#pragma once
// A PTX function decoded for one kernel: its operations, and what a frame of it looks like.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/execution/operation.h"
#include "ptx/undefined_registers.h"

namespace optiml::emulator {

// Rows begin at multiples of 64 bytes.
struct alignas(64) RowLine {
    std::byte bytes[64];
};

// A row that a frame fills when it is made: special registers, and addresses in the activation's own local memory.
struct PrologueRow {
    Slot slot;
    ptx::SpecialRegister special = ptx::SpecialRegister::unknown;
    bool is_local_address = false;
    std::uint64_t local_offset = 0;
};

struct Program {
    const ptx::Function* function = nullptr;
    std::uint32_t number = 0;              // of the function in its module
    std::vector<Operation> operations;     // as function->instructions
    std::vector<Slot> slots;
    std::vector<Slot> registers;           // by number of the register
    std::vector<RowLine> constants;
    std::vector<PrologueRow> prologue;
    std::uint32_t register_lines = 0;      // size of a frame's registers in RowLines
    std::uint32_t rows = 0;                // registers
    std::uint32_t local_bytes = 0;         // .local variables of one activation, a thread
    std::uint32_t parameter_bytes = 0;     // .param variables of one activation: parameters, returns, then those of its calls
    std::vector<ptx::UndefinedRegister> undefined;  // that may be read before they have a value
    std::vector<std::uint32_t> symbol_offsets;  // by local symbol: in local memory, parameters or shared memory

    const Slot* slots_of(const Operation& operation) const { return slots.data() + operation.first_slot; }
    const Slot& destination(const Operation& operation, std::uint32_t index) const { return slots[operation.first_slot + index]; }
    const Slot& source(const Operation& operation, std::uint32_t index) const {
        return slots[operation.first_slot + operation.destination_count + index];
    }
};

}  // namespace optiml::emulator
