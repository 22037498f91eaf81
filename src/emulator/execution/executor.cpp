#include "emulator/execution/executor.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/random.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/barriers.h"
#include "emulator/execution/crew.h"
#include "emulator/execution/exchange.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/places.h"
#include "emulator/execution/rows.h"
#include "emulator/execution/special_rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

// A turn ends at a stall; this ends those of code that never stalls.
constexpr std::uint64_t kTurnInstructions = 1000;
constexpr std::uint64_t kInstructionsBetweenClocks = 1 << 14;

}  // namespace

Executor::Executor(LaunchState& state, std::uint32_t sm, std::uint32_t resident, std::vector<BlockToRun> blocks, Observer* observer)
    : state_(state),
      sm_(sm),
      resident_limit_(resident),
      queue_(std::move(blocks)),
      observer_(observer),
      counts_(state.kernel.programs.size()) {
    for (std::size_t number = 0; number < counts_.size(); ++number) {
        if (state.kernel.programs[number] == nullptr) continue;
        counts_[number].warps.resize(state.kernel.programs[number]->operations.size());
        counts_[number].threads.resize(state.kernel.programs[number]->operations.size());
    }
}

Executor::~Executor() = default;

bool Executor::run(std::uint64_t budget) {
    const std::uint64_t end = issued_ + budget;
    while (!state_.stopped && issued_ < end) {
        admit_blocks();
        if (resident_.empty()) return true;
        for (std::size_t position = 0; position < resident_.size() && !state_.stopped;) {
            Block& block = *resident_[position];
            bool advanced = false;
            for (const std::uint32_t number : block.turns) {
                Warp& warp = *block.warps[number];
                if (warp.runnable() == nullptr) continue;
                advanced = true;
                take_turn(block, warp, std::max<std::uint64_t>(end - std::min(issued_, end), 1));
                if (state_.stopped) break;
            }
            if (block.finished())
                end_block(position);
            else if (!advanced && !resolve_deadlock(block))
                state_.stopped = true;
            else
                ++position;
        }
    }
    return false;
}

void Executor::admit_blocks() {
    while (resident_.size() < resident_limit_ && next_in_queue_ < queue_.size()) begin_block(queue_[next_in_queue_++]);
}

void Executor::begin_block(const BlockToRun& to_run) {
    if (spare_.empty()) spare_.push_back(std::make_unique<Block>());
    std::unique_ptr<Block> block = std::move(spare_.back());
    spare_.pop_back();
    block->linear = to_run.linear;
    block->run_index = to_run.run_index;
    block->place = block_place(to_run.linear);
    block->slot = 0;
    while (std::ranges::any_of(resident_, [&](const auto& other) { return other->slot == block->slot; })) ++block->slot;
    block->clock = 1;
    block->order = {};
    block->sightings = {};
    block->finished_warps = 0;
    block->barriers = {};
    block->shared.begin_block(state_.kernel.shared, state_.launch.dynamic_shared);
    block->turns.clear();
    block_ = block.get();
    while (block->warps.size() < state_.warps_per_block()) block->warps.push_back(std::make_unique<Warp>(frames_));
    for (std::uint32_t number = 0; number < state_.warps_per_block(); ++number) {
        const std::uint32_t threads = std::min<std::uint32_t>(kLanes, state_.threads_per_block() - number * kLanes);
        const LaneMask lanes = threads == kLanes ? ~LaneMask{0} : (LaneMask{1} << threads) - 1;
        warp_ = block->warps[number].get();
        warp_->restart(number, lanes);
        warp_->enter_kernel(make_frame(*state_.kernel.entry, nullptr, lanes));
        block->turns.push_back(number);
    }
    if (state_.options.schedule_seed != 0) {
        for (std::uint32_t last = static_cast<std::uint32_t>(block->turns.size()); last > 1; --last)
            std::swap(block->turns[last - 1], block->turns[random_bits(state_.options.schedule_seed, block->linear * kLanes + last) % last]);
    }
    if (observer_ != nullptr) observer_->begin_block(block->linear, block->slot);
    resident_.push_back(std::move(block));
}

void Executor::end_block(std::size_t position) {
    std::unique_ptr<Block> block = std::move(resident_[position]);
    resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(position));
    ++state_.blocks_run;
    if (observer_ != nullptr) {
        std::vector<std::uint64_t> instructions;
        for (const auto& warp : block->warps) instructions.push_back(warp->instructions);
        observer_->end_block(block->linear, block->slot, instructions);
    }
    spare_.push_back(std::move(block));
    admit_blocks();
}

