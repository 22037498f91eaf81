// wmma.load and wmma.store.

#include <bit>
#include <cstring>

#include "emulator/checks/race_checker.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"
#include "emulator/matrices/fragment_values.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator::handlers {
namespace {

using ptx::MatrixLayout;
using ptx::Space;

constexpr std::uint32_t kMaxPieceBytes = 8;

// A matrix in memory: where element (row, column) lies.
struct Placement {
    std::uint64_t base = 0;
    std::uint64_t stride = 0;  // elements from one row (or column) to the next
    bool by_row = true;
    std::uint32_t element_bytes = 0;

    std::uint64_t address(Element element) const {
        const std::uint64_t line = by_row ? element.row : element.column;
        const std::uint64_t place = by_row ? element.column : element.row;
        return base + (line * stride + place) * element_bytes;
    }
};

struct Matrix {
    Fragment fragment;
    Placement placement;
    Space space = Space::global;
};

Matrix matrix_of(Executor& executor, const Operation& operation, std::uint32_t registers, LaneMask active) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    Matrix matrix{.fragment = Fragment(modifiers.fragment, modifiers.shape, modifiers.type, registers), .placement = {}};
    form_request(executor, operation, active, executor.request);
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(active));
    matrix.space = executor.request.space;
    matrix.placement.base = executor.request.addresses[lane];
    if (matrix.space == Space::generic) {
        matrix.space = space_of(matrix.placement.base);
        matrix.placement.base -= window_of(matrix.space);
    }
    matrix.placement.by_row = modifiers.layout_a != MatrixLayout::col;
    matrix.placement.element_bytes = matrix.fragment.element_bytes();
    const bool has_stride = operation.instruction->sources.back().kind != ptx::OperandKind::address &&
                            operation.instruction->sources.back().kind != ptx::OperandKind::vector;
    matrix.placement.stride = has_stride ? lane_value(executor.source(operation, operation.source_count - 1u), lane)
                              : matrix.placement.by_row ? matrix.fragment.columns()
                                                        : matrix.fragment.rows();
    return matrix;
}

// How many slots from `slot` on lie side by side in memory for every lane, in one access of at most eight bytes.
std::uint32_t piece_slots(const Matrix& matrix, std::uint32_t slot) {
    const std::uint32_t bytes = matrix.fragment.element_bytes();
    std::uint32_t slots = 1;
    while (slot + slots < matrix.fragment.distinct_slots() && 2 * slots * bytes <= kMaxPieceBytes) {
        bool follow = (slot % (2 * slots)) == 0;
        for (std::uint32_t lane = 0; follow && lane < kLanes; ++lane) {
            const std::uint64_t first = matrix.placement.address(matrix.fragment.element(lane, slot));
            follow = first % (2 * slots * bytes) == 0;
            for (std::uint32_t next = 1; follow && next < 2 * slots; ++next)
                follow = matrix.placement.address(matrix.fragment.element(lane, slot + next)) == first + next * bytes;
        }
        if (!follow) break;
        slots *= 2;
    }
    return slots;
}

// Calls act(request, first slot, slots) for each access that the fragment takes; distinct elements only.
template <class Act>
void for_each_piece(const Matrix& matrix, LaneMask active, Act act) {
    for (std::uint32_t slot = 0; slot < matrix.fragment.distinct_slots();) {
        const std::uint32_t slots = piece_slots(matrix, slot);
        Request request{.space = matrix.space, .active = active, .lane_bytes = slots * matrix.fragment.element_bytes()};
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            request.addresses[lane] = matrix.placement.address(matrix.fragment.element(lane, slot));
        act(request, slot, slots);
        slot += slots;
    }
}

// 16 by 16 matrices of 16-bit elements come from shared memory as ldmatrix reads them: 16 bytes a lane, 16 lines, two halves.
bool observe_as_lines(Executor& executor, const Operation& operation, const Matrix& matrix, LaneMask active) {
    const bool fits = matrix.space == Space::shared && matrix.fragment.element_bytes() == 2 && matrix.fragment.rows() == 16 &&
                      matrix.fragment.columns() == 16;
    if (!fits) return false;
    Request request{.space = matrix.space, .active = active, .lane_bytes = 16};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
        request.addresses[lane] = matrix.placement.base + (lane % 16 * matrix.placement.stride * 2) + lane / 16 * 16;
    executor.observe(operation, request);
    return true;
}

void repeat_slots(const Fragment& fragment, FragmentBytes& values) {
    const std::uint32_t bytes = fragment.distinct_slots() * fragment.element_bytes();
    const std::uint32_t all = fragment.slots() * fragment.element_bytes();
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        for (std::uint32_t byte = bytes; byte < all; ++byte) {
            values.bytes[lane][byte] = values.bytes[lane][byte - bytes];
            values.unwritten[lane][byte] = values.unwritten[lane][byte - bytes];
        }
    }
}

