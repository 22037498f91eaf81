#pragma once
// Instructions that several lanes of a warp execute together: shuffles, votes, matches, warp barriers.

#include <bit>
#include <optional>

#include "emulator/execution/executor.h"

namespace optiml::emulator {

// Collects the lanes that execute `operation` together. The current path has arrived with `active`; each lane's membermask is in
// source `mask_source`. nullopt: lanes that a mask names are still on their way, and the path waits for them. Otherwise these lanes
// execute now, and the paths that waited at the instruction go on after it. Masks that name lanes which cannot take part are reported.
std::optional<LaneMask> gather(Executor& executor, const Operation& operation, std::uint32_t mask_source, LaneMask active);

// Calls act(LaneMask group) for the lanes that gave the same membermask, group after group.
template <class Act>
void for_each_group(const std::uint32_t* masks, LaneMask lanes, Act act) {
    while (lanes != 0) {
        const std::uint32_t mask = masks[std::countr_zero(lanes)];
        LaneMask group = 0;
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
            if (masks[std::countr_zero(rest)] == mask) group |= 1u << std::countr_zero(rest);
        act(group);
        lanes &= ~group;
    }
}

// Nothing in the block can go on: lets one path that waits for lanes go on without them. False: no path waits like that.
bool force_exchange(Executor& executor, Block& block);

}  // namespace optiml::emulator
