#pragma once
// Emulated device memory laid out for a plan: its buffers with their initial values.

#include <cstdint>
#include <vector>

#include "base/disk.h"
#include "emulator/memory.h"
#include "task/resolved.h"

namespace optiml::evaluation {

// Which values a run starts from.
struct InputChoice {
    task::Sizes sizes;
    task::ValuePattern pattern = task::ValuePattern::declared;
    std::uint64_t seed = 0;
    // Every finite float of the inputs moved to one of its neighbours, up or down at random: what an error in the last place of the
    // inputs does to the outputs is what no algorithm can be blamed for.
    bool perturbed = false;

    auto operator<=>(const InputChoice&) const = default;
};

struct Workspace {
    emulator::Memory memory;
    std::vector<emulator::BufferId> buffers;  // by index in the plan
    std::vector<std::uint64_t> textures;      // by index in the plan: the handle of a buffer that kernels get as a texture or surface object; else 0
};

// plan: resolved at choice.sizes. Outputs and scratch are uninitialised. Errors: as task::generator_of.
Result<Workspace> make_workspace(const task::Task& task, const task::ResolvedPlan& plan, const InputChoice& choice, const Disk& disk);

// The initial bytes of one of the plan's inputs.
Result<task::ElementGenerator> input_generator(const task::Task& task, const std::string& argument, const InputChoice& choice,
                                               const Disk& disk);

}  // namespace optiml::evaluation
