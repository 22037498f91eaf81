#pragma once
// The seam between the executor (warps, divergence, memory, checks) and arithmetic (what one instruction does to 32 lanes).
//
// A warp's registers are rows of 32 lanes:
//   pred            one std::uint32_t, bit l = lane l
//   width <= 32     std::uint32_t[32]; 8- and 16-bit values are zero-extended
//   width == 64     std::uint64_t[32]
//   width == 128    std::uint64_t[64] (lane l: words 2l, 2l+1)
// The width is that of the register as declared, which may be wider than the instruction's type (ld.u8 into .b32).
// Immediates and special registers are rows too, so that every operand of an instruction is a pointer to a row.
// Rows start at multiples of 64 bytes, for speed. A vector operand (mov's packing) is a row for each element; a sink `_` is a row
// without data.

#include <cstdint>

#include "ptx/module.h"

namespace optiml::emulator {

constexpr int kLanes = 32;
using LaneMask = std::uint32_t;

struct Row {
    void* data = nullptr;
    std::uint32_t width = 32;  // 1 (pred), 8, 16, 32, 64, 128: the row's layout, see above (8 and 16 are stored as 32)

    std::uint32_t* words() const { return static_cast<std::uint32_t*>(data); }
    std::uint64_t* longs() const { return static_cast<std::uint64_t*>(data); }
};

constexpr int kMaxDestinations = 9;  // wmma load: 8 (+1); mov unpack: 4
constexpr int kMaxSources = 28;      // wmma.mma: 8 + 8 + 8

struct LaneOperands {
    Row destinations[kMaxDestinations];
    Row sources[kMaxSources];
    std::uint8_t destination_count = 0;
    std::uint8_t source_count = 0;
    LaneMask source_negated = 0;       // bit s: predicate source s is written !p
    std::uint32_t* carry = nullptr;    // the warp's CC.CF as a lane mask (add.cc, addc, subc, mad.cc, madc)
    const ptx::Modifiers* modifiers = nullptr;
};

// The width of the row of a register or value of that type.
std::uint32_t row_width(ptx::Type type);

// The width in which an immediate, symbol or special register must stand in the row of source `index` (vectors counted by element):
// that which the lane function reads, e.g. 32 for the amount of shl.b64. Of a register: its own.
std::uint32_t source_width(const ptx::Function& function, const ptx::Instruction& instruction, std::uint32_t index);

// Executes one instruction for the lanes in `active`; other lanes of every destination keep their values.
// Destinations may be the same rows as sources. Never faults: division by zero and the like give CUDA's result.
using LaneFunction = void (*)(const LaneOperands&, LaneMask active);

// The function for an instruction that only computes (arithmetic, logic, conversion, comparison, moves with packing, selection);
// nullptr for those that touch memory, other lanes or control, and for forms that are not emulated.
// Specialised at look-up by opcode, type and modifiers, and by what the CPU offers (AVX-512, AVX2, baseline).
LaneFunction find_lane_function(const ptx::Function& function, const ptx::Instruction& instruction);

// The wider shadow: beside each f32 register a double, beside each f64 register a double-double (high + low), by lanes.
// Where the valid bit is 0 the shadow is the bits' own value. In a 32-bit row low is 0; a low part that is not marks one half of an
// f64 (mov.b64 {a, b}), whose shadow both halves carry, through shuffles and memory too, until they are put together again.
struct ShadowRow {
    double* high = nullptr;  // [32]
    double* low = nullptr;   // [32]
    LaneMask* valid = nullptr;
};

struct ShadowOperands {
    ShadowRow destinations[kMaxDestinations];
    ShadowRow sources[kMaxSources];
};

// Runs after the bits: reads bits and shadows of the sources AS THEY WERE BEFORE (the executor keeps copies where a destination is
// also a source), and the destination's new bits. Comparisons, selections and conversions to integers follow the bits.
using ShadowFunction = void (*)(const LaneOperands&, const ShadowOperands&, LaneMask active);

// It sets high, low and valid of the destinations in the active lanes, also for copies (mov, selp) and for integer operations that may
// only change a float's sign or exponent. nullptr: the instruction makes no float value, or one that follows the bits (rounding to
// whole numbers or in a direction); the destinations' shadows become invalid in the active lanes.
ShadowFunction find_shadow_function(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace optiml::emulator
