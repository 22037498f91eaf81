#pragma once
// A plan with numbers: what an evaluator executes for one choice of sizes.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
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
    std::optional<TextureDescription> texture;  // kernels get a texture object over the elements, not their address
    bool is_surface = false;          // with texture: a surface object
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

// More than the memory of any card, and as far as buffers lie apart on the emulator.
constexpr std::uint64_t kMostBufferBytes = std::uint64_t{512} << 30;

// Errors (user): names, expressions, negative extents, buffers beyond kMostBufferBytes, a loop that runs over 1,000,000 steps.
Result<ResolvedPlan> resolve(const Task& task, const LaunchPlan& plan, const Sizes& sizes);

// The small sizes are run whole, with all buffers in the host's memory (larger ones are sampled). Error (user): those of resolve; the
// buffers have more than 1 GiB there.
Status check_small_sizes(const Task& task);

// How the values of inputs are made, beyond the task's own fills (evaluation tries several). Floats of uniform, normal, constant and
// ramp fills change; their signs stay within the declared fill's. Integers, and floats with an integers fill, stay inside the fill's
// bounds, but for `magnitudes` where the task gives none. Permutations, files, and constants and ramps of integers may be structure (indices, offsets) and never change.
enum class ValuePattern : std::uint8_t {
    declared,          // the task's fill
    negative,          // declared magnitudes, all negative
    large,             // magnitudes 1e3 to 1e4 (f16: 100 to 1000); integers: the top hundredth of their range
    tiny,              // magnitudes below 1e-12 (f16: 1e-3); integers: the bottom hundredth
    all_equal,
    alternating_sign,  // declared magnitudes; integers: low, high, low, ...
    nan_and_infinity,  // one element in about 100, and one of first, middle and last
    zeros,             // 0 of either sign, or the value nearest to it in the declared range
    sorted_descending, // evenly from high to low
    same_sign,         // declared magnitudes, all positive
    magnitudes,        // from 1e-6 to 1e6 (f16: 1e-3 to 1e3), evenly in the logarithm; integers without a declared fill: up to 2^20
    huge,              // from 1e6 to 1e30 (f16: 1e3 to 3e4), likewise; integers as declared
    often_special,     // NaN and infinity at every second element or so
    one_nan,           // of one input the first, middle or last element is NaN, all else as declared
    minus_infinity,    // nothing but -infinity where the declared range has negatives, all else as declared
    plus_infinity,     // likewise
};
constexpr int kValuePatterns = 16;
// The seeds, from `seed` on, with which one_nan puts it into each input that may have one: everywhere in turn, or where there are more than
// two such inputs, at one place of each. At most eight.
std::vector<std::uint64_t> seeds_of_one_nan(const Task& task, std::uint64_t seed);
// Those of minus_infinity and plus_infinity that change an input.
std::vector<ValuePattern> patterns_of_infinity(const Task& task);
std::string_view name_of(ValuePattern pattern);  // "declared", ...

// Elements [first, first+count) of an input as bytes; pure and seekable: from seed, argument and element index alone.
using ElementGenerator = std::function<void(std::uint64_t first, std::uint64_t count, std::uint8_t* bytes)>;
// Errors (user): bounds that do not evaluate or are empty; a file that cannot be read or is too short.
Result<ElementGenerator> generator_of(const Task& task, const Argument& argument, const Sizes& sizes, ValuePattern pattern,
                                      std::uint64_t seed, const Disk& disk);

// Sizes worth testing, derived from the task: each named size at its minimum, 0, 1, odd, prime, one below, at and above multiples of
// the plan's block extents and of 4, combined so that the total work stays small. Only sizes that the task allows and for which its
// own plan resolves. First entry: the small sizes. At most `most`.
std::vector<Sizes> edge_sizes(const Task& task, const LaunchPlan& plan, std::size_t most);

}  // namespace optiml::task