void Executor::finish() {
    if (observer_ == nullptr) return;
    std::vector<InstructionCounts> counts;
    for (std::size_t number = 0; number < counts_.size(); ++number)
        if (state_.kernel.programs[number] != nullptr)
            counts.push_back({state_.kernel.programs[number]->function, counts_[number].warps, counts_[number].threads});
    observer_->finish(counts);
}

void Executor::take_turn(Block& block, Warp& warp, std::uint64_t most) {
    block_ = &block;
    warp_ = &warp;
    turn_ = std::min(kTurnInstructions, most);
    std::uint64_t left = turn_;
    const std::uint64_t before = issued_;
    const std::uint64_t threads_before = issued_threads_;
    while ((path_ = warp.runnable()) != nullptr && run_path(left)) {}
    warp.instructions += issued_ - before;
    state_.warp_instructions += issued_ - before;
    state_.thread_instructions += issued_threads_ - threads_before;
    if (warp.finished()) ++block.finished_warps;
    check_limits();
}

bool Executor::run_path(std::uint64_t& left) {
    Path& path = *path_;
    const Operation* operations = path.frame->program->operations.data();
    Counts& counts = counts_[path.frame->program->number];
    for (;;) {
        const Operation& operation = operations[path.place];
        if (left == 0 || (operation.waits_for_load && left != turn_)) return false;
        --left;
        const LaneMask active = operation.guarded ? guarded_lanes(operation) : path.lanes;
        const std::uint64_t threads = active == ~LaneMask{0} ? kLanes : static_cast<std::uint64_t>(std::popcount(active));
        ++issued_;
        issued_threads_ += threads;
        ++counts.warps[operation.index];
        counts.threads[operation.index] += threads;
        ++path.place;
        Flow flow = Flow::next;
        if (operation.compute != nullptr)
            compute(operation, active);
        else if (active != 0 || operation.handler == handlers::branch) {
            if (path.frame->shadows.enabled() && !operation.handles_shadows) shadow_flow::forget_destinations(*this, operation, active);
            flow = operation.handler(*this, operation, active);
        }
        if (flow == Flow::next) {
            if (!operation.ends_block) continue;
            warp_->settle(path);
            return true;
        }
        if (flow == Flow::yield && path.state == Path::State::running) warp_->put_last(path);
        if (flow == Flow::stop) state_.stopped = true;
        return flow == Flow::moved || flow == Flow::wait;
    }
}

LaneMask Executor::guarded_lanes(const Operation& operation) {
    Frame& frame = *path_->frame;
    const LaneMask predicate = frame.predicate_at(operation.guard_offset);
    if (frame.taint.any) taint_flow::reaches_guard(*this, operation, path_->lanes);
    return path_->lanes & (operation.guard_negated ? ~predicate : predicate);
}

void Executor::bind(const Operation& operation) {
    Frame& frame = *path_->frame;
    const Slot* slot = frame.program->slots_of(operation);
    std::byte* const bases[2] = {frame.registers.front().bytes, const_cast<std::byte*>(frame.program->constants.front().bytes)};
    for (int i = 0; i < operation.destination_count; ++i, ++slot)
        operands_.destinations[i] = {.data = slot->width == 0 ? nullptr : bases[0] + slot->offset, .width = slot->width};
    for (int i = 0; i < operation.source_count; ++i, ++slot)
        operands_.sources[i] = {.data = bases[slot->constant ? 1 : 0] + slot->offset, .width = slot->width};
    operands_.destination_count = operation.destination_count;
    operands_.source_count = operation.source_count;
    operands_.source_negated = operation.negated_sources;
    operands_.carry = &frame.carry;
    operands_.modifiers = &operation.instruction->modifiers;
}

void Executor::compute(const Operation& operation, LaneMask active) {
    Frame& frame = *path_->frame;
    if (operation.reads_clock) fill_prologue(frame);
    if (frame.taint.any) taint_flow::compute(*this, operation, active);
    if (frame.shadows.enabled()) return compute_wide(operation, active);
    bind(operation);
    operation.compute(operands_, active);
}

std::unique_ptr<Frame> Executor::make_frame(const Program& program, Frame* caller, LaneMask lanes) {
    std::unique_ptr<Frame> frame = frames_.take(program, state_.wide());
    frame->caller = caller;
    if (caller != nullptr) {
        frame->depth = caller->depth + 1;
        frame->local_base = caller->local_base + caller->program->local_bytes;
    }
    warp_->local.begin_frame(frame->local_base, frame->local_base + program.local_bytes, lanes);
    fill_prologue(*frame);
    if (state_.options.checks && !program.undefined.empty()) taint_flow::enter(*this, *frame, lanes);
    return frame;
}

