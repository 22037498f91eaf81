#pragma once
// The blocks of one launch on several host threads, as long as the blocks have nothing to do with each other.
//
// Each thread takes SMs to simulate and writes to a view of its own. A launch whose blocks do touch what another one wrote, or in which
// there is anything to report, comes out as if it had never begun: it is then for one thread, whose order every result follows.
// docs/decisions/0005-blocks-in-parallel.md

#include <atomic>
#include <deque>
#include <thread>
#include <vector>

#include "emulator/execution/block_selection.h"
#include "emulator/execution/launch_state.h"
#include "emulator/storage/memory_view.h"

namespace optiml::emulator {

class Crew {
public:
    // observers: one a group, or none. All must outlive the crew.
    Crew(LaunchState& launch, const std::vector<SmBlocks>& groups, std::uint32_t resident, const std::vector<Observer*>& observers);
    ~Crew();

    // Runs all groups. True: they are independent and nothing is to report; memory and counts of the launch are as after one thread.
    // False: the launch is unchanged.
    bool run();

    // For executors, after each turn of a warp: false where this thread is to stop. Others are called in once a launch has proven long.
    bool may_go_on(const LaunchState& mine);

private:
    struct Hand {
        MemoryView view;
        LaunchState state;
        std::size_t first_group = 0;  // its own from the beginning, so that whoever is called has work
    };

    bool add_hand();
    void call_helpers();
    std::size_t take_groups();
    void work(Hand& hand);
    void run_group(Hand& hand, std::size_t number);
    bool join();
    void give_back_histories();

    LaunchState& launch_;
    const std::vector<SmBlocks>& groups_;
    std::uint32_t resident_;
    const std::vector<Observer*>& observers_;
    std::uint32_t threads_;
    std::size_t groups_at_once_;             // that a thread takes: neighbours, which share pages
    std::deque<Hand> hands_;                 // only the calling thread, whose is the first, adds and counts them
    const LaunchState* caller_ = nullptr;
    std::vector<std::jthread> helpers_;
    std::atomic<std::size_t> next_ = 0;      // group that nobody has taken
    std::atomic<bool> abandoned_ = false;
};

}  // namespace optiml::emulator
