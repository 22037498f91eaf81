#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "emulator/execution/barriers.h"
#include "emulator/execution/calls.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"

namespace optiml::emulator::handlers {
namespace {

// Rounds of a waiting loop after which the other paths of the warp have their turn, and after which lanes that left the loop stop
// waiting for those in it: what these wait for may be theirs to do (a lock that the winner has yet to release).
constexpr std::uint32_t kRoundsBeforeYield = 4;
constexpr std::uint32_t kRoundsBeforeRelease = 80;

// A path went back without losing a lane.
Flow went_back(Executor& executor, Path& path) {
    if (!std::exchange(path.has_polled, false)) {
        path.idle_rounds = 0;
        return Flow::moved;
    }
    ++path.idle_rounds;
    if (path.idle_rounds % kRoundsBeforeRelease == 0) executor.warp().release_waiting(path);
    return path.idle_rounds % kRoundsBeforeYield == 0 ? Flow::yield : Flow::moved;
}

}  // namespace

Flow branch(Executor& executor, const Operation& operation, LaneMask taken) {
    Path& path = executor.path();
    const LaneMask all = path.lanes;
    if (operation.guarded && executor.observer() != nullptr)
        executor.observer()->branch(*executor.program().function, operation.index, taken, all & ~taken);
    if (taken != all && taken != 0) {
        executor.warp().diverge(path, taken, operation.target, operation.index + 1, operation.reconvergence);
        return Flow::moved;
    }
    if (taken == all) path.place = operation.target;
    if (path.place == path.reconvergence) {
        executor.warp().settle(path);
        return Flow::moved;
    }
    return operation.goes_back && taken == all ? went_back(executor, path) : Flow::moved;
}

Flow branch_indexed(Executor& executor, const Operation& operation, LaneMask active) {
    Path& path = executor.path();
    const ptx::Function& function = *executor.program().function;
    const ptx::Operand& labels = operation.instruction->sources[1];
    const std::uint32_t* indices = executor.source(operation, 0).words();
    const auto target_of = [&](int lane) {
        const std::uint32_t label = std::min(indices[lane], labels.count - 1);
        return function.blocks[function.operand_pool[labels.first + label].index].first;
    };
    // One target at a time: the lanes that go there part from the others, which execute the instruction again.
    const std::uint32_t target = target_of(std::countr_zero(active));
    LaneMask taken = 0;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1)
        if (target_of(std::countr_zero(rest)) == target) taken |= 1u << std::countr_zero(rest);
    if (taken == path.lanes) {
        path.place = target;
        executor.warp().settle(path);
    } else {
        const std::uint32_t others = active == taken ? operation.index + 1 : operation.index;
        executor.warp().diverge(path, taken, target, others, operation.reconvergence);
    }
    return Flow::moved;
}

Flow return_from(Executor& executor, const Operation&, LaneMask active) {
    Path& path = executor.path();
    const bool all = active == path.lanes;
    return_values(path, active);
    executor.warp().return_lanes(path, active);
    if (!all) executor.warp().settle(path);
    open_barriers(executor, executor.block());
    return Flow::moved;
}

Flow exit_thread(Executor& executor, const Operation&, LaneMask active) {
    Path& path = executor.path();
    const bool all = active == path.lanes;
    executor.warp().exit_lanes(path, active);
    if (!all) executor.warp().settle(path);
    open_barriers(executor, executor.block());
    return Flow::moved;
}

Flow trap(Executor& executor, const Operation& operation, LaneMask active) {
    executor.report(executor.finding(FindingKind::trap, operation, static_cast<std::uint32_t>(std::countr_zero(active)),
                                     "the kernel executed a trap"));
    return Flow::stop;
}

Flow sleep(Executor& executor, const Operation& operation, LaneMask) {
    executor.path().has_polled = true;
    if (operation.ends_block) {
        executor.warp().settle(executor.path());
        return Flow::moved;
    }
    return Flow::yield;
}

Flow nothing(Executor&, const Operation&, LaneMask) { return Flow::next; }

namespace {

Flow refuse(Executor& executor, const Operation& operation, LaneMask active, std::string_view why) {
    const ptx::Instruction& instruction = *operation.instruction;
    Finding finding = executor.finding(FindingKind::unsupported, operation, static_cast<std::uint32_t>(std::countr_zero(active)), {});
    finding.message = fmt::format("not emulated: {} at line {}{}", instruction.text, finding.line, why);
    executor.report(std::move(finding));
    return Flow::stop;
}

}  // namespace

Flow not_emulated(Executor& executor, const Operation& operation, LaneMask active) { return refuse(executor, operation, active, ""); }

Flow needs_cooperative_launch(Executor& executor, const Operation& operation, LaneMask active) {
    return refuse(executor, operation, active, ": synchronisation of the whole grid needs a cooperative launch, and launch plans have none");
}

}  // namespace optiml::emulator::handlers
