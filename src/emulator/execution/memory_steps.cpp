#include "emulator/execution/memory_steps.h"

#include <cstring>

#include "emulator/checks/order_effects.h"
#include "emulator/checks/race_checker.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/global_access.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

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
    const bool tracks = executor.state().tracks_accesses();
    for (const Span& span : executor.spans) {
        const std::uint8_t* staging = executor.staging.data() + span.first_lane * request.lane_bytes;
        if (tracks && span.tracked) races.store(span, staging);
        span.page->modified = true;
        std::memcpy(span.page->bytes.data() + span.offset, staging, span.bytes);
    }
}

void check_load_races(Executor& executor, const Operation& operation, const Request& request) {
    see_releases(executor, operation, request);
    const RaceChecker races(executor, operation, request);
    for (const Span& span : executor.spans)
        if (span.tracked) races.load(span);
}

}  // namespace

void load_pages(Executor& executor, const Operation& operation, Request& request) {
    const LaneMask wanted = request.active;
    form_spans(executor, operation, request, true);
    if (executor.state().tracks_accesses()) check_load_races(executor, operation, request);
    copy_from_pages(executor.spans, request.lane_bytes, executor.staging.data());
    if (request.active != wanted) clear_staging(executor, request.lane_bytes, wanted & ~request.active);
}

void store_pages(Executor& executor, const Operation& operation, Request& request) {
    form_spans(executor, operation, request, false);
    copy_to_pages(executor, operation, request);
    if (executor.state().tracks_accesses()) release(executor, operation, request);
    mark_written(executor.spans);
    shadow_flow::forget_stored(executor.spans);
}

}  // namespace optiml::emulator
