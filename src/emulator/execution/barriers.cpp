#include "emulator/execution/barriers.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "emulator/execution/handlers.h"
#include "emulator/execution/places.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;

// Where a path stopped: the barrier is the instruction before the one at which it goes on.
const Operation& stopped_at(const Path& path) { return path.frame->program->operations[path.place - 1]; }

LaneMask waiting(const Barrier& barrier, std::uint32_t warp) { return barrier.arrived.empty() ? 0 : barrier.arrived[warp]; }

bool all_arrived(const Block& block, const Barrier& barrier) {
    for (const auto& warp : block.warps)
        if ((warp->live() & ~waiting(barrier, warp->number())) != 0) return false;
    return true;
}

// Threads count by whole warps, as on a GPU: lanes that have exited or never existed arrive with the others of their warp.
std::uint32_t arrived_threads(const Block& block, const Barrier& barrier) {
    auto threads = static_cast<std::uint32_t>(barrier.arrivals.size()) * kLanes;
    for (const auto& warp : block.warps) {
        const LaneMask lanes = waiting(barrier, warp->number());
        if (lanes == 0) continue;
        threads += (warp->live() & ~lanes) == 0 ? kLanes : static_cast<std::uint32_t>(std::popcount(lanes));
    }
    return threads;
}

bool reduction_result(const Barrier& barrier, const ptx::Modifiers& modifiers) {
    return modifiers.atomic == ptx::AtomicOperation::and_ ? barrier.true_count == barrier.counted : barrier.true_count > 0;
}

void deliver_reduction(const Barrier& barrier, const Path& path) {
    const Operation& operation = stopped_at(path);
    if (operation.instruction->opcode != Opcode::bar_red) return;
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    const Row row = path.frame->row_of(path.frame->program->destination(operation, 0));
    if (modifiers.atomic == ptx::AtomicOperation::popc) {
        for (LaneMask rest = path.lanes; rest != 0; rest &= rest - 1) row.words()[std::countr_zero(rest)] = barrier.true_count;
    } else {
        const bool result = reduction_result(barrier, modifiers);
        *row.words() = (*row.words() & ~path.lanes) | (result ? path.lanes : 0);
    }
}

// Threads that passed know of each other's earlier accesses.
void order_threads(Executor& executor, Block& block, const Barrier& barrier) {
    std::uint32_t passed = 0;
    std::uint32_t live = 0;
    for (const auto& warp : block.warps) {
        if (waiting(barrier, warp->number()) != 0) passed |= 1u << warp->number();
        if (!warp->finished()) live |= 1u << warp->number();
    }
    block.order.synchronize(passed, live, ++block.clock);
    for (std::uint32_t rest = passed; rest != 0; rest &= rest - 1)
        for (const Barrier::Arrival& arrival : barrier.arrivals)
            block.order.learn(static_cast<std::uint32_t>(std::countr_zero(rest)), arrival.warp, arrival.time);
    if (Publications* publications = executor.state().publications.get()) publications->barrier(block, passed);
}

std::vector<Path*> waiting_paths(const Warp& warp, std::uint32_t id) {
    std::vector<Path*> paths;
    for (Path* path : warp.leaves())
        if (path->state == Path::State::at_barrier && path->barrier == id) paths.push_back(path);
    return paths;
}

bool at_same_instruction(const Path& a, const Path& b) { return &stopped_at(a) == &stopped_at(b); }

// Threads of a warp must come to an aligned barrier by the same instruction. (They need not come at the same time: those that ran
// ahead of lanes which wait for other blocks stand here already.)
void check_convergence(Executor& executor, const Warp& warp, const std::vector<Path*>& paths) {
    for (const Path* path : paths) {
        if (at_same_instruction(*path, *paths.front())) continue;
        if (!stopped_at(*path).instruction->modifiers.aligned) continue;
        executor.report_at(warp, *path, stopped_at(*path), FindingKind::barrier,
                           fmt::format("barrier in divergent code: other threads of the warp are at the barrier of line {}",
                                       user_place(*stopped_at(*paths.front()).instruction).line));
    }
}

void release(Warp& warp, const std::vector<Path*>& paths) {
    std::vector<Path*> resumed;
    for (Path* path : paths) {
        path->state = Path::State::running;
        const auto twin = std::ranges::find_if(resumed, [&](const Path* other) {
            return other->parent == path->parent && other->place == path->place && other->reconvergence == path->reconvergence;
        });
        if (twin != resumed.end())
            warp.merge(**twin, *path);
        else
            resumed.push_back(path);
    }
    for (Path* path : resumed)
        if (stopped_at(*path).ends_block) warp.settle(*path);
}

