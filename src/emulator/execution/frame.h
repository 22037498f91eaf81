#pragma once
// One activation of a function by the lanes of a warp that called it together.

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/checks/taint.h"
#include "emulator/execution/parameter_notes.h"
#include "emulator/execution/program.h"
#include "emulator/values/shadow_rows.h"

namespace optiml::emulator {

// Lanes that left each other in the same function share a frame: each uses its own lanes of the rows.
struct Frame {
    const Program* program = nullptr;
    Frame* caller = nullptr;
    std::vector<RowLine> registers;
    std::uint32_t carry = 0;                 // CC.CF by lane
    std::uint32_t local_base = 0;            // of this activation's .local variables in each thread's local memory
    std::uint32_t depth = 0;
    std::vector<std::uint8_t> parameters;    // .param variables: parameter_bytes of lane 0, then of lane 1, ...
    ParameterNotes parameter_notes;
    RegisterTaint taint;
    ShadowRows shadows;

    // As at the start of an activation: registers are zero, nothing is tainted.
    void reset(const Program& to_run, bool wide) {
        program = &to_run;
        caller = nullptr;
        registers.assign(to_run.register_lines, RowLine{});
        carry = local_base = depth = 0;
        parameters.assign(std::size_t{to_run.parameter_bytes} * kLanes, 0);
        parameter_notes = {};
        taint = {};
        shadows = {};
        if (wide) shadows.enable(to_run.rows);
    }

    std::byte* data_of(const Slot& slot) {
        return (slot.constant ? const_cast<std::byte*>(program->constants.front().bytes) : registers.front().bytes) + slot.offset;
    }
    Row row_of(const Slot& slot) { return {.data = slot.width == 0 ? nullptr : data_of(slot), .width = slot.width}; }
    LaneMask& predicate_at(std::uint32_t offset) { return *reinterpret_cast<LaneMask*>(registers.front().bytes + offset); }
};

}  // namespace optiml::emulator
