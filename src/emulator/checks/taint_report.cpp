// Uninitialised bits that decide something.

#include <bit>

#include <fmt/format.h>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_faults.h"
#include "emulator/execution/places.h"

namespace optiml::emulator::taint_flow {
namespace {

// lane: where the bits decide something, at `use`.
void report(Executor& executor, const Operation& use, const TaintOrigin& origin, std::uint32_t lane, std::string_view effect) {
    const bool from_register = origin.space == ptx::Space::reg;
    const bool from_shuffle = from_register && origin.operation->instruction->opcode == ptx::Opcode::shfl_sync;
    Finding finding =
        executor.finding(from_shuffle ? FindingKind::shuffle : FindingKind::uninitialized, *origin.operation, lane, {});
    finding.other_line = user_place(*use.instruction).line;
    if (from_shuffle) {
        finding.message = fmt::format("the value shuffled from a lane that does not take part {} at line {}", effect, finding.other_line);
    } else if (from_register) {
        finding.buffer = "register";
        finding.message = fmt::format("bits of a variable that was never set {} at line {}", effect, finding.other_line);
    } else {
        const PlaceInBuffer place = place_of(executor, origin.space, origin.addresses[lane]);
        finding.buffer = place.buffer;
        finding.address = place.offset;
        finding.message = fmt::format("uninitialised bytes of '{}' (read at byte {}) {} at line {}", place.buffer, place.offset, effect,
                                      finding.other_line);
    }
    executor.report(std::move(finding));
}

// Reports the lanes and forgets their taint, so that one cause is not reported over and over.
void reaches(Executor& executor, const Operation& operation, std::uint32_t row, LaneMask lanes, std::string_view effect) {
    RegisterTaint& taint = executor.frame().taint;
    const LaneMask tainted = taint.lanes(row) & lanes;
    if (tainted == 0) return;
    const TaintOrigin& origin = executor.warp().taint_origins[taint.origin(row)];
    for (LaneMask rest = tainted; rest != 0; rest &= rest - 1)
        report(executor, operation, origin, static_cast<std::uint32_t>(std::countr_zero(rest)), effect);
    taint.clear(row, tainted);
}

}  // namespace

void reaches_guard(Executor& executor, const Operation& operation, LaneMask lanes) {
    const bool branches = operation.instruction->opcode == ptx::Opcode::bra;
    reaches(executor, operation, operation.guard_row, lanes, branches ? "decide a branch" : "decide whether an instruction runs");
}

void reaches_address(Executor& executor, const Operation& operation, std::uint32_t row, LaneMask lanes) {
    reaches(executor, operation, row, lanes, "make an address");
}

void reaches_store(Executor& executor, const Operation& operation, LaneMask lanes) {
    const RegisterTaint& taint = executor.frame().taint;
    for (std::uint32_t source = 0; source < operation.source_count; ++source) {
        const std::uint32_t row = executor.program().source(operation, source).row;
        LaneMask computed = 0;
        for (LaneMask rest = taint.lanes(row) & lanes; rest != 0; rest &= rest - 1)
            if (taint.lane(row, static_cast<std::uint32_t>(std::countr_zero(rest))).computed) computed |= rest & (0 - rest);
        reaches(executor, operation, row, computed, "reach a value that is stored");
    }
}

void reaches_atomic(Executor& executor, const Operation& operation, const Request& request) {
    if (executor.frame().taint.any)
        for (std::uint32_t source = 0; source < operation.source_count; ++source)
            reaches(executor, operation, executor.program().source(operation, source).row, request.active,
                    "reach a value that is stored atomically");
    if (operation.instruction->modifiers.atomic == ptx::AtomicOperation::exch) return;
    for (const Span& span : executor.spans) {
        if (span.page->written == nullptr) continue;
        for (std::uint32_t i = 0; i < span.lanes; ++i) {
            const std::uint32_t offset = span.offset + i * request.lane_bytes;
            if (unwritten_bits(*span.page, offset, std::min(request.lane_bytes, 8u)) == 0) continue;
            const std::uint32_t lane = span.first_lane + i;
            const TaintOrigin origin{.operation = &operation, .space = request.space,
                                     .addresses = request.addresses};
            report(executor, operation, origin, lane, "are updated by an atomic operation");
        }
    }
}

}  // namespace optiml::emulator::taint_flow
