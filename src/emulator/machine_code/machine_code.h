#pragma once
// Machine code (SASS) as plain data: as much of it as counting needs. Read from a cubin, which also says from which PTX line each
// instruction was made.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::emulator {

// The functional unit that executes an instruction.
enum class Pipe : std::uint8_t { none, alu, fma, fp64, xu, lsu, tex, tensor, control, uniform };

// What an instruction does, as far as counters tell kinds apart.
enum class MachineKind : std::uint8_t {
    other,
    move,            // copies, constants, special registers
    integer,         // 32-bit arithmetic and logic
    ffma, fadd, fmul, float_other, double_, half,
    special,         // MUFU: reciprocals, roots, exponentials, sines
    conversion,      // between types or widths
    global_load, global_store, global_atomic, reduction,
    shared_load, shared_store, shared_atomic,
    local_load, local_store,
    constant_load,
    texture_load,
    shuffle, vote, barrier, matrix,
    branch, call, exit, reconvergence, other_control
};

struct MachineInstruction {
    MachineKind kind = MachineKind::other;
    Pipe pipe = Pipe::none;
    bool guarded = false;            // by a predicate other than PT
    std::uint8_t access_bytes = 0;   // a lane, of loads and stores
    std::uint32_t opcode = 0;        // the encoding's base opcode (9 bits): equal for all operand forms
    std::uint32_t ptx_line = 0;      // 0: unknown
    std::uint32_t target = 0;        // branch and call: index of the instruction it goes to; otherwise unused
    // The compiler's schedule: cycles until the next instruction of the warp may issue, the scoreboard that the result sets
    // (none: 7), and the scoreboards that must be clear before it issues (bit mask).
    std::uint8_t stall = 0;
    std::uint8_t sets_scoreboard = 7;
    std::uint8_t waits_for = 0;
};

struct MachineBlock {
    std::uint32_t first = 0;  // instructions [first, last)
    std::uint32_t last = 0;
    std::vector<std::uint32_t> successors;   // of calls: where they return to
    std::vector<std::uint32_t> calls;        // blocks where called subroutines begin (division's slow path, 64-bit division)
    bool in_subroutine = false;  // reached by calls only
    bool reachable = false;   // from the entry, without the detours of divergent warps
    std::uint32_t loop = 0xffffffffu;  // innermost, index of MachineFunction::loops
};

struct MachineLoop {
    std::uint32_t header = 0;
    std::uint32_t parent = 0xffffffffu;
    std::vector<std::uint32_t> blocks;
};

struct MachineFunction {
    std::string name;  // as in PTX
    std::vector<MachineInstruction> instructions;
    std::vector<MachineBlock> blocks;
    std::vector<MachineLoop> loops;  // inner ones after those that hold them
};

struct MachineCode {
    std::vector<MachineFunction> functions;
    const MachineFunction* find(std::string_view name) const;
};

// Reads an ELF file for sm_70 to sm_90 as ptxas writes it (with -lineinfo: otherwise ptx_line stays 0).
// Errors (internal): not such a file, or cut short.
Result<MachineCode> read_cubin(std::span<const std::uint8_t> cubin);

}  // namespace optiml::emulator
