#include "emulator/execution/warp.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace optiml::emulator {

void Warp::restart(std::uint32_t number, LaneMask existing) {
    for (std::unique_ptr<Frame>& frame : frames_) frame_pool_.give_back(std::move(frame));
    frames_.clear();
    leaves_.clear();
    pool_.clear();
    number_ = number;
    existing_ = live_ = existing;
    instructions = 0;
    order = {};
    witness = {};
    taint_origins.clear();
    async_copies = {};
}

Path* Warp::runnable() const {
    for (Path* leaf : std::views::reverse(leaves_))
        if (leaf->state == Path::State::running) return leaf;
    return nullptr;
}

void Warp::activate(Path* caller, LaneMask lanes, std::unique_ptr<Frame> frame) {
    Path* activation = pool_.make();
    activation->is_activation = true;
    activation->state = Path::State::waits_for_children;
    activation->frame = frame.get();
    activation->parent = caller;
    if (caller != nullptr) ++caller->children;
    frames_.push_back(std::move(frame));
    add_leaf(activation, lanes, 0, ptx::none);
}

Path& Warp::add_leaf(Path* parent, LaneMask lanes, std::uint32_t place, std::uint32_t reconvergence) {
    Path* path = pool_.make();
    path->lanes = lanes;
    path->place = place;
    path->reconvergence = reconvergence;
    path->frame = parent->frame;
    path->parent = parent;
    ++parent->children;
    leaves_.push_back(path);
    return *path;
}

void Warp::suspend(Path& path) {
    path.state = Path::State::waits_for_children;
    std::erase(leaves_, &path);
}

void Warp::diverge(Path& path, LaneMask taken, std::uint32_t target, std::uint32_t next, std::uint32_t reconvergence) {
    const LaneMask not_taken = path.lanes & ~taken;
    if (reconvergence == path.reconvergence) {
        // The parent waits there already, as after each round of a loop that some lanes leave.
        Path& other = add_leaf(path.parent, not_taken, next, reconvergence);
        std::swap(leaves_.back(), leaves_[leaves_.size() - 2]);
        path.lanes = taken;
        path.place = target;
        path.idle_rounds = 0;
        settle(other);
        settle(path);
        return;
    }
    path.lanes = 0;
    path.place = reconvergence;
    suspend(path);
    Path& other = add_leaf(&path, not_taken, next, reconvergence);
    Path& branch = add_leaf(&path, taken, target, reconvergence);
    settle(other);
    settle(branch);
}

void Warp::settle(Path& path) {
    if (path.place != path.reconvergence) return;
    path.parent->lanes |= path.lanes;
    path.parent->has_polled |= path.has_polled;
    remove_leaf(path);
}

void Warp::remove_leaf(Path& path) {
    Path& parent = *path.parent;
    std::erase(leaves_, &path);
    pool_.give_back(&path);
    if (--parent.children == 0) child_ended(parent);
}

void Warp::child_ended(Path& parent) {
    if (parent.is_activation) {
        Path* caller = parent.parent;
        const auto frame = std::ranges::find(frames_, parent.frame, &std::unique_ptr<Frame>::get);
        frame_pool_.give_back(std::move(*frame));
        frames_.erase(frame);
        pool_.give_back(&parent);
        if (caller != nullptr && --caller->children == 0) child_ended(*caller);
        return;
    }
    parent.state = Path::State::running;
    leaves_.push_back(&parent);
    if (parent.lanes == 0)
        remove_leaf(parent);
    else
        settle(parent);
}

void Warp::exit_lanes(Path& path, LaneMask lanes) {
    live_ &= ~lanes;
    path.lanes &= ~lanes;
    if (path.lanes == 0) remove_leaf(path);
}

void Warp::return_lanes(Path& path, LaneMask lanes) {
    const Path* activation = &path;
    while (!activation->is_activation) activation = activation->parent;
    if (activation->parent == nullptr) return exit_lanes(path, lanes);
    activation->parent->lanes |= lanes;
    path.lanes &= ~lanes;
    if (path.lanes == 0) remove_leaf(path);
}

void Warp::call(Path& path, LaneMask lanes, std::unique_ptr<Frame> frame) {
    // Lanes whose guard is false wait with the path for those that call.
    path.lanes &= ~lanes;
    suspend(path);
    activate(&path, lanes, std::move(frame));
}

void Warp::merge(Path& path, Path& other) {
    path.lanes |= other.lanes;
    remove_leaf(other);
}

void Warp::put_last(Path& path) {
    std::erase(leaves_, &path);
    leaves_.insert(leaves_.begin(), &path);
}

bool Warp::release_waiting(Path& path) {
    for (Path* waiting = path.parent; !waiting->is_activation; waiting = waiting->parent) {
        if (waiting->lanes == 0) continue;
        const LaneMask lanes = std::exchange(waiting->lanes, 0);
        add_leaf(waiting->parent, lanes, waiting->place, waiting->reconvergence);
        return true;
    }
    return false;
}

}  // namespace optiml::emulator
