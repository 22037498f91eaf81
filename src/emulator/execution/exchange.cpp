#include "emulator/execution/exchange.h"

#include <bit>
#include <optional>

#include <fmt/format.h>

namespace optiml::emulator {
namespace {

using ptx::Opcode;

std::string list_lanes(LaneMask lanes) {
    std::string text;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) text += fmt::format("{}{}", text.empty() ? "" : ", ", std::countr_zero(rest));
    return fmt::format("lane{} {}", std::popcount(lanes) == 1 ? "" : "s", text);
}

bool is_warp_barrier(const Operation& operation) { return operation.instruction->opcode == Opcode::bar_warp_sync; }

FindingKind kind_of(const Operation& operation) { return is_warp_barrier(operation) ? FindingKind::barrier : FindingKind::shuffle; }

const Operation& operation_at(const Path& path) { return path.frame->program->operations[path.place]; }

// Warp barriers meet other warp barriers; everything else only the same instruction.
bool meets(const Path& path, const Operation& operation, const Frame& frame) {
    if (path.state != Path::State::at_exchange) return false;
    const Operation& other = operation_at(path);
    return (path.frame == &frame && other.index == operation.index) || (is_warp_barrier(operation) && is_warp_barrier(other));
}

LaneMask masks_of(const std::uint32_t* masks, LaneMask lanes) {
    LaneMask named = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) named |= masks[std::countr_zero(rest)];
    return named;
}

void check_masks(Executor& executor, const Operation& operation, const std::uint32_t* masks, LaneMask active) {
    const Warp& warp = executor.warp();
    LaneMask outside = 0;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1)
        if ((masks[std::countr_zero(rest)] >> std::countr_zero(rest) & 1) == 0) outside |= rest & (0 - rest);
    const auto report = [&](LaneMask lanes, std::string message) {
        executor.report(executor.finding(kind_of(operation), operation, static_cast<std::uint32_t>(std::countr_zero(lanes)), std::move(message)));
    };
    if (outside != 0) report(outside, fmt::format("the member mask leaves out the lane that gives it ({})", list_lanes(outside)));
    if (is_warp_barrier(operation)) return;  // __syncwarp() names all lanes, whether they are there or not
    const LaneMask named = masks_of(masks, active);
    if (const LaneMask absent = named & ~warp.existing(); absent != 0)
        report(active, fmt::format("the member mask names {}, which the block does not have", list_lanes(absent)));
    if (const LaneMask exited = named & warp.existing() & ~warp.live(); exited != 0)
        report(active, fmt::format("the member mask names {}, which has exited", list_lanes(exited)));
}

// A path that waited goes on after the instruction at which it stands.
void advance(Warp& warp, Path& path, Path& current) {
    const bool ends_block = operation_at(path).ends_block;
    ++path.place;
    path.state = Path::State::running;
    if (path.parent == current.parent && path.reconvergence == current.reconvergence && path.place == current.place)
        warp.merge(current, path);
    else if (ends_block)
        warp.settle(path);
}

}  // namespace

std::optional<LaneMask> gather(Executor& executor, const Operation& operation, std::uint32_t mask_source, LaneMask active) {
    Warp& warp = executor.warp();
    Path& path = executor.path();
    const std::uint32_t* masks = executor.source(operation, mask_source).words();
    check_masks(executor, operation, masks, active);
    std::vector<Path*> others;
    LaneMask together = active;
    for (Path* leaf : warp.leaves()) {
        if (leaf == &path || !meets(*leaf, operation, executor.frame())) continue;
        others.push_back(leaf);
        together |= leaf->awaited;
    }
    const LaneMask missing = masks_of(masks, active) & warp.live() & ~together;
    if (missing != 0 && !path.forced) {
        path.state = Path::State::at_exchange;
        path.place = operation.index;
        path.awaited = active;
        return std::nullopt;
    }
    path.forced = false;
    ++executor.block().clock;
    for_each_group(masks, active, [&](LaneMask group) {
        warp.order.synchronize(masks[std::countr_zero(group)] & together, warp.live(), executor.block().clock);
    });
    for (Path* other : others) advance(warp, *other, path);
    return together;
}

bool force_exchange(Executor& executor, Block& block) {
    for (const auto& warp : block.warps) {
        for (Path* path : warp->leaves()) {
            if (path->state != Path::State::at_exchange) continue;
            const Operation& operation = operation_at(*path);
            executor.report_at(*warp, *path, operation, kind_of(operation),
                               fmt::format("the member mask names lanes that never execute this instruction: {} of the warp's lanes are here",
                                           std::popcount(path->awaited)));
            path->forced = true;
            path->state = Path::State::running;
            return true;
        }
    }
    return false;
}

}  // namespace optiml::emulator