void taint_registers(Executor& executor, const Operation& operation, const Fragment& fragment, const Request& request,
                     const FragmentBytes& values) {
    if (!values.any_unwritten) return;
    const std::uint32_t origin = executor.taint_origin(operation, request.space, request.addresses, request.active);
    for (std::uint32_t number = 0; number < operation.destination_count; ++number) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &values.unwritten[lane][number * fragment.register_bytes()], fragment.register_bytes());
            executor.frame().taint.set(executor.program().destination(operation, number).row, executor.program().rows, lane,
                                       {.bits = bits, .computed = false}, origin);
        }
    }
}

void load_piece(Executor& executor, const Operation& operation, Request& request, std::uint32_t first_byte, FragmentBytes& values) {
    load_pages(executor, operation, request);
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        std::memcpy(&values.bytes[lane][first_byte], executor.staging.data() + lane * request.lane_bytes, request.lane_bytes);
    }
    if (!executor.state().options.checks) return;
    std::array<std::uint64_t, kLanes> bits{};
    if (!taint_flow::unwritten_lanes(executor, request, bits)) return;
    values.any_unwritten = true;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) std::memcpy(&values.unwritten[lane][first_byte], &bits[lane], request.lane_bytes);
}

// Registers that hold one f32 or f64 each have shadows.
bool may_have_shadows(const Executor& executor, const Fragment& fragment) {
    return executor.frame().shadows.enabled() && fragment.slots_per_register() == 1;
}

void load_shadows(Executor& executor, const Operation& operation, const Fragment& fragment, const Request& request, std::uint32_t slot,
                  std::uint32_t slots) {
    const std::uint32_t bytes = fragment.element_bytes();
    for (std::uint32_t i = 0; i < slots; ++i)
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            if (const auto shadow = shadow_flow::loaded(executor, request, lane, i * bytes, bytes))
                executor.frame().shadows.set(executor.program().destination(operation, slot + i).row, lane, *shadow);
}

void store_shadows(Executor& executor, const Operation& operation, const Fragment& fragment, const Request& request, std::uint32_t slot,
                   std::uint32_t slots) {
    const std::uint32_t bytes = fragment.element_bytes();
    const ShadowRows& shadows = executor.frame().shadows;
    for (std::uint32_t i = 0; i < slots; ++i) {
        const std::uint32_t row = executor.program().source(operation, slot + i).row;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            if (shadows.has(row, lane)) shadow_flow::stored(executor, request, lane, i * bytes, bytes, shadows.get(row, lane));
    }
}

}  // namespace

Flow load_matrix(Executor& executor, const Operation& operation, LaneMask active) {
    check_whole_warp(executor, operation, active);
    const Matrix matrix = matrix_of(executor, operation, operation.destination_count, active);
    const bool observed = observe_as_lines(executor, operation, matrix, active);
    FragmentBytes values;
    Request last;
    for_each_piece(matrix, active, [&](Request& request, std::uint32_t slot, std::uint32_t slots) {
        last = request;
        load_piece(executor, operation, request, slot * matrix.fragment.element_bytes(), values);
        if (may_have_shadows(executor, matrix.fragment)) load_shadows(executor, operation, matrix.fragment, request, slot, slots);
        if (!observed) executor.observe(operation, request);
    });
    repeat_slots(matrix.fragment, values);
    write_registers(executor, operation.first_slot, operation.destination_count, matrix.fragment.register_bytes(), active, values);
    taint_registers(executor, operation, matrix.fragment, last, values);
    return Flow::next;
}

Flow store_matrix(Executor& executor, const Operation& operation, LaneMask active) {
    check_whole_warp(executor, operation, active);
    const auto vector = std::ranges::find(operation.instruction->sources, ptx::OperandKind::vector, &ptx::Operand::kind);
    const Matrix matrix = matrix_of(executor, operation, vector->count, active);
    FragmentBytes values;
    read_registers(executor, operation.first_slot, vector->count, matrix.fragment.register_bytes(), values);
    if (executor.frame().taint.any) taint_flow::reaches_store(executor, operation, active);
    for_each_piece(matrix, active, [&](Request& request, std::uint32_t slot, std::uint32_t slots) {
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            std::memcpy(executor.staging.data() + lane * request.lane_bytes, &values.bytes[lane][slot * matrix.fragment.element_bytes()],
                        request.lane_bytes);
        store_pages(executor, operation, request);
        if (may_have_shadows(executor, matrix.fragment)) store_shadows(executor, operation, matrix.fragment, request, slot, slots);
        executor.observe(operation, request);
    });
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
