#pragma once
// Runs the blocks of one simulated SM.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "emulator/execution/block.h"
#include "emulator/execution/launch_state.h"
#include "emulator/execution/spans.h"
#include "emulator/observer.h"

namespace optiml::emulator {

// Warp instructions that one SM runs before the next one does. Turns of warps are cut at its end: however SMs are run, these are the
// cuts.
constexpr std::uint64_t kSlice = 4'000'000;

struct BlockToRun {
    std::uint64_t linear = 0;
    std::uint32_t run_index = 0;
};

class Executor {
public:
    // blocks run in this order, at most `resident` at once. observer: may be null.
    Executor(LaunchState& state, std::uint32_t sm, std::uint32_t resident, std::vector<BlockToRun> blocks, Observer* observer);
    ~Executor();

    // Gives turns to warps until about `budget` warp instructions were issued, all blocks have ended or the launch is stopped.
    // True: all blocks have ended.
    bool run(std::uint64_t budget);
    // Hands the counts to the observer; after the last run.
    void finish();

    // For handlers: what runs now.
    LaunchState& state() { return state_; }
    Block& block() { return *block_; }
    const Block& block() const { return *block_; }
    Warp& warp() { return *warp_; }
    const Warp& warp() const { return *warp_; }
    Path& path() { return *path_; }
    Frame& frame() { return *path_->frame; }
    const Frame& frame() const { return *path_->frame; }
    const Program& program() const { return *path_->frame->program; }
    std::uint32_t sm() const { return sm_; }
    Row destination(const Operation& operation, std::uint32_t index) { return frame().row_of(program().destination(operation, index)); }
    Row source(const Operation& operation, std::uint32_t index) { return frame().row_of(program().source(operation, index)); }

    // A finding at this operation by a lane of the warp that runs; the caller may fill in more before it is logged.
    Finding finding(FindingKind kind, const Operation& operation, std::uint32_t lane, std::string message) const;
    // As finding() and report() for the first lane of a path that does not run now.
    void report_at(const Warp& warp, const Path& path, const Operation& operation, FindingKind kind, std::string message);
    void report(Finding finding) { state_.findings.add(std::move(finding)); }
    std::array<std::uint32_t, 3> block_place(std::uint64_t linear) const;   // blockIdx
    std::array<std::uint32_t, 3> thread_place(std::uint32_t thread) const;  // threadIdx of a thread by its linear number
    void observe(const Operation& operation, const Request& request, const std::uint64_t* shared_addresses = nullptr);
    Observer* observer() { return observer_; }

    // The number of an origin of taint in the warp's list: one for each operation and space, with what its lanes read last.
    std::uint32_t taint_origin(const Operation& operation, ptx::Space space, const std::array<std::uint64_t, kLanes>& addresses,
                               LaneMask lanes);

    std::unique_ptr<Frame> make_frame(const Program& program, Frame* caller, LaneMask lanes);
    // Scratch of memory handlers, too large for the stack of every call.
    Request request;
    Spans spans;
    alignas(64) Staging staging;

private:
    void admit_blocks();
    void begin_block(const BlockToRun& block);
    void end_block(std::size_t position);
    void take_turn(Block& block, Warp& warp, std::uint64_t most);  // instructions
    // Runs the current path until it moves, waits or its turn ends; false: the turn ends.
    bool run_path(std::uint64_t& left);
    void compute(const Operation& operation, LaneMask active);
    void compute_wide(const Operation& operation, LaneMask active);
    void bind(const Operation& operation);
    LaneMask guarded_lanes(const Operation& operation);
    void fill_prologue(Frame& frame);
    bool resolve_deadlock(Block& block);
    void check_limits();

    struct Counts {
        std::vector<std::uint64_t> warps;
        std::vector<std::uint64_t> threads;
    };

    LaunchState& state_;
    std::uint32_t sm_;
    std::uint32_t resident_limit_;
    std::vector<BlockToRun> queue_;
    std::size_t next_in_queue_ = 0;
    Observer* observer_;
    FramePool frames_;
    std::vector<std::unique_ptr<Block>> resident_;
    std::vector<std::unique_ptr<Block>> spare_;   // of ended blocks, for the next ones
    std::vector<Counts> counts_;                  // by function number
    std::uint64_t issued_ = 0;                    // warp instructions on this SM: its clock
    std::uint64_t issued_threads_ = 0;
    std::uint64_t turn_ = 0;                      // instructions that the turn at hand may take
    std::uint64_t clock_checked_ = 0;
    LaneOperands operands_;
    ShadowOperands shadow_operands_;
    Block* block_ = nullptr;
    Warp* warp_ = nullptr;
    Path* path_ = nullptr;
};

}  // namespace optiml::emulator
