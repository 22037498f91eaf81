#include "emulator/machine_code/machine_flow.h"

#include <algorithm>
#include <utility>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

bool ends_block(const MachineInstruction& instruction) {
    return instruction.kind == MachineKind::branch || instruction.kind == MachineKind::exit || instruction.kind == MachineKind::call;
}

bool continues(const MachineInstruction& instruction) {
    return !ends_block(instruction) || instruction.guarded || instruction.kind == MachineKind::call;
}

void find_blocks(MachineFunction& function) {
    const auto count = static_cast<std::uint32_t>(function.instructions.size());
    std::vector<bool> leads(count + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        const MachineInstruction& instruction = function.instructions[i];
        if (!ends_block(instruction)) continue;
        leads[i + 1] = true;
        if (instruction.kind != MachineKind::exit) leads[instruction.target] = true;
    }
    std::vector<std::uint32_t> block_of(count, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (leads[i]) function.blocks.push_back({i, i, {}, {}, false, false, kNone});
        function.blocks.back().last = i + 1;
        block_of[i] = static_cast<std::uint32_t>(function.blocks.size() - 1);
    }
    for (MachineBlock& block : function.blocks) {
        const MachineInstruction& last = function.instructions[block.last - 1];
        if (last.kind == MachineKind::branch) block.successors.push_back(block_of[last.target]);
        if (last.kind == MachineKind::call) block.calls.push_back(block_of[last.target]);
        if (continues(last) && block.last < count) block.successors.push_back(block_of[block.last]);
    }
}

// Reverse post-order from a root; marks what is reachable.
std::vector<std::uint32_t> reverse_post_order(MachineFunction& function, std::uint32_t root) {
    std::vector<std::uint32_t> order;
    std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{root, 0}};
    function.blocks[root].reachable = true;
    while (!stack.empty()) {
        auto& [block, next] = stack.back();
        const std::vector<std::uint32_t>& successors = function.blocks[block].successors;
        if (next == successors.size()) {
            order.push_back(block);
            stack.pop_back();
            continue;
        }
        const std::uint32_t successor = successors[next++];
        if (function.blocks[successor].reachable) continue;
        function.blocks[successor].reachable = true;
        stack.push_back({successor, 0});
    }
    std::reverse(order.begin(), order.end());
    return order;
}

// Immediate dominators (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm").
class Dominators {
public:
    Dominators(const MachineFunction& function, const std::vector<std::uint32_t>& order)
        : position_(function.blocks.size(), kNone), dominator_(function.blocks.size(), kNone) {
        for (std::uint32_t i = 0; i < order.size(); ++i) position_[order[i]] = i;
        std::vector<std::vector<std::uint32_t>> predecessors(function.blocks.size());
        for (const std::uint32_t block : order) {
            for (const std::uint32_t successor : function.blocks[block].successors) predecessors[successor].push_back(block);
        }
        dominator_[order[0]] = order[0];
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 1; i < order.size(); ++i) {
                std::uint32_t best = kNone;
                for (const std::uint32_t predecessor : predecessors[order[i]]) {
                    if (dominator_[predecessor] != kNone) best = best == kNone ? predecessor : meet(best, predecessor);
                }
                if (dominator_[order[i]] != best) {
                    dominator_[order[i]] = best;
                    changed = true;
                }
            }
        }
    }

    bool dominates(std::uint32_t above, std::uint32_t below) const {
        while (position_[below] > position_[above]) below = dominator_[below];
        return below == above;
    }

private:
    std::uint32_t meet(std::uint32_t a, std::uint32_t b) const {
        while (a != b) {
            while (position_[a] > position_[b]) a = dominator_[a];
            while (position_[b] > position_[a]) b = dominator_[b];
        }
        return a;
    }

    std::vector<std::uint32_t> position_;
    std::vector<std::uint32_t> dominator_;
};

// The natural loop of a header: everything that reaches one of its back edges without passing it.
std::vector<std::uint32_t> loop_blocks(const MachineFunction& function, std::uint32_t header, std::vector<std::uint32_t> latches) {
    std::vector<bool> inside(function.blocks.size(), false);
    inside[header] = true;
    std::vector<std::vector<std::uint32_t>> predecessors(function.blocks.size());
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
        if (!function.blocks[block].reachable) continue;
        for (const std::uint32_t successor : function.blocks[block].successors) predecessors[successor].push_back(block);
    }
    while (!latches.empty()) {
        const std::uint32_t block = latches.back();
        latches.pop_back();
        if (inside[block]) continue;
        inside[block] = true;
        latches.insert(latches.end(), predecessors[block].begin(), predecessors[block].end());
    }
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t block = 0; block < inside.size(); ++block) {
        if (inside[block]) blocks.push_back(block);
    }
    return blocks;
}

void find_loops(MachineFunction& function, const std::vector<std::uint32_t>& order) {
    const Dominators dominators(function, order);
    for (const std::uint32_t header : order) {
        std::vector<std::uint32_t> latches;
        for (const std::uint32_t block : order) {
            const auto& successors = function.blocks[block].successors;
            const bool jumps_here = std::find(successors.begin(), successors.end(), header) != successors.end();
            if (jumps_here && dominators.dominates(header, block)) latches.push_back(block);
        }
        if (!latches.empty()) function.loops.push_back({header, kNone, loop_blocks(function, header, latches)});
    }
}

void nest_loops(MachineFunction& function) {
    std::stable_sort(function.loops.begin(), function.loops.end(),
                     [](const MachineLoop& a, const MachineLoop& b) { return a.blocks.size() > b.blocks.size(); });
    for (std::uint32_t loop = 0; loop < function.loops.size(); ++loop) {
        function.loops[loop].parent = function.blocks[function.loops[loop].header].loop;
        for (const std::uint32_t block : function.loops[loop].blocks) function.blocks[block].loop = loop;
    }
}

}  // namespace

void find_flow(MachineFunction& function) {
    if (function.instructions.empty()) return;
    find_blocks(function);
    std::vector<std::uint32_t> roots = {0};
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (function.blocks[roots[i]].reachable) continue;
        const std::vector<std::uint32_t> order = reverse_post_order(function, roots[i]);
        find_loops(function, order);
        for (const std::uint32_t block : order) function.blocks[block].in_subroutine = i > 0;
        for (const std::uint32_t block : order) roots.insert(roots.end(), function.blocks[block].calls.begin(), function.blocks[block].calls.end());
    }
    nest_loops(function);
}

}  // namespace optiml::emulator
