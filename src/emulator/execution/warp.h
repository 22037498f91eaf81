#pragma once
// A warp: its lanes, paths and frames.

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/checks/publications.h"
#include "emulator/checks/sync_order.h"
#include "emulator/execution/local_memory.h"
#include "emulator/execution/async_copies.h"
#include "emulator/execution/frame_pool.h"
#include "emulator/execution/path.h"

namespace optiml::emulator {

class Warp {
public:
    explicit Warp(FramePool& frames) : frame_pool_(frames) {}
    // Becomes warp `number` of a new block; existing: lanes that have a thread.
    void restart(std::uint32_t number, LaneMask existing);
    // All lanes begin the kernel.
    void enter_kernel(std::unique_ptr<Frame> frame) { activate(nullptr, existing_, std::move(frame)); }

    std::uint32_t number() const { return number_; }
    LaneMask existing() const { return existing_; }
    LaneMask live() const { return live_; }           // that have not exited
    bool finished() const { return live_ == 0; }
    // The leaf to run next; null: none can run.
    Path* runnable() const;
    const std::vector<Path*>& leaves() const { return leaves_; }

    // A conditional branch: lanes of `path` that go to `target`, the others to `next`; they meet again at `reconvergence`.
    void diverge(Path& path, LaneMask taken, std::uint32_t target, std::uint32_t next, std::uint32_t reconvergence);
    // The path may stand where it is to join its parent: call after each end of a basic block.
    void settle(Path& path);
    // Some lanes of the path end, or return to the caller of its activation.
    void exit_lanes(Path& path, LaneMask lanes);
    void return_lanes(Path& path, LaneMask lanes);
    // The path calls a function with all its lanes; it waits until they have returned. The frame is filled by the caller.
    void call(Path& path, LaneMask lanes, std::unique_ptr<Frame> frame);
    // Two leaves that stand at the same instruction of one activation go on as one: `other` vanishes.
    void merge(Path& path, Path& other);
    // The other leaves have their turn before this one.
    void put_last(Path& path);
    // Lanes that wait for those of `path`, which spins, go ahead on a path of their own. False: there are none.
    bool release_waiting(Path& path);

    std::uint64_t instructions = 0;   // warp instructions issued
    SyncOrder order;                  // among its lanes
    Witness witness;
    std::vector<TaintOrigin> taint_origins;  // one for each load at which uninitialised bytes were read
    AsyncCopies async_copies;
    LocalMemory local;

private:
    Path& add_leaf(Path* parent, LaneMask lanes, std::uint32_t place, std::uint32_t reconvergence);
    void activate(Path* caller, LaneMask lanes, std::unique_ptr<Frame> frame);
    void suspend(Path& path);
    void remove_leaf(Path& path);
    void child_ended(Path& parent);

    FramePool& frame_pool_;
    std::uint32_t number_ = 0;
    LaneMask existing_ = 0;
    LaneMask live_ = 0;
    PathPool pool_;
    std::vector<Path*> leaves_;   // the last one runs
    std::vector<std::unique_ptr<Frame>> frames_;
};

}  // namespace optiml::emulator
