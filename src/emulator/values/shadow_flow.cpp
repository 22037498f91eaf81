#include "emulator/values/shadow_flow.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/execution/rows.h"
#include "emulator/values/wide_arithmetic.h"

namespace optiml::emulator::shadow_flow {
namespace {

bool may_have_shadow(std::uint32_t bytes) { return bytes == sizeof(float) || bytes == sizeof(double); }

// Calls act(lane, element, row, byte within the lane's access) for what a load or store moves.
template <class Act>
void for_each_element(Executor& executor, const Operation& operation, LaneMask lanes, std::uint32_t first_slot, Act act) {
    const MemoryForm& form = operation.memory;
    for (std::uint32_t element = 0; element < form.elements; ++element) {
        const std::uint32_t row = executor.program().slots[first_slot + element].row;
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
            act(static_cast<std::uint32_t>(std::countr_zero(rest)), row, element * form.element_bytes);
    }
}

std::uint32_t first_value(const Operation& operation) {
    return operation.first_slot + operation.destination_count + operation.source_count - operation.memory.elements;
}

// Where each lane's bytes lie.
struct LanePlaces {
    std::array<Page*, kLanes> page{};
    std::array<std::uint32_t, kLanes> offset{};

    LanePlaces(const Spans& spans, std::uint32_t lane_bytes) {
        for (const Span& span : spans) {
            for (std::uint32_t i = 0; i < span.lanes; ++i) {
                page[span.first_lane + i] = span.page;
                offset[span.first_lane + i] = span.same ? span.offset : span.offset + i * lane_bytes;
            }
        }
    }
};

void set_shadow(Page& page, std::uint32_t offset, std::uint32_t bytes, ShadowValue value) {
    if (page.shadow == nullptr) page.shadow = std::make_unique<ShadowPage>();
    page.shadow->set(offset, bytes, value);
}

ShadowValue value_of(ptx::Type type, std::uint64_t bits) {
    return {.high = type == ptx::Type::f64 ? std::bit_cast<double>(bits) : std::bit_cast<float>(static_cast<std::uint32_t>(bits)), .low = 0};
}

}  // namespace

void forget_destinations(Executor& executor, const Operation& operation, LaneMask lanes) {
    for (std::uint32_t destination = 0; destination < operation.destination_count; ++destination)
        executor.frame().shadows.forget(executor.program().destination(operation, destination).row, lanes);
}

void forget_stored(const Spans& spans) {
    for (const Span& span : spans)
        if (span.page->shadow) span.page->shadow->forget(span.offset, span.bytes);
}

void shuffle(Executor& executor, const Operation& operation, LaneMask lanes, const std::array<std::uint32_t, kLanes>& from) {
    ShadowRows& shadows = executor.frame().shadows;
    const std::uint32_t source = executor.program().source(operation, 0).row;
    const std::uint32_t destination = executor.program().destination(operation, 0).row;
    std::array<ShadowValue, kLanes> moved{};
    LaneMask valid = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (!shadows.has(source, from[lane])) continue;
        moved[lane] = shadows.get(source, from[lane]);
        valid |= 1u << lane;
    }
    forget_destinations(executor, operation, lanes);
    for (; valid != 0; valid &= valid - 1)
        shadows.set(destination, static_cast<std::uint32_t>(std::countr_zero(valid)), moved[std::countr_zero(valid)]);
}

std::optional<ShadowValue> loaded(const Executor& executor, const Request& request, std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes) {
    const LanePlaces places(executor.spans, request.lane_bytes);
    const Page* page = places.page[lane];
    if (page == nullptr || page->shadow == nullptr) return std::nullopt;
    const ShadowValue* found = page->shadow->find(places.offset[lane] + byte, bytes);
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

void stored(const Executor& executor, const Request& request, std::uint32_t lane, std::uint32_t byte, std::uint32_t bytes, ShadowValue value) {
    const LanePlaces places(executor.spans, request.lane_bytes);
    if (places.page[lane] != nullptr) set_shadow(*places.page[lane], places.offset[lane] + byte, bytes, value);
}

void load(Executor& executor, const Operation& operation, const Request& request) {
    const std::uint32_t bytes = operation.memory.element_bytes;
    if (!may_have_shadow(bytes)) return;
    const LanePlaces places(executor.spans, request.lane_bytes);
    for_each_element(executor, operation, request.active, operation.first_slot, [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        const Page& page = *places.page[lane];
        const ShadowValue* shadow = page.shadow ? page.shadow->find(places.offset[lane] + byte, bytes) : nullptr;
        if (shadow != nullptr) executor.frame().shadows.set(row, lane, *shadow);
    });
}

void store(Executor& executor, const Operation& operation, const Request& request) {
    const std::uint32_t bytes = operation.memory.element_bytes;
    if (!may_have_shadow(bytes)) return;
    const ShadowRows& shadows = executor.frame().shadows;
    const LanePlaces places(executor.spans, request.lane_bytes);
    for_each_element(executor, operation, request.active, first_value(operation), [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        if (shadows.has(row, lane)) set_shadow(*places.page[lane], places.offset[lane] + byte, bytes, shadows.get(row, lane));
    });
}

void load_local(Executor& executor, const Operation& operation, const Request& request) {
    const LocalMemory& local = executor.warp().local;
    const std::uint32_t bytes = operation.memory.element_bytes;
    if (local.shadows.empty() || !may_have_shadow(bytes)) return;
    for_each_element(executor, operation, request.active, operation.first_slot, [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        const LocalMemory::Shadow& shadow = local.shadows[(request.addresses[lane] + byte) / kGranuleBytes][lane];
        if (shadow.bytes == bytes) executor.frame().shadows.set(row, lane, shadow.value);
    });
}

void store_local(Executor& executor, const Operation& operation, const Request& request) {
    LocalMemory& local = executor.warp().local;
    const ShadowRows& shadows = executor.frame().shadows;
    const std::uint32_t bytes = operation.memory.element_bytes;
    if (local.shadows.empty()) local.shadows.resize(local.words.size());
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint64_t first = request.addresses[lane] / kGranuleBytes;
        const std::uint64_t last = (request.addresses[lane] + request.lane_bytes - 1) / kGranuleBytes;
        if (first > 0 && local.shadows[first - 1][lane].bytes > kGranuleBytes) local.shadows[first - 1][lane].bytes = 0;
        for (std::uint64_t granule = first; granule <= last; ++granule) local.shadows[granule][lane].bytes = 0;
    }
    if (!may_have_shadow(bytes)) return;
    for_each_element(executor, operation, request.active, first_value(operation), [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        if (shadows.has(row, lane))
            local.shadows[(request.addresses[lane] + byte) / kGranuleBytes][lane] = {shadows.get(row, lane), static_cast<std::uint8_t>(bytes)};
    });
}

