#pragma once
// Which registers hold uninitialised bytes.

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/execution/operation.h"

namespace optiml::emulator {

// Where uninitialised bytes were read: the load, and the first such lane.
struct TaintOrigin {
    const ptx::Function* function = nullptr;
    std::uint32_t index = 0;      // of the load in the function
    std::uint32_t lane = 0;
    std::uint64_t address = 0;    // offset in the buffer
    std::string buffer;
};

// Taint of a frame's registers. Nearly always there is none: `any` is then false and nothing else is looked at.
class RegisterTaint {
public:
    bool any = false;

    struct Lane {
        std::uint16_t bytes = 0;    // bit b: byte b of the register is uninitialised
        bool computed = false;      // the value was computed from uninitialised bytes, not only copied
    };
    struct Register {
        LaneMask lanes = 0;         // with any taint; the others' entries are stale
        std::array<Lane, kLanes> lane{};
        std::uint32_t origin = 0;   // of the latest taint
    };

    LaneMask lanes(std::uint32_t row) const { return row < registers_.size() ? registers_[row].lanes : 0; }
    Lane lane(std::uint32_t row, std::uint32_t lane) const {
        return (lanes(row) >> lane & 1) != 0 ? registers_[row].lane[lane] : Lane{};
    }
    std::uint32_t origin(std::uint32_t row) const { return registers_[row].origin; }
    void set(std::uint32_t row, std::uint32_t rows, std::uint32_t lane, Lane taint, std::uint32_t origin);
    void clear(std::uint32_t row, LaneMask lanes) {
        if (row < registers_.size()) registers_[row].lanes &= ~lanes;
    }

private:
    std::vector<Register> registers_;  // empty until the first taint
};

}  // namespace optiml::emulator
