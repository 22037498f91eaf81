#pragma once
// Which bits of registers are uninitialised.

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/execution/operation.h"

namespace optiml::emulator {

// Where uninitialised bytes were read: the load. Space reg: the shuffle from a lane that did not take part, or the first instruction that
// reads a register which has no value.
struct TaintOrigin {
    const Operation* operation = nullptr;
    ptx::Space space = ptx::Space::global;
    std::array<std::uint64_t, kLanes> addresses{};  // by lane, in that space
};

// Taint of a frame's registers. Nearly always there is none: `any` is then false and nothing else is looked at.
class RegisterTaint {
public:
    bool any = false;

    struct Lane {
        std::uint64_t bits = 0;     // uninitialised bits of the register (of 128-bit ones, of both halves together)
        bool computed = false;      // the value was computed from uninitialised bits, not only copied
    };
    struct Register {
        LaneMask lanes = 0;         // with any taint; the others' entries are stale
        std::array<Lane, kLanes> lane{};
        std::uint32_t origin = 0;   // of the latest taint, in the warp's list
    };

    LaneMask lanes(std::uint32_t row) const { return row < registers_.size() ? registers_[row].lanes : 0; }
    Lane lane(std::uint32_t row, std::uint32_t lane) const {
        return (lanes(row) >> lane & 1) != 0 ? registers_[row].lane[lane] : Lane{};
    }
    std::uint32_t origin(std::uint32_t row) const { return registers_[row].origin; }
    // rows: of the frame. No bits: as clear.
    void set(std::uint32_t row, std::uint32_t rows, std::uint32_t lane, Lane taint, std::uint32_t origin);
    void clear(std::uint32_t row, LaneMask lanes) {
        if (row < registers_.size()) registers_[row].lanes &= ~lanes;
    }

private:
    std::vector<Register> registers_;  // empty until the first taint
};

}  // namespace optiml::emulator
