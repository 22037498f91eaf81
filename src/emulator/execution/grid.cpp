#include "emulator/execution/grid.h"

#include <algorithm>
#include <optional>

#include "base/random.h"
#include "emulator/counter_collector.h"
#include "emulator/execution/block_selection.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/pointer_flow.h"

namespace optiml::emulator {
namespace {

// Warp instructions that one SM runs before the next one does: short where blocks may wait for each other. With a schedule seed they
// are shorter still and uneven, so that one block sees another's work half done.
constexpr std::uint64_t kSliceOfCommunicating = 4'000;
constexpr std::uint64_t kLongestUnevenSlice = 256;
constexpr std::uint64_t kSlice = 4'000'000;

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

}  // namespace

LaunchResult run_grid(LaunchState& state) {
    const std::uint32_t resident = resident_blocks(state);
    std::vector<SmBlocks> groups = select_blocks(state, resident);
    prepare_checks(state, groups);
    std::optional<CounterCollector> collector;
    if (state.options.counters) collector.emplace(state.launch, state.device, buffer_ranges(state.memory));
    std::vector<std::unique_ptr<Executor>> sms;
    for (SmBlocks& group : groups) {
        Observer* observer = collector ? &collector->add_sm() : nullptr;
        sms.push_back(std::make_unique<Executor>(state, group.sm, resident, std::move(group.blocks), observer));
    }
    run_all(state, sms);
    state.memory.forget_accesses();
    // Samples of huge grids touch pages far and wide; what the kernel did not write can be made again.
    if (state.options.blocks.kind != BlockSelection::Kind::all)
        for (Region& region : state.memory.regions) region.release_unmodified_pages();
    for (const auto& sm : sms) sm->finish();
    LaunchResult result;
    result.findings = state.findings.take();
    if (collector) {
        result.counters = collector->counters();
        result.lines = collector->lines();
    }
    result.completed = !state.stopped;
    result.blocks_run = state.blocks_run;
    result.thread_instructions = state.thread_instructions;
    return result;
}

}  // namespace optiml::emulator
