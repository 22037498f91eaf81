#pragma once
// Lanes of a warp that execute together, and how paths part and meet again.

#include <cstdint>
#include <deque>
#include <vector>

#include "emulator/execution/frame.h"

namespace optiml::emulator {

// The paths of a warp form a tree. An inner path waits at the instruction where its children meet again; lanes that get there are added
// to its lanes. Only leaves run, and every leaf may run at any time: that is what lets lanes wait for each other.
struct Path {
    enum class State : std::uint8_t { running, at_barrier, at_exchange, waits_for_children };

    LaneMask lanes = 0;
    std::uint32_t place = 0;                    // index of the next instruction
    std::uint32_t reconvergence = ptx::none;    // where it joins its parent; none: where the activation ends
    State state = State::running;
    Frame* frame = nullptr;
    Path* parent = nullptr;
    std::uint32_t children = 0;
    bool is_activation = false;                 // stands for a call as a whole and never runs; its parent is the path of the caller
    bool has_polled = false;                    // executed something by which lanes wait for others since it last went back
    std::uint32_t idle_rounds = 0;              // backward branches in a row that waited like that and lost no lanes
    bool forced = false;                        // goes through the exchange at its place without the lanes that are missing
    LaneMask awaited = 0;                       // at_exchange: its lanes that arrived
    std::uint32_t barrier = 0;                  // at_barrier: which
};

// Memory of a warp's paths: addresses stay, places are used again.
class PathPool {
public:
    Path* make() {
        if (free_.empty()) return &paths_.emplace_back();
        Path* path = free_.back();
        free_.pop_back();
        *path = Path{};
        return path;
    }
    void give_back(Path* path) { free_.push_back(path); }

    void clear() {
        free_.clear();
        for (Path& path : paths_) free_.push_back(&path);
    }

private:
    std::deque<Path> paths_;
    std::vector<Path*> free_;
};

}  // namespace optiml::emulator
