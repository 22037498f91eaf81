// mbarrier objects: eight bytes of shared memory that count arrivals, phase after phase.

#include <bit>
#include <cstring>

#include "emulator/checks/publications.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/async_copies.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/global_access.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"

namespace optiml::emulator::handlers {
namespace {

// What the eight bytes hold here; PTX leaves that open.
struct MbarrierState {
    std::uint32_t pending : 20;   // arrivals that complete the phase
    std::uint32_t : 12;
    std::uint32_t expected : 20;  // of each phase
    std::uint32_t : 11;
    std::uint32_t phase : 1;      // parity of the current phase
};
static_assert(sizeof(MbarrierState) == sizeof(std::uint64_t));

// Calls act(MbarrierState&, lane) for the barrier object of each lane, one after another.
template <class Act>
void for_each_barrier(Executor& executor, const Operation& operation, LaneMask active, Act act) {
    form_request(executor, operation, active, executor.request);
    for_each_part(executor.request, [&](Request& part) {
        for (LaneMask rest = part.active; rest != 0; rest &= rest - 1) {
            Request one{.space = part.space, .active = rest & (0 - rest), .lane_bytes = sizeof(MbarrierState), .addresses = part.addresses};
            form_spans(executor, operation, one, false);
            if (one.active == 0) continue;
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            const Span& span = executor.spans.spans[0];
            MbarrierState state;
            std::memcpy(&state, span.page->bytes.data() + span.offset, sizeof state);
            act(state, lane, one.addresses[lane]);
            std::memcpy(span.page->bytes.data() + span.offset, &state, sizeof state);
            mark_written(executor.spans);
        }
    });
}

void arrive(MbarrierState& state, std::uint32_t count) {
    state.pending -= std::min<std::uint32_t>(count, state.pending);
    if (state.pending != 0) return;
    state.phase ^= 1;
    state.pending = state.expected;
}

std::uint64_t token_of(const MbarrierState& state) { return std::bit_cast<std::uint64_t>(state); }

}  // namespace

Flow set_up_mbarrier(Executor& executor, const Operation& operation, LaneMask active) {
    const bool begins = operation.instruction->opcode == ptx::Opcode::mbarrier_init;
    for_each_barrier(executor, operation, active, [&](MbarrierState& state, std::uint32_t lane, std::uint64_t) {
        const auto count = begins ? static_cast<std::uint32_t>(lane_value(executor.source(operation, 0), lane)) : 0;
        state = {.pending = count & 0xfffff, .expected = count & 0xfffff, .phase = 0};
    });
    return Flow::next;
}

Flow arrive_at_mbarrier(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Instruction& instruction = *operation.instruction;
    const ptx::Modifiers& modifiers = instruction.modifiers;
    if (modifiers.expect_tx || modifiers.no_complete || modifiers.shared_cluster) return not_emulated(executor, operation, active);
    const bool for_copies = instruction.opcode == ptx::Opcode::cp_async_mbarrier_arrive;
    if (for_copies) finish_all_copies(executor, active);
    for_each_barrier(executor, operation, active, [&](MbarrierState& state, std::uint32_t lane, std::uint64_t address) {
        if (Publications* publications = executor.state().publications.get())
            publications->arrive(executor.block(), executor.warp(), Publications::place_in_shared(executor.block().run_index, address));
        if (!for_copies && operation.destination_count > 0)
            set_lane_value(executor.destination(operation, 0), lane, token_of(state));
        const bool counted = !for_copies && operation.source_count > 0;
        // cp.async.mbarrier.arrive without .noinc expects one arrival more and makes it.
        if (!for_copies || modifiers.no_increment)
            arrive(state, counted ? static_cast<std::uint32_t>(lane_value(executor.source(operation, 0), lane)) : 1);
    });
    return Flow::next;
}

Flow test_mbarrier(Executor& executor, const Operation& operation, LaneMask active) {
    executor.path().has_polled = true;
    LaneMask complete = 0;
    for_each_barrier(executor, operation, active, [&](MbarrierState& state, std::uint32_t lane, std::uint64_t address) {
        const std::uint64_t asked = lane_value(executor.source(operation, 0), lane);
        const std::uint32_t phase = operation.instruction->modifiers.parity ? static_cast<std::uint32_t>(asked & 1)
                                                                            : std::bit_cast<MbarrierState>(asked).phase;
        if (state.phase == phase) return;
        complete |= 1u << lane;
        if (Publications* publications = executor.state().publications.get())
            publications->read(executor.warp(), Publications::place_in_shared(executor.block().run_index, address));
    });
    LaneMask& predicate = *executor.destination(operation, 0).words();
    predicate = (predicate & ~active) | complete;
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
