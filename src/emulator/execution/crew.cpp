#include "emulator/execution/crew.h"

#include <algorithm>
#include <iterator>

#include "emulator/checks/access_history.h"

namespace optiml::emulator {
namespace {

// How often a thread comes back for more groups: often enough that all end at about the same time.
constexpr std::size_t kRounds = 8;

void move_histories(Memory::Implementation& from, std::size_t count, Memory::Implementation& to) {
    const auto first = from.spare_histories.end() - static_cast<std::ptrdiff_t>(std::min(count, from.spare_histories.size()));
    std::move(first, from.spare_histories.end(), std::back_inserter(to.spare_histories));
    from.spare_histories.erase(first, from.spare_histories.end());
}

}  // namespace

Crew::Crew(LaunchState& launch, const std::vector<SmBlocks>& groups, std::uint32_t resident, const std::vector<Observer*>& observers)
    : launch_(launch),
      groups_(groups),
      resident_(resident),
      observers_(observers),
      threads_(static_cast<std::uint32_t>(std::min<std::size_t>(launch.options.host_threads, groups.size()))),
      groups_at_once_(std::max<std::size_t>(1, groups.size() / (kRounds * threads_))) {}

Crew::~Crew() = default;

bool Crew::add_hand() {
    const std::size_t first = take_groups();
    if (first >= groups_.size()) return false;
    MemoryView view = make_view(launch_.memory);
    Memory::Implementation& memory = *view;
    hands_.emplace_back(std::move(view), launch_.in_view(memory), first).state.crew = this;
    return true;
}

bool Crew::run() {
    add_hand();
    Hand& own = hands_.front();
    caller_ = &own.state;
    move_histories(launch_.memory, launch_.memory.spare_histories.size(), *own.view);
    work(own);
    helpers_.clear();
    const bool independent = !abandoned_ && join();
    give_back_histories();
    return independent;
}

bool Crew::may_go_on(const LaunchState& mine) {
    if (!mine.findings.empty()) abandoned_ = true;
    if (&mine == caller_ && hands_.size() == 1 && mine.warp_instructions > launch_.options.instructions_alone) call_helpers();
    return !abandoned_.load(std::memory_order_relaxed);
}

void Crew::call_helpers() {
    Memory::Implementation& own = *hands_.front().view;
    const std::size_t share = own.spare_histories.size() / threads_;
    while (hands_.size() < threads_ && add_hand()) move_histories(own, share, *hands_.back().view);
    for (std::size_t hand = 1; hand < hands_.size(); ++hand) helpers_.emplace_back([this, &mine = hands_[hand]] { work(mine); });
}

std::size_t Crew::take_groups() { return next_.fetch_add(groups_at_once_); }

void Crew::work(Hand& hand) {
    for (std::size_t first = hand.first_group; first < groups_.size(); first = take_groups()) {
        for (std::size_t number = first; number < std::min(first + groups_at_once_, groups_.size()); ++number) {
            run_group(hand, number);
            if (hand.state.stopped) return;
        }
    }
}

void Crew::run_group(Hand& hand, std::size_t number) {
    const SmBlocks& group = groups_[number];
    Executor sm(hand.state, group.sm, resident_, group.blocks, observers_.empty() ? nullptr : observers_[number]);
    while (!hand.state.stopped && !sm.run(kSlice)) {}
    sm.finish();
    if (hand.state.stopped) abandoned_ = true;
}

bool Crew::join() {
    std::uint64_t instructions = 0;
    for (const Hand& hand : hands_) instructions += hand.state.warp_instructions;
    if (launch_.options.instruction_limit != 0 && instructions > launch_.options.instruction_limit) return false;
    std::vector<MemoryView> views;
    for (Hand& hand : hands_) views.push_back(std::move(hand.view));
    const bool independent = merge_views(launch_.memory, views);
    for (std::size_t hand = 0; hand < hands_.size(); ++hand) {
        hands_[hand].view = std::move(views[hand]);
        if (!independent) continue;
        launch_.warp_instructions += hands_[hand].state.warp_instructions;
        launch_.thread_instructions += hands_[hand].state.thread_instructions;
        launch_.blocks_run += hands_[hand].state.blocks_run;
    }
    return independent;
}

// Their memory serves the next launch.
void Crew::give_back_histories() {
    for (Hand& hand : hands_) {
        hand.view->forget_accesses();
        move_histories(*hand.view, hand.view->spare_histories.size(), launch_.memory);
    }
}

}  // namespace optiml::emulator
