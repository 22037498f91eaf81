#pragma once
// One PTX instruction made ready to execute: look-ups done, operands turned into places of rows.

#include <cstdint>

#include "emulator/lanes.h"
#include "emulator/observer.h"
#include "ptx/module.h"

namespace optiml::emulator {

class Executor;
struct Operation;

constexpr std::uint32_t kNoRow = ptx::none;

// Where a row of 32 lanes lies.
struct Slot {
    std::uint32_t offset = 0;     // bytes from the frame's registers or the program's constants
    std::uint16_t width = 0;      // the row's layout (lanes.h); 0: a sink or nothing
    bool constant = false;        // among the program's constants: immediates and addresses that never change
    std::uint32_t row = kNoRow;   // number of the register, by which taint and shadows are kept; constants have none
};

// What the executor does after an instruction.
enum class Flow : std::uint8_t {
    next,   // goes on with the instruction after this one
    moved,  // the path's place was set: a branch, call or return
    wait,   // the path cannot go on: a barrier or a warp-wide exchange; it is at the instruction at which it is to go on
    yield,  // goes on with the next instruction after others had their turn
    stop,   // the launch ends here
};

using Handler = Flow (*)(Executor&, const Operation&, LaneMask active);

// How an access counts when two of them meet without order between them; see race_checker.h.
enum class AccessStrength : std::uint8_t { weak, volatile_, strong, atomic };

// An address operand: [base + offset].
struct AddressForm {
    Slot base;                    // width 0: no register, the offset is the address
    std::uint64_t offset = 0;     // with the symbol's address or, in .param, its place in the parameters
    bool in_frame = false;        // .local or .param variable of this function: relative to the activation's own memory
};

struct MemoryForm {
    AddressForm address;
    AddressForm from;             // cp.async: where in global memory the bytes come from
    ptx::Space space = ptx::Space::generic;
    AccessKind kind = AccessKind::load;
    AccessStrength strength = AccessStrength::weak;
    std::uint8_t element_bytes = 4;
    std::uint8_t elements = 1;
    std::uint32_t site = 0;       // number of this memory instruction among those of the kernel; 0: not numbered

    std::uint32_t lane_bytes() const { return std::uint32_t{element_bytes} * elements; }
};

struct Operation {
    Handler handler = nullptr;         // null: compute
    LaneFunction compute = nullptr;
    ShadowFunction shadow = nullptr;
    const ptx::Instruction* instruction = nullptr;
    std::uint32_t index = 0;           // in the function
    // Slots of the operands, vectors spread out: destinations, then sources; indices into Program::slots.
    std::uint32_t first_slot = 0;
    std::uint8_t destination_count = 0;
    std::uint8_t source_count = 0;
    LaneMask negated_sources = 0;
    std::uint32_t guard_offset = 0;    // of the guard's predicate row in the frame
    std::uint32_t guard_row = kNoRow;
    bool guarded = false;
    bool guard_negated = false;
    bool ends_block = false;           // the next instruction begins a basic block: the path may have reached its reconvergence
    bool waits_for_load = false;       // reads what an earlier load of the block fetched: the warp would stall, others have their turn
    bool reads_clock = false;
    bool handles_shadows = false;      // the handler sees to the destinations' shadows
    bool goes_back = false;            // a branch to itself or earlier
    std::uint32_t target = ptx::none;         // instruction index a branch leads to
    std::uint32_t reconvergence = ptx::none;  // where lanes meet again after the branch; none: the function's end
    MemoryForm memory;
};

}  // namespace optiml::emulator
