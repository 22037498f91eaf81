#include "emulator/execution/executor.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/random.h"
#include "emulator/checks/taint_flow.h"
#include "emulator/execution/barriers.h"
#include "emulator/execution/exchange.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/places.h"

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
                take_turn(block, warp);
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
    block->warps.clear();
    block->turns.clear();
    block_ = block.get();
    for (std::uint32_t number = 0; number < state_.warps_per_block(); ++number) {
        const std::uint32_t threads = std::min<std::uint32_t>(kLanes, state_.threads_per_block() - number * kLanes);
        const LaneMask lanes = threads == kLanes ? ~LaneMask{0} : (LaneMask{1} << threads) - 1;
        block->warps.push_back(std::make_unique<Warp>(number, lanes));
        warp_ = block->warps.back().get();
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

void Executor::take_turn(Block& block, Warp& warp) {
    block_ = &block;
    warp_ = &warp;
    std::uint64_t left = kTurnInstructions;
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
        if (left == 0 || (operation.waits_for_load && left != kTurnInstructions)) return false;
        --left;
        const LaneMask active = operation.guarded ? guarded_lanes(operation) : path.lanes;
        ++issued_;
        issued_threads_ += static_cast<std::uint64_t>(std::popcount(active));
        ++counts.warps[operation.index];
        counts.threads[operation.index] += static_cast<std::uint64_t>(std::popcount(active));
        ++path.place;
        Flow flow = Flow::next;
        if (operation.compute != nullptr)
            compute(operation, active);
        else if (active != 0 || operation.handler == handlers::branch)
            flow = operation.handler(*this, operation, active);
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
    if (operation.reads_clock) refresh_clock(frame);
    if (frame.taint.any) taint_flow::compute(*this, operation, active);
    if (frame.shadows.enabled()) return compute_wide(operation, active);
    bind(operation);
    operation.compute(operands_, active);
}

void Executor::compute_wide(const Operation& operation, LaneMask active) {
    bind(operation);
    operation.compute(operands_, active);
}

std::unique_ptr<Frame> Executor::make_frame(const Program& program, Frame* caller, LaneMask lanes) {
    auto frame = std::make_unique<Frame>();
    frame->program = &program;
    frame->caller = caller;
    frame->registers.resize(program.register_lines);
    if (caller != nullptr) {
        frame->depth = caller->depth + 1;
        frame->local_base = caller->local_base + caller->program->local_bytes;
    }
    frame->parameters.resize(std::size_t{program.parameter_bytes} * kLanes);
    if (state_.wide()) frame->shadows.enable(program.rows);
    warp_->local.begin_frame(frame->local_base, frame->local_base + program.local_bytes, lanes);
    fill_prologue(*frame);
    return frame;
}

void Executor::fill_prologue(Frame& frame) {
    for (const PrologueRow& prologue : frame.program->prologue) {
        const Row row = frame.row_of(prologue.slot);
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
            const std::uint64_t value = prologue.is_local_address ? frame.local_base + prologue.local_offset
                                                                  : special_value(prologue.special, lane);
            if (row.width == 64)
                row.longs()[lane] = value;
            else
                row.words()[lane] = static_cast<std::uint32_t>(row.width == 16 ? value & 0xffff : value);
        }
    }
}

void Executor::refresh_clock(Frame& frame) { fill_prologue(frame); }

std::uint64_t Executor::special_value(ptx::SpecialRegister special, std::uint32_t lane) const {
    using enum ptx::SpecialRegister;
    const Dim3& grid = state_.launch.grid;
    const Dim3& threads = state_.launch.block;
    const std::uint32_t thread = warp_->number() * kLanes + lane;
    const LaneMask bit = LaneMask{1} << lane;
    switch (special) {
        case tid_x: return thread % threads.x;
        case tid_y: return thread / threads.x % threads.y;
        case tid_z: return thread / threads.x / threads.y;
        case ntid_x: return threads.x;
        case ntid_y: return threads.y;
        case ntid_z: return threads.z;
        case ctaid_x: case clusterid_x: return block_->place[0];
        case ctaid_y: case clusterid_y: return block_->place[1];
        case ctaid_z: case clusterid_z: return block_->place[2];
        case nctaid_x: case nclusterid_x: return grid.x;
        case nctaid_y: case nclusterid_y: return grid.y;
        case nctaid_z: case nclusterid_z: return grid.z;
        case cluster_nctaid_x: case cluster_nctaid_y: case cluster_nctaid_z: case cluster_nctarank: return 1;
        case laneid: return lane;
        case warpid: return warp_->number();
        case nwarpid: return state_.warps_per_block();
        case smid: return sm_;
        case nsmid: return state_.device.sm_count;
        case lanemask_eq: return bit;
        case lanemask_lt: return bit - 1;
        case lanemask_le: return (bit - 1) | bit;
        case lanemask_gt: return ~((bit - 1) | bit);
        case lanemask_ge: return ~(bit - 1);
        case clock: case clock64: case globaltimer: case globaltimer_lo: return issued_;
        case clock_hi: case globaltimer_hi: return issued_ >> 32;
        case dynamic_smem_size: return state_.launch.dynamic_shared;
        case total_smem_size: return state_.kernel.shared.packed_bytes + state_.launch.dynamic_shared;
        case warp_size: return kLanes;
        default: return 0;
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

void Executor::observe(const Operation& operation, const Request& request_seen) {
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
                       .addresses = request_seen.addresses.data()});
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
    const std::uint64_t limit = state_.options.instruction_limit;
    const bool too_many = limit != 0 && state_.warp_instructions > limit;
    const bool check_clock = issued_ / kInstructionsBetweenClocks != clock_checked_;
    if (check_clock) clock_checked_ = issued_ / kInstructionsBetweenClocks;
    if (!too_many && !(check_clock && state_.options.deadline.passed())) return;
    state_.stopped = true;
    const Path* path = warp_->leaves().empty() ? nullptr : warp_->leaves().back();
    if (path == nullptr) return;
    const Operation& operation = path->frame->program->operations[path->place];
    report_at(*warp_, *path, operation, FindingKind::time_limit,
              too_many ? fmt::format("stopped after {} warp instructions", state_.warp_instructions) : "stopped at the time limit");
}

}  // namespace optiml::emulator
