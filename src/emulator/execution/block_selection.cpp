#include "emulator/execution/block_selection.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/random.h"

namespace optiml::emulator {
namespace {

template <class Element>
void shuffle(std::vector<Element>& elements, std::uint64_t seed) {
    for (std::size_t last = elements.size(); last > 1; --last) std::swap(elements[last - 1], elements[random_bits(seed, last) % last]);
}

std::vector<SmBlocks> deal(const std::vector<std::uint64_t>& linear, std::uint32_t sm_count) {
    std::vector<SmBlocks> sms(std::min<std::size_t>(sm_count, linear.size()));
    for (std::uint32_t index = 0; index < linear.size(); ++index) {
        SmBlocks& sm = sms[index % sms.size()];
        sm.sm = index % static_cast<std::uint32_t>(sms.size());
        sm.blocks.push_back({.linear = linear[index], .run_index = index});
    }
    return sms;
}

// Group g holds the blocks that SM g mod SMs holds in wave g / SMs.
std::vector<SmBlocks> sample(const LaunchState& state, std::uint32_t resident) {
    const std::uint64_t blocks = state.launch.grid.count();
    const std::uint64_t sms = state.device.sm_count;
    const std::uint64_t waves = (blocks + sms * resident - 1) / (sms * resident);
    const std::uint64_t groups = waves == 1 ? std::min(blocks, sms) : waves * sms;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, (state.options.blocks.sample_count + resident - 1) / resident);
    std::set<std::uint64_t> chosen;
    for (std::uint64_t draw = 0; chosen.size() < std::min(wanted, groups); ++draw) {
        const std::uint64_t high = random_bits(state.options.blocks.seed, 2 * draw);
        const std::uint64_t bits = high << 32 | random_bits(state.options.blocks.seed, 2 * draw + 1);
        chosen.insert(bits % groups);
    }
    std::vector<SmBlocks> selected;
    std::uint32_t run_index = 0;
    for (const std::uint64_t group : chosen) {
        SmBlocks sm{.sm = static_cast<std::uint32_t>(group % sms), .blocks = {}};
        for (std::uint64_t place = 0; place < resident; ++place) {
            const std::uint64_t linear = (group / sms * resident + place) * sms + sm.sm;
            if (linear < blocks) sm.blocks.push_back({.linear = linear, .run_index = run_index++});
        }
        if (!sm.blocks.empty()) selected.push_back(std::move(sm));
    }
    return selected;
}

}  // namespace

std::vector<SmBlocks> select_blocks(const LaunchState& state, std::uint32_t sms, std::uint32_t resident) {
    const BlockSelection& selection = state.options.blocks;
    const std::uint64_t blocks = state.launch.grid.count();
    if (selection.kind == BlockSelection::Kind::sample && selection.sample_count < blocks) return sample(state, resident);
    std::vector<std::uint64_t> linear;
    if (selection.kind == BlockSelection::Kind::list) {
        for (const std::uint64_t index : selection.linear_indices)
            if (index < blocks) linear.push_back(index);
    } else {
        linear.resize(blocks);
        std::iota(linear.begin(), linear.end(), 0);
    }
    if (state.options.schedule_seed != 0)
        shuffle(linear, state.options.schedule_seed);
    return deal(linear, sms);
}

}  // namespace optiml::emulator
