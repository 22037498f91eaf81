#include "emulator/machine_code/ptx_counts.h"

#include <algorithm>

namespace optiml::emulator {

PtxFlow::PtxFlow(const PtxCounts& counts) : counts_(counts), block_of_(counts.function->instructions.size(), 0) {
    const ptx::Function& function = *counts.function;
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
        double warps = 0;
        double threads = 0;
        for (std::uint32_t i = function.blocks[block].first; i < function.blocks[block].last; ++i) {
            block_of_[i] = block;
            warps = std::max(warps, static_cast<double>(counts.warps[i]));
            threads = std::max(threads, static_cast<double>(counts.threads[i]));  // guarded instructions count fewer
        }
        block_warps_.push_back(warps);
        block_threads_.push_back(threads);
    }
    for (const ptx::Loop& loop : function.loops) {
        double entries = 0;
        for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
            if (std::find(loop.blocks.begin(), loop.blocks.end(), block) != loop.blocks.end()) continue;
            const auto& successors = function.blocks[block].successors;
            for (std::size_t i = 0; i < successors.size(); ++i) {
                if (successors[i] == loop.header) entries += edge_threads(block, i);
            }
        }
        loop_entries_.push_back(entries);
    }
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) by_line_.emplace_back(function.instructions[i].ptx_line, i);
    std::sort(by_line_.begin(), by_line_.end());
}

double PtxFlow::edge_threads(std::uint32_t block, std::size_t successor) const {
    const ptx::BasicBlock& from = counts_.function->blocks[block];
    const std::uint32_t last = from.last - 1;
    const ptx::Instruction& instruction = counts_.function->instructions[last];
    const bool conditional = instruction.opcode == ptx::Opcode::bra && instruction.guard != ptx::none && from.successors.size() == 2;
    if (!conditional) return block_threads_[block] / static_cast<double>(std::max<std::size_t>(1, from.successors.size()));
    const auto taken = static_cast<double>(counts_.taken_lanes[last]);
    return successor == 0 ? taken : block_threads_[block] - taken;
}

double PtxFlow::work_threads(std::uint32_t instruction) const {
    return retries(instruction) ? static_cast<double>(counts_.retry_lanes[instruction]) : block_threads_[block_of_[instruction]];
}

double PtxFlow::lanes(std::uint32_t instruction) const {
    if (retries(instruction)) return static_cast<double>(counts_.retry_lanes[instruction]) / static_cast<double>(counts_.retry_rounds[instruction]);
    const std::uint32_t block = block_of_[instruction];
    return std::max(1.0, block_threads_[block] / std::max(1.0, block_warps_[block]));
}

double PtxFlow::trip_count(std::uint32_t loop) const {
    return loop_entries_[loop] > 0 ? block_threads_[counts_.function->loops[loop].header] / loop_entries_[loop] : 0;
}

std::uint32_t PtxFlow::instruction_at(std::uint32_t ptx_line) const {
    const auto found = std::lower_bound(by_line_.begin(), by_line_.end(), std::pair{ptx_line, 0u});
    return found != by_line_.end() && found->first == ptx_line ? found->second : ptx::none;
}

}  // namespace optiml::emulator
