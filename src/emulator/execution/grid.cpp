#include "emulator/execution/grid.h"

#include <algorithm>
#include <memory>

#include "base/random.h"
#include "emulator/counter_collector.h"
#include "emulator/counting/footprint_observer.h"
#include "emulator/execution/block_selection.h"
#include "emulator/execution/crew.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/pointer_flow.h"
#include "emulator/textures/block_linear.h"

namespace optiml::emulator {
namespace {

// Warp instructions that one SM runs before the next one does: short where blocks may wait for each other. With a schedule seed they
// are shorter still and uneven, so that one block sees another's work half done.
constexpr std::uint64_t kSliceOfCommunicating = 4'000;
constexpr std::uint64_t kLongestUnevenSlice = 256;

std::uint32_t resident_blocks(const LaunchState& state) {
    const Occupancy occupancy = occupancy_of(state.device, state.threads_per_block(), state.launch.resources.registers,
                                             state.kernel.shared.packed_bytes + state.launch.dynamic_shared);
    return std::max(1u, occupancy.blocks_per_sm);
}

std::uint64_t slice_of(const LaunchState& state, std::uint64_t turn) {
    if (!state.kernel.traits.communicates) return kSlice;
    if (state.options.schedule_seed == 0) return kSliceOfCommunicating;
    const std::uint32_t bits = random_bits(state.options.schedule_seed, turn);
    return 1 + (bits >> 8) % (kLongestUnevenSlice >> bits % 8);
}

void run_all(LaunchState& state, std::vector<std::unique_ptr<Executor>>& sms) {
    std::vector<Executor*> unfinished;
    for (const auto& sm : sms) unfinished.push_back(sm.get());
    std::uint64_t turn = 0;
    while (!unfinished.empty() && !state.stopped) {
        std::erase_if(unfinished, [&](Executor* sm) { return sm->run(slice_of(state, turn++)); });
    }
}

std::vector<BufferRange> buffer_ranges(const Memory::Implementation& memory) {
    std::vector<BufferRange> ranges;
    for (const Region& region : memory.regions) ranges.push_back({region.address(), region.bytes()});
    for (const TextureObject& texture : memory.textures) {
        BufferRange& range = ranges[texture.region];
        range.bytes = std::max(range.bytes, BlockLinear(texture.description.layout).bytes());
    }
    return ranges;
}

void prepare_checks(LaunchState& state, const std::vector<SmBlocks>& groups) {
    std::uint32_t blocks = 0;
    for (const SmBlocks& group : groups) blocks += static_cast<std::uint32_t>(group.blocks.size());
    state.linear_of_run.resize(blocks);
    mark_written_regions(state.memory, state.launch, state.kernel);
    for (const SmBlocks& group : groups)
        for (const BlockToRun& block : group.blocks) state.linear_of_run[block.run_index] = block.linear;
    state.records = RecordLayout(state.kernel.sites.size(), state.threads_per_block(), blocks);
    if (state.options.checks && state.kernel.traits.publishes) state.publications = std::make_unique<Publications>();
}

struct Counting {
    std::unique_ptr<CounterCollector> collector;  // null: nothing is counted
    std::vector<std::unique_ptr<FootprintObserver>> footprints;
    std::vector<Observer*> observers;             // one a group, or none
};

Counting begin_counting(const LaunchState& state, std::size_t groups) {
    Counting counting;
    while (state.options.footprints && counting.observers.size() < groups) {
        counting.footprints.push_back(std::make_unique<FootprintObserver>(state.memory));
        counting.observers.push_back(counting.footprints.back().get());
    }
    if (!state.options.counters || state.options.footprints) return counting;
    counting.collector = std::make_unique<CounterCollector>(state.launch, state.device, buffer_ranges(state.memory));
    while (counting.observers.size() < groups) counting.observers.push_back(&counting.collector->add_sm());
    return counting;
}

void run_on_one_thread(LaunchState& state, const std::vector<SmBlocks>& groups, std::uint32_t resident,
                       const std::vector<Observer*>& observers) {
    std::vector<std::unique_ptr<Executor>> sms;
    for (std::size_t group = 0; group < groups.size(); ++group)
        sms.push_back(std::make_unique<Executor>(state, groups[group].sm, resident, groups[group].blocks,
                                                 observers.empty() ? nullptr : observers[group]));
    run_all(state, sms);
    for (const auto& sm : sms) sm->finish();
}

std::vector<BlockFootprint> footprints_of(const Counting& counting) {
    std::vector<BlockFootprint> all;
    for (const auto& observer : counting.footprints) all.insert(all.end(), observer->footprints().begin(), observer->footprints().end());
    std::ranges::sort(all, {}, &BlockFootprint::block);
    return all;
}

LaunchResult result_of(LaunchState& state, const Counting& counting) {
    state.memory.forget_accesses();
    // Samples of huge grids touch pages far and wide; what the kernel did not write can be made again.
    if (state.options.blocks.kind != BlockSelection::Kind::all)
        for (Region& region : state.memory.regions) region.release_unmodified_pages();
    LaunchResult result;
    result.findings = state.findings.take();
    result.printed = state.printed.take();
    if (counting.collector) {
        result.counters = counting.collector->counters();
        result.lines = counting.collector->lines();
    }
    result.footprints = footprints_of(counting);
    result.completed = !state.stopped;
    result.blocks_communicate = state.kernel.traits.communicates;
    result.blocks_run = state.blocks_run;
    result.thread_instructions = state.thread_instructions;
    return result;
}

}  // namespace

LaunchResult run_grid(LaunchState& state) {
    std::uint32_t resident = resident_blocks(state), sms = state.device.sm_count;
    if (const std::uint32_t most = state.options.most_resident; most != 0) {
        sms = std::min(sms, most);
        resident = std::min(resident, most / sms);
    }
    const std::vector<SmBlocks> groups = select_blocks(state, sms, resident);
    prepare_checks(state, groups);
    if (state.options.host_threads > 1 && groups.size() > 1 && !state.kernel.traits.mixes_blocks()) {
        const Counting counting = begin_counting(state, groups.size());
        if (Crew(state, groups, resident, counting.observers).run()) return result_of(state, counting);
    }
    const Counting counting = begin_counting(state, groups.size());
    run_on_one_thread(state, groups, resident, counting.observers);
    return result_of(state, counting);
}

}  // namespace optiml::emulator
