// atom and red: lanes one after another, in lane order.

#include <bit>
#include <cstring>

#include "emulator/checks/order_effects.h"
#include "emulator/checks/race_checker.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/atomic_operations.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/global_access.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

// One element of one lane in memory.
template <class Word>
std::uint64_t update(Word& place, const ptx::Modifiers& modifiers, AtomicOperands operands, bool flush) {
    const std::uint64_t old = place;
    place = static_cast<Word>(apply_atomic(modifiers.atomic, modifiers.type, old, operands, flush));
    return old;
}

std::uint64_t update(std::uint8_t* place, std::uint32_t bytes, const ptx::Modifiers& modifiers, AtomicOperands operands, bool flush) {
    switch (bytes) {
        case 2: return update(*reinterpret_cast<std::uint16_t*>(place), modifiers, operands, flush);
        case 4: return update(*reinterpret_cast<std::uint32_t*>(place), modifiers, operands, flush);
        default: return update(*reinterpret_cast<std::uint64_t*>(place), modifiers, operands, flush);
    }
}

std::uint64_t element_of(const Row& row, std::uint32_t lane, std::uint32_t bytes) {
    const std::uint64_t value = lane_value(row, lane);
    return bytes == 8 ? value : value & ((std::uint64_t{1} << 8 * bytes) - 1);
}

// The shadow of what memory held goes to the register that gets its value, after all lanes are done (which may read the register).
struct OldShadow {
    std::uint32_t row = kNoRow;
    std::uint32_t lane = 0;
    ShadowValue value;
};

void update_lane(Executor& executor, const Operation& operation, std::uint32_t lane, Page& page, std::uint32_t offset, bool flush,
                 std::vector<OldShadow>& old_shadows) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    const MemoryForm& form = operation.memory;
    std::uint8_t* place = page.bytes.data() + offset;
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        AtomicOperands operands{.value = element_of(executor.source(operation, element), lane, form.element_bytes)};
        if (modifiers.atomic == ptx::AtomicOperation::cas)
            operands.replacement = element_of(executor.source(operation, form.elements + element), lane, form.element_bytes);
        const std::uint64_t old = update(place + element * form.element_bytes, form.element_bytes, modifiers, operands, flush);
        std::memcpy(executor.staging.data() + lane * form.lane_bytes() + element * form.element_bytes, &old, form.element_bytes);
        if (!executor.state().wide()) continue;
        std::uint64_t now = 0;
        std::memcpy(&now, place + element * form.element_bytes, form.element_bytes);
        const auto before = shadow_flow::atomic(executor, operation, element, lane, page, offset + element * form.element_bytes, old, now);
        if (before && operation.destination_count > 0)
            old_shadows.push_back({executor.program().destination(operation, element).row, lane, *before});
    }
}

void check_atomic_races(Executor& executor, const Operation& operation, const Request& request) {
    see_releases(executor, operation, request);
    const RaceChecker races(executor, operation, request);
    for (const Span& span : executor.spans)
        if (span.tracked) races.atomic(span);
    release(executor, operation, request);
}

void update_part(Executor& executor, const Operation& operation, Request& request, std::vector<OldShadow>& old_shadows) {
    form_spans(executor, operation, request, false);
    if (executor.state().tracks_accesses()) check_atomic_races(executor, operation, request);
    if (executor.state().options.checks) taint_flow::reaches_atomic(executor, operation, request);
    const bool flush = request.space == Space::global;
    for (const Span& span : executor.spans) {
        span.page->modified = true;
        for (std::uint32_t i = 0; i < span.lanes; ++i)
            update_lane(executor, operation, span.first_lane + i, *span.page, span.offset + i * request.lane_bytes, flush, old_shadows);
    }
    mark_written(executor.spans);
    executor.observe(operation, request);
}

}  // namespace

namespace handlers {

Flow atomic(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    if (!is_atomic(modifiers.atomic, modifiers.type)) return not_emulated(executor, operation, active);
    form_request(executor, operation, active, executor.request);
    executor.path().has_polled = true;
    std::vector<OldShadow> old_shadows;
    const LaneMask done = for_each_part(executor.request, [&](Request& part) { update_part(executor, operation, part, old_shadows); });
    clear_staging(executor, operation.memory.lane_bytes(), active & ~done);
    if (operation.destination_count != 0) unpack(executor, operation, active);
    if (executor.state().wide()) shadow_flow::forget_destinations(executor, operation, active);
    for (const OldShadow& old : old_shadows) executor.frame().shadows.set(old.row, old.lane, old.value);
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
