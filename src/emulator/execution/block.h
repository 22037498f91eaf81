#pragma once
// A thread block that is resident on a simulated SM.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/execution/shared_memory.h"
#include "emulator/execution/warp.h"

namespace optiml::emulator {

constexpr std::uint32_t kBarriers = 16;

// One of a block's barriers, see barriers.cpp.
struct Barrier {
    std::uint32_t expected = 0;            // threads; 0: all of the block that have not exited
    std::vector<LaneMask> arrived;         // by warp: lanes that wait
    // Warps that arrived without waiting (bar.arrive), and the block's time when they did.
    struct Arrival {
        std::uint32_t warp = 0;
        std::uint64_t time = 0;
    };
    std::vector<Arrival> arrivals;
    // bar.red: over the threads that arrived.
    std::uint32_t true_count = 0;
    std::uint32_t counted = 0;
    bool in_use = false;
};

struct Block {
    std::uint64_t linear = 0;              // in the grid
    std::uint32_t run_index = 0;           // among the blocks that run here; a name for race detection
    std::uint32_t slot = 0;                // on its SM
    std::array<std::uint32_t, 3> place{};  // blockIdx
    std::vector<std::unique_ptr<Warp>> warps;
    std::vector<std::uint32_t> turns;      // numbers of the warps, in which order they have theirs
    std::array<Barrier, kBarriers> barriers;
    SharedMemory shared;
    // Time for race detection: moves on when threads synchronise.
    std::uint64_t clock = 1;
    SyncOrder order;                       // among its warps
    Sightings sightings;                   // what all its warps have seen
    std::uint32_t finished_warps = 0;

    bool finished() const { return finished_warps == warps.size(); }
};

}  // namespace optiml::emulator