void open(Executor& executor, Block& block, std::uint32_t id) {
    const Barrier barrier = std::exchange(block.barriers[id], {});
    order_threads(executor, block, barrier);
    for (const auto& warp : block.warps) {
        const std::vector<Path*> paths = waiting_paths(*warp, id);
        check_convergence(executor, *warp, paths);
        for (const Path* path : paths) deliver_reduction(barrier, *path);
        release(*warp, paths);
    }
}

bool may_open(const Block& block, const Barrier& barrier) {
    if (!barrier.in_use) return false;
    return barrier.expected == 0 ? all_arrived(block, barrier) : arrived_threads(block, barrier) >= barrier.expected;
}

std::uint32_t scalar_operand(Executor& executor, const Operation& operation, std::uint32_t index, LaneMask active) {
    return executor.source(operation, index).words()[std::countr_zero(active)];
}

void check_count(Executor& executor, const Operation& operation, const Barrier& barrier, std::uint32_t expected, LaneMask active) {
    if (barrier.in_use && barrier.expected != expected)
        executor.report(executor.finding(FindingKind::barrier, operation, static_cast<std::uint32_t>(std::countr_zero(active)),
                                         fmt::format("barrier for {} threads while others wait at it for {}", expected, barrier.expected)));
}

// The waiting path's warp has lanes that are elsewhere: the barrier stands in divergent code.
LaneMask elsewhere(const Block& block, const Warp& warp, const Path& path) {
    return warp.live() & ~waiting(block.barriers[path.barrier], warp.number());
}

std::string stuck_message(const Block& block, const Warp& warp, const Path& path) {
    if (const LaneMask missing = elsewhere(block, warp, path); missing != 0 && stopped_at(path).instruction->modifiers.aligned)
        return fmt::format("barrier in divergent code: {} of the warp's {} threads never reach it", std::popcount(missing),
                           std::popcount(warp.live()));
    std::uint32_t missing = 0;
    for (const auto& other : block.warps)
        missing += static_cast<std::uint32_t>(std::popcount(other->live() & ~waiting(block.barriers[path.barrier], other->number())));
    return fmt::format("threads wait at this barrier for ever: {} threads of the block never reach it", missing);
}

}  // namespace

void open_barriers(Executor& executor, Block& block) {
    for (std::uint32_t id = 0; id < kBarriers; ++id)
        if (may_open(block, block.barriers[id])) open(executor, block, id);
}

void report_stuck_barriers(Executor& executor, Block& block) {
    // Where warps stand divided lies the cause; the others only wait for them.
    bool divided = false;
    for (const bool only_divided : {true, false}) {
        for (const auto& warp : block.warps) {
            for (const Path* path : warp->leaves()) {
                if (path->state != Path::State::at_barrier) continue;
                if ((elsewhere(block, *warp, *path) != 0) != only_divided) continue;
                executor.report_at(*warp, *path, stopped_at(*path), FindingKind::barrier, stuck_message(block, *warp, *path));
                divided |= only_divided;
            }
        }
        if (divided) return;
    }
}

namespace handlers {

Flow barrier_sync(Executor& executor, const Operation& operation, LaneMask active) {
    const Opcode opcode = operation.instruction->opcode;
    const bool reduces = opcode == Opcode::bar_red;
    // Sources: the barrier, the count where there is one, and for bar.red the predicate at the end.
    const std::uint32_t counts = operation.source_count - (reduces ? 2u : 1u);
    const std::uint32_t id = scalar_operand(executor, operation, 0, active) % kBarriers;
    const std::uint32_t expected = counts > 0 ? scalar_operand(executor, operation, 1, active) : 0;
    Block& block = executor.block();
    Barrier& barrier = block.barriers[id];
    check_count(executor, operation, barrier, expected, active);
    barrier.in_use = true;
    barrier.expected = expected;
    if (opcode == Opcode::bar_arrive) {
        barrier.arrivals.push_back({.warp = executor.warp().number(), .time = ++block.clock});
        open_barriers(executor, block);
        return Flow::next;
    }
    barrier.arrived.resize(block.warps.size());
    barrier.arrived[executor.warp().number()] |= active;
    if (reduces) {
        const std::uint32_t last = operation.source_count - 1u;
        LaneMask predicate = *executor.source(operation, last).words();
        if ((operation.negated_sources >> last & 1) != 0) predicate = ~predicate;
        barrier.true_count += static_cast<std::uint32_t>(std::popcount(predicate & active));
        barrier.counted += static_cast<std::uint32_t>(std::popcount(active));
    }
    executor.path().state = Path::State::at_barrier;
    executor.path().barrier = id;
    open_barriers(executor, block);
    return Flow::wait;
}

}  // namespace handlers
}  // namespace optiml::emulator
