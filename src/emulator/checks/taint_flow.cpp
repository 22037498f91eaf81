#include "emulator/checks/taint_flow.h"

#include <bit>

#include "emulator/checks/taint_bits.h"
#include "emulator/execution/rows.h"

namespace optiml::emulator::taint_flow {
namespace {

using Lane = RegisterTaint::Lane;
using ptx::Opcode;

std::uint64_t all_bits(const Slot& slot) { return slot.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << slot.width) - 1; }

void set(Executor& executor, const Slot& slot, std::uint32_t lane, Lane taint, std::uint32_t origin) {
    executor.frame().taint.set(slot.row, executor.program().rows, lane, taint, origin);
}

LaneMask tainted_sources(Executor& executor, const Operation& operation, LaneMask active, std::uint32_t& origin) {
    const RegisterTaint& taint = executor.frame().taint;
    LaneMask tainted = 0;
    for (std::uint32_t source = 0; source < operation.source_count; ++source) {
        const std::uint32_t row = executor.program().source(operation, source).row;
        const LaneMask lanes = taint.lanes(row) & active;
        if (lanes != 0) origin = taint.origin(row);
        tainted |= lanes;
    }
    return tainted;
}

// mov with a vector on either side.
void pack(Executor& executor, const Operation& operation, LaneMask tainted, std::uint32_t origin) {
    const Program& program = executor.program();
    const RegisterTaint& taint = executor.frame().taint;
    const std::uint32_t bits = ptx::bits_of(operation.instruction->modifiers.type);
    const std::uint32_t part = bits / std::max<std::uint32_t>(1, std::max(operation.source_count, operation.destination_count));
    for (LaneMask rest = tainted; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        Lane whole;
        for (std::uint32_t source = 0; source < operation.source_count; ++source) {
            const Lane element = taint.lane(program.source(operation, source).row, lane);
            whole.bits |= operation.source_count == 1 ? element.bits : element.bits << std::min(63u, part * source);
            whole.computed |= element.computed;
        }
        for (std::uint32_t destination = 0; destination < operation.destination_count; ++destination) {
            const Slot& slot = program.destination(operation, destination);
            const std::uint64_t shifted = operation.destination_count == 1 ? whole.bits : whole.bits >> std::min(63u, part * destination);
            set(executor, slot, lane, {.bits = shifted & all_bits(slot), .computed = whole.computed}, origin);
        }
    }
}

void move_bits(Executor& executor, const Operation& operation, LaneMask tainted, std::uint32_t origin) {
    const RegisterTaint& taint = executor.frame().taint;
    for (LaneMask rest = tainted; rest != 0; rest &= rest - 1) {
        const auto number = static_cast<std::uint32_t>(std::countr_zero(rest));
        TaintedLane lane{.sources = std::min<int>(operation.source_count, kMaxTaintSources)};
        for (int source = 0; source < lane.sources; ++source) {
            const auto index = static_cast<std::uint32_t>(source);
            lane.values[source] = lane_value(executor.source(operation, index), number);
            if ((operation.negated_sources >> source & 1) != 0) lane.values[source] ^= 1;
            lane.taints[source] = taint.lane(executor.program().source(operation, index).row, number);
        }
        set(executor, executor.program().destination(operation, 0), number, bits_moved(*operation.instruction, lane), origin);
    }
}

void taint_all(Executor& executor, const Operation& operation, LaneMask tainted, std::uint32_t origin) {
    for (std::uint32_t destination = 0; destination < operation.destination_count; ++destination) {
        const Slot& slot = executor.program().destination(operation, destination);
        for (LaneMask rest = tainted; rest != 0; rest &= rest - 1)
            set(executor, slot, static_cast<std::uint32_t>(std::countr_zero(rest)), {.bits = all_bits(slot), .computed = true}, origin);
    }
}

}  // namespace

void enter(Executor& executor, Frame& frame, LaneMask lanes) {
    const Program& program = *frame.program;
    for (const ptx::UndefinedRegister& undefined : program.undefined) {
        const std::uint32_t origin = executor.taint_origin(program.operations[undefined.reader], ptx::Space::reg, {}, lanes);
        const Slot& slot = program.registers[undefined.register_index];
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
            frame.taint.set(undefined.register_index, program.rows, static_cast<std::uint32_t>(std::countr_zero(rest)),
                            {.bits = all_bits(slot), .computed = false}, origin);
    }
}

void compute(Executor& executor, const Operation& operation, LaneMask active) {
    std::uint32_t origin = 0;
    const LaneMask tainted = tainted_sources(executor, operation, active, origin);
    for (std::uint32_t destination = 0; destination < operation.destination_count; ++destination)
        executor.frame().taint.clear(executor.program().destination(operation, destination).row, active & ~tainted);
    if (tainted == 0) return;
    if (operation.instruction->opcode == Opcode::mov)
        pack(executor, operation, tainted, origin);
    else if (moves_bits(*operation.instruction))
        move_bits(executor, operation, tainted, origin);
    else
        taint_all(executor, operation, tainted, origin);
}

void shuffle(Executor& executor, const Operation& operation, LaneMask lanes, const std::array<std::uint32_t, kLanes>& from,
             LaneMask undefined) {
    RegisterTaint& taint = executor.frame().taint;
    if (!taint.any && undefined == 0) return;
    std::uint32_t origin = 0;
    const LaneMask tainted = tainted_sources(executor, operation, lanes, origin);
    const std::uint32_t row = executor.program().source(operation, 0).row;
    std::array<Lane, kLanes> moved{};
    for (LaneMask rest = lanes; rest != 0 && tainted != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        moved[lane] = taint.lane(row, from[lane]);
    }
    const Slot& slot = executor.program().destination(operation, 0);
    if (operation.destination_count > 1) taint.clear(executor.program().destination(operation, 1).row, lanes);
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        set(executor, slot, lane, moved[lane], origin);
    }
    if (undefined == 0 || !executor.state().options.checks) return;
    const std::uint32_t here = executor.taint_origin(operation, ptx::Space::reg, {}, undefined);
    for (LaneMask rest = undefined; rest != 0; rest &= rest - 1)
        set(executor, slot, static_cast<std::uint32_t>(std::countr_zero(rest)), {.bits = all_bits(slot), .computed = true}, here);
}

void combine_lanes(Executor& executor, const Operation& operation, LaneMask lanes) {
    std::uint32_t origin = 0;
    const LaneMask tainted = tainted_sources(executor, operation, lanes, origin);
    clear_destinations(executor, operation, lanes);
    if (tainted != 0) taint_all(executor, operation, lanes, origin);
}

void clear_destinations(Executor& executor, const Operation& operation, LaneMask active) {
    for (std::uint32_t destination = 0; destination < operation.destination_count; ++destination)
        executor.frame().taint.clear(executor.program().destination(operation, destination).row, active);
}

}  // namespace optiml::emulator::taint_flow
