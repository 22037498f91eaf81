#pragma once
// Limits of runs in warp instructions, from thread instructions that another run took: unlike seconds they say the same on every machine.

#include <cstdint>

namespace optiml::evaluation {

constexpr std::uint64_t kMeanActiveLanes = 16;               // of a warp
constexpr std::uint64_t kLeastInstructionLimit = 4'000'000;  // warp instructions a launch

// Every warp that is launched may take so many, whatever the original takes: with a block for each row of a few elements most warps find
// nothing to do, and still go through all steps of a reduction.
constexpr std::uint64_t kInstructionsAWarp = 256;

// For a run that may take `factor` times as long as one of so many thread instructions.
constexpr std::uint64_t instruction_limit(std::uint64_t thread_instructions, std::uint64_t factor) {
    return kLeastInstructionLimit + factor * thread_instructions / kMeanActiveLanes;
}

}  // namespace optiml::evaluation
