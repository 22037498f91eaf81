#include "emulator/execution/async_copies.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "emulator/checks/race_checker.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/global_access.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

void read_shadows(const Executor& executor, const Request& part, std::uint32_t lane, std::uint32_t first, AsyncCopy& copy) {
    for (std::uint32_t byte = 0; byte < part.lane_bytes; byte += 4) {
        for (const std::uint8_t bytes : {4, 8}) {
            if (byte + bytes > part.lane_bytes) continue;
            const auto shadow = shadow_flow::loaded(executor, part, lane, byte, bytes);
            if (!shadow) continue;
            copy.shadows[(first + byte) / 4] = *shadow;
            copy.shadow_bytes[(first + byte) / 4] = bytes;
        }
    }
}

// The lanes' bytes, from 1 to kMaxCopyBytes of each, read from global memory into the copies; others stay zero.
void read_source(Executor& executor, const Operation& operation, const Request& source, const std::array<std::uint32_t, kLanes>& sizes,
                 std::array<AsyncCopy, kLanes>& copies) {
    // In steps of what is left in powers of two, so that each is one aligned access a lane.
    for (std::uint32_t step = kMaxCopyBytes; step > 0; step /= 2) {
        Request part{.space = Space::global, .lane_bytes = step};
        for (LaneMask rest = source.active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            if ((sizes[lane] & step) == 0) continue;
            part.active |= 1u << lane;
            part.addresses[lane] = source.addresses[lane] + (sizes[lane] & ~(2 * step - 1));
        }
        if (part.active == 0) continue;
        load_pages(executor, operation, part);
        std::array<std::uint64_t, kLanes> low{};
        const bool tainted = executor.state().options.checks && taint_flow::unwritten_bytes(executor, part, low);
        for (LaneMask rest = part.active; rest != 0; rest &= rest - 1) {
            const int lane = std::countr_zero(rest);
            const std::uint32_t first = sizes[lane] & ~(2 * step - 1);
            std::memcpy(copies[lane].value.data() + first, executor.staging.data() + static_cast<std::uint32_t>(lane) * step, step);
            if (tainted) copies[lane].unwritten |= static_cast<std::uint32_t>(low[lane]) << first;
            if (executor.state().wide()) read_shadows(executor, part, static_cast<std::uint32_t>(lane), first, copies[lane]);
        }
    }
}

void arrive(Executor& executor, const AsyncCopy& copy) {
    Request request{.space = Space::shared, .active = 1u << copy.lane, .lane_bytes = copy.bytes};
    request.addresses[copy.lane] = copy.target;
    form_spans(executor, *copy.operation, request, false);
    if (executor.state().tracks_accesses())
        for (const Span& span : executor.spans) RaceChecker(executor, *copy.operation, request).end_copy(span);
    std::memcpy(executor.staging.data() + copy.lane * copy.bytes, copy.value.data(), copy.bytes);
    store_pages(executor, *copy.operation, request);
    for (const Span& span : executor.spans) taint_flow::mark_unwritten(*span.page, span.offset, copy.unwritten);
    for (std::uint32_t word = 0; word < copy.shadows.size(); ++word)
        if (copy.shadow_bytes[word] != 0)
            shadow_flow::stored(executor, request, copy.lane, 4 * word, copy.shadow_bytes[word], copy.shadows[word]);
}

}  // namespace

void finish_copies(Executor& executor, LaneMask lanes, const std::array<std::uint32_t, kLanes>& limits) {
    std::vector<AsyncCopy>& copies = executor.warp().async_copies.in_flight;
    const auto is_done = [&](const AsyncCopy& copy) { return (lanes >> copy.lane & 1) != 0 && copy.group < limits[copy.lane]; };
    for (const AsyncCopy& copy : copies)
        if (is_done(copy)) arrive(executor, copy);
    std::erase_if(copies, is_done);
}

void finish_all_copies(Executor& executor, LaneMask lanes) {
    std::array<std::uint32_t, kLanes> limits;
    limits.fill(~std::uint32_t{0});
    finish_copies(executor, lanes, limits);
}

namespace handlers {

Flow copy_async(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Instruction& instruction = *operation.instruction;
    const std::uint32_t bytes = operation.memory.element_bytes;
    Request source;
    form_request(executor, operation, operation.memory.from, Space::global, active, source);
    form_request(executor, operation, active, executor.request);
    Request target = executor.request;
    // Sources besides the two addresses: the size, and where it is given the size that is read.
    const bool reads_less = instruction.sources.size() > 3;
    std::array<std::uint32_t, kLanes> sizes;
    std::array<AsyncCopy, kLanes> copies;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        const std::uint64_t given = reads_less ? lane_value(executor.source(operation, 1), lane) : bytes;
        sizes[lane] = static_cast<std::uint32_t>(std::min<std::uint64_t>(given, bytes));
    }
    read_source(executor, operation, source, sizes, copies);
    form_spans(executor, operation, target, false);
    if (executor.state().tracks_accesses())
        for (const Span& span : executor.spans) RaceChecker(executor, operation, target).begin_copy(span);
    AsyncCopies& pending = executor.warp().async_copies;
    for (LaneMask rest = target.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        AsyncCopy copy = copies[lane];
        copy.operation = &operation;
        copy.lane = lane;
        copy.group = pending.committed[lane];
        copy.target = target.addresses[lane];
        copy.bytes = bytes;
        pending.in_flight.push_back(copy);
    }
    source.lane_bytes = bytes;
    executor.observe(operation, source, target.addresses.data());
    return Flow::next;
}

Flow commit_copies(Executor& executor, const Operation&, LaneMask active) {
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) ++executor.warp().async_copies.committed[std::countr_zero(rest)];
    return Flow::next;
}

Flow wait_for_copies(Executor& executor, const Operation& operation, LaneMask active) {
    if (operation.instruction->opcode == ptx::Opcode::cp_async_wait_all) {
        finish_all_copies(executor, active);
        return Flow::next;
    }
    const auto may_stay = static_cast<std::uint32_t>(operation.instruction->sources[0].bits);
    std::array<std::uint32_t, kLanes> limits = executor.warp().async_copies.committed;
    for (std::uint32_t& limit : limits) limit -= std::min(limit, may_stay);
    finish_copies(executor, active, limits);
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
