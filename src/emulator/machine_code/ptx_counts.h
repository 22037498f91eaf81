#pragma once
// How often the blocks, edges and loops of a PTX function ran, from the counts of its instructions.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace optiml::emulator {

struct PtxCounts {
    const ptx::Function* function = nullptr;
    std::vector<std::uint64_t> warps;        // by instruction
    std::vector<std::uint64_t> threads;      // by instruction; guards applied
    std::vector<std::uint64_t> taken_lanes;  // by instruction: of conditional branches
    // By instruction, where the machine code makes a loop of an atomic (else 0): warp rounds, and lanes in all rounds.
    std::vector<std::uint64_t> retry_rounds;
    std::vector<std::uint64_t> retry_lanes;
};

class PtxFlow {
public:
    explicit PtxFlow(const PtxCounts& counts);

    double block_threads(std::uint32_t block) const { return block_threads_[block]; }
    double block_warps(std::uint32_t block) const { return block_warps_[block]; }
    std::uint32_t block_of(std::uint32_t instruction) const { return block_of_[instruction]; }
    bool retries(std::uint32_t instruction) const { return counts_.retry_rounds[instruction] > 0; }
    // Thread executions of the machine instruction that does an instruction's work, over all its copies.
    double work_threads(std::uint32_t instruction) const;
    // Lanes active when it does.
    double lanes(std::uint32_t instruction) const;
    // Threads that come to a loop's header from outside.
    double loop_entries(std::uint32_t loop) const { return loop_entries_[loop]; }
    // Iterations of a thread that enters, on average; 0: never entered.
    double trip_count(std::uint32_t loop) const;
    // Index of the instruction that stands on a line of the PTX text; ptx::none if there is none.
    std::uint32_t instruction_at(std::uint32_t ptx_line) const;
    const ptx::Function& function() const { return *counts_.function; }

private:
    double edge_threads(std::uint32_t block, std::size_t successor) const;

    const PtxCounts& counts_;
    std::vector<double> block_threads_;
    std::vector<double> block_warps_;
    std::vector<std::uint32_t> block_of_;
    std::vector<double> loop_entries_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> by_line_;  // (line, instruction), sorted
};

}  // namespace optiml::emulator
