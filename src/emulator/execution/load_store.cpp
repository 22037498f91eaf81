// ld and st of every space and width.

#include <cstring>

#include "emulator/checks/order_effects.h"
#include "emulator/checks/race_checker.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/global_access.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/local_access.h"
#include "emulator/execution/rows.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

template <std::uint32_t lane_bytes>
void copy_from_pages(const Spans& spans, std::uint8_t* staging) {
    for (const Span& span : spans) {
        const std::uint8_t* from = span.page->bytes.data() + span.offset;
        std::uint8_t* to = staging + span.first_lane * lane_bytes;
        if (span.lanes == 1 || span.same)
            for (int lane = 0; lane < span.lanes; ++lane) std::memcpy(to + lane * lane_bytes, from, lane_bytes);
        else
            std::memcpy(to, from, span.bytes);
    }
}

void copy_from_pages(const Spans& spans, std::uint32_t lane_bytes, std::uint8_t* staging) {
    switch (lane_bytes) {
        case 1: return copy_from_pages<1>(spans, staging);
        case 2: return copy_from_pages<2>(spans, staging);
        case 4: return copy_from_pages<4>(spans, staging);
        case 8: return copy_from_pages<8>(spans, staging);
        case 16: return copy_from_pages<16>(spans, staging);
        default: return copy_from_pages<32>(spans, staging);
    }
}

// Span by span: lanes that write the same bytes find each other's.
void copy_to_pages(Executor& executor, const Operation& operation, const Request& request) {
    const RaceChecker races(executor, operation, request);
    const bool checks = executor.state().options.checks;
    for (const Span& span : executor.spans) {
        const std::uint8_t* staging = executor.staging.data() + span.first_lane * request.lane_bytes;
        if (checks && span.tracked) races.store(span, staging);
        span.page->modified = true;
        std::memcpy(span.page->bytes.data() + span.offset, staging, span.bytes);
    }
}

void check_races(Executor& executor, const Operation& operation, const Request& request) {
    see_releases(executor, operation, request);
    const RaceChecker races(executor, operation, request);
    for (const Span& span : executor.spans)
        if (span.tracked) races.load(span);
}

void load_part(Executor& executor, const Operation& operation, Request& request) {
    switch (request.space) {
        case Space::local: load_local(executor, operation, request); break;
        case Space::param: load_kernel_parameters(executor, operation, request); break;
        default:
            form_spans(executor, operation, request, true);
            if (executor.state().options.checks) check_races(executor, operation, request);
            copy_from_pages(executor.spans, request.lane_bytes, executor.staging.data());
            if (executor.state().options.checks) taint_flow::load(executor, operation, request);
            break;
    }
    if (request.space != Space::param) executor.observe(operation, request);
}

void store_part(Executor& executor, const Operation& operation, Request& request) {
    if (request.space == Space::local) {
        store_local(executor, operation, request);
    } else {
        form_spans(executor, operation, request, false);
        copy_to_pages(executor, operation, request);
        if (executor.state().options.checks) release(executor, operation, request);
        mark_written(executor.spans);
        if (executor.frame().taint.any) taint_flow::store(executor, operation, request);
    }
    executor.observe(operation, request);
}

}  // namespace

void form_request(Executor& executor, const Operation& operation, LaneMask active, Request& request) {
    const MemoryForm& form = operation.memory;
    request.active = active;
    request.lane_bytes = form.lane_bytes();
    request.space = form.space;
    const Slot& base = form.address.base;
    const std::uint64_t offset = form.address.offset + (form.address.in_frame ? executor.frame().local_base : 0);
    bool follow;
    if (base.width == 0) {
        request.addresses.fill(offset);
        follow = false;
    } else if (base.width == 64) {
        follow = form_addresses(executor.frame().row_of(base).longs(), offset, request.lane_bytes, request.addresses.data());
    } else {
        follow = form_addresses(executor.frame().row_of(base).words(), static_cast<std::uint32_t>(offset), request.lane_bytes,
                                request.addresses.data());
    }
    request.contiguous = follow && active == ~LaneMask{0};
    if (executor.frame().taint.any) taint_flow::reaches_address(executor, operation, active);
}

namespace handlers {

Flow load(Executor& executor, const Operation& operation, LaneMask active) {
    form_request(executor, operation, active, executor.request);
    if (operation.memory.strength != AccessStrength::weak) executor.path().has_polled = true;
    if (executor.frame().taint.any) taint_flow::clear_destinations(executor, operation, active);
    const LaneMask done = for_each_part(executor.request, [&](Request& part) { load_part(executor, operation, part); });
    clear_staging(executor, operation, active & ~done);
    unpack(executor, operation, active);
    return Flow::next;
}

Flow store(Executor& executor, const Operation& operation, LaneMask active) {
    form_request(executor, operation, active, executor.request);
    if (operation.memory.strength != AccessStrength::weak) executor.path().idle_rounds = 0;
    pack(executor, operation);
    if (executor.frame().taint.any) taint_flow::reaches_store(executor, operation, active);
    for_each_part(executor.request, [&](Request& part) { store_part(executor, operation, part); });
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