void load_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    Frame& frame = executor.frame();
    if (frame.parameter_notes.empty()) return;
    for_each_element(executor, operation, active, operation.first_slot, [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        const std::size_t place = lane * std::size_t{frame.program->parameter_bytes} + operation.memory.address.offset + byte;
        const ParameterNotes::Note& note = frame.parameter_notes[place];
        if (note.shadow_bytes == operation.memory.element_bytes) frame.shadows.set(row, lane, note.shadow);
    });
}

void store_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    Frame& frame = executor.frame();
    const std::uint32_t bytes = operation.memory.element_bytes;
    frame.parameter_notes.open(frame.parameters.size());
    for_each_element(executor, operation, active, first_value(operation), [&](std::uint32_t lane, std::uint32_t row, std::uint32_t byte) {
        const std::size_t place = lane * std::size_t{frame.program->parameter_bytes} + operation.memory.address.offset + byte;
        for (std::uint32_t i = 0; i < bytes; ++i) frame.parameter_notes[place + i].shadow_bytes = 0;
        if (!may_have_shadow(bytes) || !frame.shadows.has(row, lane)) return;
        frame.parameter_notes[place].shadow_bytes = static_cast<std::uint8_t>(bytes);
        frame.parameter_notes[place].shadow = frame.shadows.get(row, lane);
    });
}

std::optional<ShadowValue> atomic(Executor& executor, const Operation& operation, std::uint32_t element, std::uint32_t lane, Page& page,
                                  std::uint32_t offset, std::uint64_t old, std::uint64_t now) {
    using ptx::AtomicOperation;
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    const MemoryForm& form = operation.memory;
    const std::uint32_t bytes = form.element_bytes;
    const ShadowValue* found = page.shadow && may_have_shadow(bytes) ? page.shadow->find(offset, bytes) : nullptr;
    const std::optional<ShadowValue> before = found != nullptr ? std::optional(*found) : std::nullopt;
    if (page.shadow) page.shadow->forget(offset, bytes);
    if (!may_have_shadow(bytes)) return before;
    const bool swaps = modifiers.atomic == AtomicOperation::cas;
    if (swaps && old == now) {
        if (before) set_shadow(page, offset, bytes, *before);
        return before;
    }
    const std::uint32_t source = swaps ? form.elements + element : element;
    const std::uint32_t row = executor.program().source(operation, source).row;
    const ShadowRows& shadows = executor.frame().shadows;
    if (modifiers.atomic == AtomicOperation::exch || swaps) {
        if (shadows.has(row, lane)) set_shadow(page, offset, bytes, shadows.get(row, lane));
        return before;
    }
    if (modifiers.type != ptx::Type::f32 && modifiers.type != ptx::Type::f64) return before;
    const ShadowValue was = before ? *before : value_of(modifiers.type, old);
    const ShadowValue operand = shadows.has(row, lane) ? shadows.get(row, lane)
                                                       : value_of(modifiers.type, lane_value(executor.source(operation, source), lane));
    if (modifiers.atomic == AtomicOperation::add) {
        ShadowValue sum = wide_sum(was, operand);
        if (modifiers.type == ptx::Type::f32) sum = {.high = was.high + operand.high, .low = 0};
        set_shadow(page, offset, bytes, sum);
    } else {
        set_shadow(page, offset, bytes, now == old ? was : operand);
    }
    return before;
}

}  // namespace optiml::emulator::shadow_flow
