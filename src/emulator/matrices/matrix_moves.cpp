// ldmatrix and stmatrix: matrices of 8 by 8 elements of 16 bits between shared memory and registers. Lane 8 i + r gives the address of
// row r of matrix i; in register i each lane holds two neighbours of a row, or with .trans of a column.

#include <bit>
#include <cstring>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"
#include "emulator/matrices/fragment_values.h"

namespace optiml::emulator::handlers {
namespace {

constexpr std::uint32_t kRows = 8;
constexpr std::uint32_t kRowBytes = 16;
constexpr std::uint32_t kElementBytes = 2;
constexpr std::uint32_t kRegisterBytes = 4;
constexpr std::uint32_t kGroupLanes = 4;

LaneMask addressing_lanes(const Operation& operation) {
    const std::uint32_t lanes = kRows * operation.instruction->modifiers.matrix_count;
    return lanes == kLanes ? ~LaneMask{0} : (LaneMask{1} << lanes) - 1;
}

struct RowPlace {
    std::uint32_t lane = 0;  // that gives the row's address
    std::uint32_t byte = 0;  // in the row
};

// Calls act(lane, byte in its registers, where in memory that element lies) for all elements of two bytes.
template <class Act>
void for_each_element(const Operation& operation, Act act) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    for (std::uint32_t matrix = 0; matrix < modifiers.matrix_count; ++matrix) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            for (std::uint32_t half = 0; half < 2; ++half) {
                const std::uint32_t group = lane / kGroupLanes;
                const std::uint32_t member = 2 * (lane % kGroupLanes) + half;
                const std::uint32_t row = modifiers.transpose ? member : group;
                const std::uint32_t column = modifiers.transpose ? group : member;
                act(lane, matrix * kRegisterBytes + half * kElementBytes, RowPlace{matrix * kRows + row, column * kElementBytes});
            }
        }
    }
}

void taint_registers(Executor& executor, const Operation& operation, const Request& request,
                     const std::array<std::uint64_t, kLanes>& unwritten) {
    const std::uint32_t origin = executor.taint_origin(operation, request.space, request.addresses, request.active);
    std::array<std::array<std::uint64_t, kLanes>, kGroupLanes> bits{};  // by register and lane
    for_each_element(operation, [&](std::uint32_t lane, std::uint32_t byte, RowPlace place) {
        for (std::uint32_t i = 0; i < kElementBytes; ++i)
            if ((unwritten[place.lane] >> (place.byte + i) & 1) != 0)
                bits[byte / kRegisterBytes][lane] |= std::uint64_t{0xff} << 8 * (byte % kRegisterBytes + i);
    });
    for (std::uint32_t number = 0; number < operation.destination_count; ++number)
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            executor.frame().taint.set(executor.program().destination(operation, number).row, executor.program().rows, lane,
                                       {.bits = bits[number][lane], .computed = false}, origin);
}

// Bytes of each row that are mere copies of uninitialised ones.
std::array<std::uint32_t, kLanes> unwritten_rows(Executor& executor, const Operation& operation) {
    std::array<std::uint32_t, kLanes> unwritten{};
    for_each_element(operation, [&](std::uint32_t lane, std::uint32_t byte, RowPlace place) {
        const std::uint32_t row = executor.program().source(operation, byte / kRegisterBytes).row;
        for (std::uint32_t i = 0; i < kElementBytes; ++i)
            if ((executor.frame().taint.lane(row, lane).bits >> 8 * (byte % kRegisterBytes + i) & 0xff) != 0)
                unwritten[place.lane] |= 1u << (place.byte + i);
    });
    return unwritten;
}

void mark_unwritten_rows(Executor& executor, const std::array<std::uint32_t, kLanes>& unwritten) {
    for (const Span& span : executor.spans)
        for (std::uint32_t i = 0; i < span.lanes; ++i)
            taint_flow::mark_unwritten(*span.page, span.offset + i * kRowBytes, unwritten[span.first_lane + i]);
}

}  // namespace

Flow load_matrix_rows(Executor& executor, const Operation& operation, LaneMask active) {
    check_whole_warp(executor, operation, active);
    form_request(executor, operation, active & addressing_lanes(operation), executor.request);
    taint_flow::clear_destinations(executor, operation, active);
    std::array<std::uint64_t, kLanes> unwritten{};
    bool tainted = false;
    const LaneMask wanted = executor.request.active;
    const LaneMask done = for_each_part(executor.request, [&](Request& part) {
        load_pages(executor, operation, part);
        if (executor.state().options.checks) tainted |= taint_flow::unwritten_bytes(executor, part, unwritten);
        executor.observe(operation, part);
    });
    clear_staging(executor, kRowBytes, wanted & ~done);
    FragmentBytes values;
    for_each_element(operation, [&](std::uint32_t lane, std::uint32_t byte, RowPlace place) {
        std::memcpy(&values.bytes[lane][byte], executor.staging.data() + place.lane * kRowBytes + place.byte, kElementBytes);
    });
    write_registers(executor, operation.first_slot, operation.destination_count, kRegisterBytes, active, values);
    if (tainted) taint_registers(executor, operation, executor.request, unwritten);
    return Flow::next;
}

Flow store_matrix_rows(Executor& executor, const Operation& operation, LaneMask active) {
    check_whole_warp(executor, operation, active);
    FragmentBytes values;
    read_registers(executor, operation.first_slot, operation.source_count, kRegisterBytes, values);
    if (executor.frame().taint.any) taint_flow::reaches_store(executor, operation, active);
    form_request(executor, operation, active & addressing_lanes(operation), executor.request);
    for_each_element(operation, [&](std::uint32_t lane, std::uint32_t byte, RowPlace place) {
        std::memcpy(executor.staging.data() + place.lane * kRowBytes + place.byte, &values.bytes[lane][byte], kElementBytes);
    });
    for_each_part(executor.request, [&](Request& part) {
        store_pages(executor, operation, part);
        if (executor.frame().taint.any) mark_unwritten_rows(executor, unwritten_rows(executor, operation));
        executor.observe(operation, part);
    });
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
