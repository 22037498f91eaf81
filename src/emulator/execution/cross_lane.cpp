// shfl, vote, match, redux, elect, activemask and bar.warp.sync.

#include <bit>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/exchange.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator::handlers {
namespace {

struct ShuffleSource {
    std::uint32_t lane = 0;
    bool in_range = false;
};

// PTX ISA, shfl.sync: c holds the clamp (bits 0-4) and the segment mask (bits 8-12).
ShuffleSource shuffle_source(ptx::ShuffleMode mode, std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t segment = c >> 8 & 31;
    const std::uint32_t greatest = (lane & segment) | (c & 31 & ~segment);
    const std::uint32_t least = lane & segment;
    b &= 31;
    switch (mode) {
        case ptx::ShuffleMode::up: {
            const auto from = static_cast<std::int32_t>(lane) - static_cast<std::int32_t>(b);
            return {.lane = static_cast<std::uint32_t>(from), .in_range = from >= static_cast<std::int32_t>(greatest)};
        }
        case ptx::ShuffleMode::down: return {.lane = lane + b, .in_range = lane + b <= greatest};
        case ptx::ShuffleMode::bfly: return {.lane = lane ^ b, .in_range = (lane ^ b) <= greatest};
        default: {
            const std::uint32_t from = least | (b & ~segment);
            return {.lane = from, .in_range = from <= greatest};
        }
    }
}

void set_predicate(const Row& row, LaneMask lanes, LaneMask value) {
    if (row.data != nullptr) *row.words() = (*row.words() & ~lanes) | (value & lanes);
}

void set_all(const Row& row, LaneMask lanes, std::uint64_t value) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) set_lane_value(row, static_cast<std::uint32_t>(std::countr_zero(rest)), value);
}

LaneMask predicate_source(Executor& executor, const Operation& operation) {
    const LaneMask value = *executor.source(operation, 0).words();
    return (operation.negated_sources & 1) != 0 ? ~value : value;
}

std::uint32_t reduce(ptx::AtomicOperation operation, bool is_signed, std::uint32_t a, std::uint32_t b) {
    const bool less = is_signed ? static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) : b < a;
    switch (operation) {
        case ptx::AtomicOperation::min: return less ? b : a;
        case ptx::AtomicOperation::max: return less ? a : b;
        case ptx::AtomicOperation::and_: return a & b;
        case ptx::AtomicOperation::or_: return a | b;
        case ptx::AtomicOperation::xor_: return a ^ b;
        default: return a + b;
    }
}

}  // namespace

Flow shuffle(Executor& executor, const Operation& operation, LaneMask active) {
    const auto lanes = gather(executor, operation, 3, active);
    if (!lanes) return Flow::wait;
    const Row value = executor.source(operation, 0);
    const std::uint32_t* b = executor.source(operation, 1).words();
    const std::uint32_t* c = executor.source(operation, 2).words();
    const std::uint32_t* masks = executor.source(operation, 3).words();
    std::array<std::uint32_t, kLanes> from{};
    std::array<std::uint32_t, kLanes> moved{};
    LaneMask in_range = 0;
    LaneMask undefined = 0;  // lanes that read a lane which does not take part
    for (LaneMask rest = *lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const ShuffleSource source = shuffle_source(operation.instruction->modifiers.shuffle, lane, b[lane], c[lane]);
        from[lane] = source.in_range ? source.lane : lane;
        if (source.in_range) in_range |= 1u << lane;
        if (((*lanes & masks[lane]) >> from[lane] & 1) == 0) undefined |= 1u << lane;
        moved[lane] = value.words()[from[lane]];
    }
    taint_flow::shuffle(executor, operation, *lanes, from, undefined);
    if (executor.state().wide()) shadow_flow::shuffle(executor, operation, *lanes, from);
    const Row row = executor.destination(operation, 0);
    for (LaneMask rest = *lanes; rest != 0; rest &= rest - 1)
        set_lane_value(row, static_cast<std::uint32_t>(std::countr_zero(rest)), moved[std::countr_zero(rest)]);
    if (operation.destination_count > 1) set_predicate(executor.destination(operation, 1), *lanes, in_range);
    return Flow::next;
}