void Executor::fill_prologue(Frame& frame) {
    for (const PrologueRow& prologue : frame.program->prologue) {
        const Row row = frame.row_of(prologue.slot);
        if (!prologue.is_local_address)
            fill_special_row(row, prologue.special, state_, *block_, *warp_, sm_, issued_);
        else
            for (std::uint32_t lane = 0; lane < kLanes; ++lane) set_lane_value(row, lane, frame.local_base + prologue.local_offset);
    }
}

Finding Executor::finding(FindingKind kind, const Operation& operation, std::uint32_t lane, std::string message) const {
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    finding.kernel = state_.kernel.function->name;
    const ptx::Place place = user_place(*operation.instruction);
    if (place.file < state_.image.module().files.size()) finding.file = state_.image.module().files[place.file];
    finding.line = place.line;
    finding.block = block_->place;
    finding.thread = thread_place(warp_->number() * kLanes + lane);
    return finding;
}

void Executor::report_at(const Warp& warp, const Path& path, const Operation& operation, FindingKind kind, std::string message) {
    Finding made = finding(kind, operation, 0, std::move(message));
    made.thread = thread_place(warp.number() * kLanes + static_cast<std::uint32_t>(std::countr_zero(path.lanes)));
    report(std::move(made));
}

std::array<std::uint32_t, 3> Executor::block_place(std::uint64_t linear) const {
    const Dim3& grid = state_.launch.grid;
    return {static_cast<std::uint32_t>(linear % grid.x), static_cast<std::uint32_t>(linear / grid.x % grid.y),
            static_cast<std::uint32_t>(linear / grid.x / grid.y)};
}

std::array<std::uint32_t, 3> Executor::thread_place(std::uint32_t thread) const {
    const Dim3& threads = state_.launch.block;
    return {thread % threads.x, thread / threads.x % threads.y, thread / threads.x / threads.y};
}

void Executor::observe(const Operation& operation, const Request& request_seen, const std::uint64_t* shared_addresses) {
    if (observer_ == nullptr || request_seen.active == 0) return;
    const ptx::Modifiers& modifiers = operation.instruction->modifiers;
    observer_->access(*program().function, operation.index,
                      {.space = request_seen.space,
                       .kind = operation.memory.kind,
                       .atomic = modifiers.atomic,
                       .type = modifiers.type,
                       .active = request_seen.active,
                       .bytes = request_seen.lane_bytes,
                       .slot = block_->slot,
                       .warp = warp_->number(),
                       .noncoherent = modifiers.noncoherent,
                       .addresses = request_seen.addresses.data(),
                       .shared_addresses = shared_addresses});
}

std::uint32_t Executor::taint_origin(const Operation& operation, ptx::Space space, const std::array<std::uint64_t, kLanes>& addresses,
                                     LaneMask lanes) {
    std::vector<TaintOrigin>& origins = warp_->taint_origins;
    auto known = std::ranges::find_if(origins, [&](const TaintOrigin& origin) {
        return origin.operation == &operation && origin.space == space;
    });
    if (known == origins.end()) known = origins.insert(known, {.operation = &operation, .space = space});
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1)
        known->addresses[std::countr_zero(rest)] = addresses[std::countr_zero(rest)];
    return static_cast<std::uint32_t>(known - origins.begin());
}

bool Executor::resolve_deadlock(Block& block) {
    block_ = &block;
    if (force_exchange(*this, block)) return true;
    report_stuck_barriers(*this, block);
    return false;
}

void Executor::check_limits() {
    if (state_.crew != nullptr && !state_.crew->may_go_on(state_)) {
        state_.stopped = true;
        return;
    }
    const std::uint64_t limit = state_.options.instruction_limit;
    const bool too_many = limit != 0 && state_.warp_instructions > limit;
    const bool check_clock = issued_ / kInstructionsBetweenClocks != clock_checked_;
    if (check_clock) clock_checked_ = issued_ / kInstructionsBetweenClocks;
    if (!too_many && !(check_clock && state_.options.deadline.passed())) return;
    state_.stopped = true;
    // A path that runs, rather than one that waits for it.
    const Path* path = warp_->runnable();
    if (path == nullptr && !warp_->leaves().empty()) path = warp_->leaves().back();
    if (path == nullptr) return;
    const Operation& operation = path->frame->program->operations[path->place];
    report_at(*warp_, *path, operation, FindingKind::time_limit,
              too_many ? fmt::format("stopped after {} warp instructions", state_.warp_instructions) : "stopped at the time limit");
}

}  // namespace optiml::emulator
