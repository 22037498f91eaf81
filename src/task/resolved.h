#pragma once
// A plan with numbers: what an evaluator executes for one choice of sizes.

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "task/candidate.h"
#include "task/task.h"

namespace optiml::task {

struct ResolvedBuffer {
    std::string name;
    ScalarType type = ScalarType::f32;
    Role role = Role::input;          // scratch buffers: output with is_scratch
    bool is_scratch = false;
    std::uint64_t elements = 0;
    std::uint32_t misalignment = 0;   // bytes after a 256-byte boundary
};

struct ResolvedArgument {
    bool is_buffer = false;
    std::uint32_t buffer = 0;               // index into ResolvedPlan::buffers
    std::int64_t byte_offset = 0;
    std::vector<std::uint8_t> bytes;        // scalars, little-endian, of the declared type
};

struct ResolvedStep {
    bool is_clear = false;
    std::uint32_t buffer = 0;               // clear
    std::uint8_t clear_value = 0;
    std::string kernel;                     // launch
    std::array<std::uint64_t, 3> grid{};    // may exceed what a device launches: the evaluator reports that
    std::array<std::uint64_t, 3> block{};
    std::uint64_t dynamic_shared = 0;
    std::vector<ResolvedArgument> arguments;
};

struct ResolvedPlan {
    std::vector<ResolvedBuffer> buffers;    // the task's buffers in order, then scratch
    std::vector<ResolvedStep> steps;
};

// Errors (user): names, expressions, negative extents, overflow of byte counts, a loop that runs over 1,000,000 steps.
Result<ResolvedPlan> resolve(const Task& task, const LaunchPlan& plan, const Sizes& sizes);

// How the values of inputs are made, beyond the task's own fills (evaluation tries several).
enum class ValuePattern : std::uint8_t {
    declared,        // the task's fill
    negative, large, tiny, all_equal, alternating_sign, nan_and_infinity, zeros, sorted_descending, same_sign
};

// Elements [first, first+count) of an input as bytes; pure and seekable, from (task seed, argument, element index) alone.
// Integer inputs stay inside their fill's bounds whatever the pattern.
using ElementGenerator = std::function<void(std::uint64_t first, std::uint64_t count, std::uint8_t* bytes)>;
Result<ElementGenerator> generator_of(const Task& task, const Argument& argument, const Sizes& sizes, ValuePattern pattern,
                                      std::uint64_t seed, const Disk& disk);

// Sizes worth testing, derived from the task: each named size at its minimum, 0, 1, odd, prime, one below, at and above multiples of
// the plan's block extents and of 4, combined so that the total work stays small. First entry: the small sizes. At most `most`.
std::vector<Sizes> edge_sizes(const Task& task, const LaunchPlan& plan, std::size_t most);

}  // namespace optiml::task