Flow vote(Executor& executor, const Operation& operation, LaneMask active) {
    const auto lanes = gather(executor, operation, 1, active);
    if (!lanes) return Flow::wait;
    if (executor.frame().taint.any) taint_flow::combine_lanes(executor, operation, *lanes);
    const LaneMask value = predicate_source(executor, operation);
    const Row row = executor.destination(operation, 0);
    const ptx::VoteMode mode = operation.instruction->modifiers.vote;
    for_each_group(executor.source(operation, 1).words(), *lanes, [&](LaneMask group) {
        const LaneMask votes = value & group;
        if (mode == ptx::VoteMode::ballot) return set_all(row, group, votes);
        const bool result = mode == ptx::VoteMode::all   ? votes == group
                            : mode == ptx::VoteMode::any ? votes != 0
                                                         : votes == 0 || votes == group;
        set_predicate(row, group, result ? ~LaneMask{0} : 0);
    });
    return Flow::next;
}

Flow match(Executor& executor, const Operation& operation, LaneMask active) {
    const auto lanes = gather(executor, operation, 1, active);
    if (!lanes) return Flow::wait;
    if (executor.frame().taint.any) taint_flow::combine_lanes(executor, operation, *lanes);
    const Row value = executor.source(operation, 0);
    const Row row = executor.destination(operation, 0);
    const bool all = operation.instruction->modifiers.match == ptx::MatchMode::all;
    std::array<LaneMask, kLanes> equal{};
    for_each_group(executor.source(operation, 1).words(), *lanes, [&](LaneMask group) {
        for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            for (LaneMask others = group; others != 0; others &= others - 1)
                if (lane_value(value, static_cast<std::uint32_t>(std::countr_zero(others))) == lane_value(value, lane))
                    equal[lane] |= others & (0 - others);
        }
        const bool same = equal[std::countr_zero(group)] == group;
        for (LaneMask rest = group; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (all) equal[lane] = same ? group : 0;
        }
        if (all && operation.destination_count > 1) set_predicate(executor.destination(operation, 1), group, same ? ~LaneMask{0} : 0);
    });
    for (LaneMask rest = *lanes; rest != 0; rest &= rest - 1)
        set_lane_value(row, static_cast<std::uint32_t>(std::countr_zero(rest)), equal[std::countr_zero(rest)]);
    return Flow::next;
}

Flow reduce_lanes(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    if (ptx::is_float(modifiers.type)) return not_emulated(executor, operation, active);
    const auto lanes = gather(executor, operation, 1, active);
    if (!lanes) return Flow::wait;
    if (executor.frame().taint.any) taint_flow::combine_lanes(executor, operation, *lanes);
    std::array<std::uint32_t, kLanes> values;
    std::copy_n(executor.source(operation, 0).words(), kLanes, values.begin());
    const Row row = executor.destination(operation, 0);
    for_each_group(executor.source(operation, 1).words(), *lanes, [&](LaneMask group) {
        std::uint32_t result = values[std::countr_zero(group)];
        for (LaneMask rest = group & (group - 1); rest != 0; rest &= rest - 1)
            result = reduce(modifiers.atomic, ptx::is_signed(modifiers.type), result, values[std::countr_zero(rest)]);
        set_all(row, group, result);
    });
    return Flow::next;
}

Flow elect(Executor& executor, const Operation& operation, LaneMask active) {
    const auto lanes = gather(executor, operation, 0, active);
    if (!lanes) return Flow::wait;
    for_each_group(executor.source(operation, 0).words(), *lanes, [&](LaneMask group) {
        set_all(executor.destination(operation, 0), group, static_cast<std::uint64_t>(std::countr_zero(group)));
        if (operation.destination_count > 1) set_predicate(executor.destination(operation, 1), group, group & (0 - group));
    });
    if (executor.frame().taint.any) taint_flow::clear_destinations(executor, operation, *lanes);
    return Flow::next;
}

Flow active_mask(Executor& executor, const Operation& operation, LaneMask active) {
    set_all(executor.destination(operation, 0), active, active);
    if (executor.frame().taint.any) taint_flow::clear_destinations(executor, operation, active);
    return Flow::next;
}

Flow warp_barrier(Executor& executor, const Operation& operation, LaneMask active) {
    return gather(executor, operation, 0, active) ? Flow::next : Flow::wait;
}

}  // namespace optiml::emulator::handlers
