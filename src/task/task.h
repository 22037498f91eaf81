#pragma once
// A task: what is to be optimised. Read from a TOML file (docs/task_files.md) or built in code.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/disk.h"
#include "base/hash.h"
#include "base/result.h"
#include "task/expression.h"
#include "task/launch_plan.h"
#include "task/scalar_type.h"
#include "task/texture_declaration.h"

namespace optiml::task {

enum class Role : std::uint8_t { input, output, inout, scalar };

enum class FillKind : std::uint8_t { uniform, normal, integers, constant, ramp, permutation, file };

struct Fill {
    FillKind kind = FillKind::uniform;
    double low = -1;          // uniform: [low, high); integers: [low, high] inclusive
    double high = 1;
    double mean = 0;          // normal
    double deviation = 1;
    double value = 0;         // constant; ramp: first value
    double step = 1;          // ramp
    std::optional<Expression> low_expression;   // integers: bounds over sizes ("cols - 1") instead of low/high
    std::optional<Expression> high_expression;
    std::string file;         // file: raw little-endian elements, relative to the task file
    bool is_default = false;  // the task says nothing of its values
};

struct Argument {
    std::string name;
    ScalarType type = ScalarType::f32;
    Role role = Role::input;
    Expression extent;             // buffers: elements
    Expression alignment_offset;   // buffers: elements that the buffer starts after a 256-byte boundary
    Fill fill;                     // input and inout
    // Inputs that are texture objects, and surface objects; `type` is that of a channel, `extent` the channels of all texels.
    std::optional<TextureDeclaration> texture;
    // Scalars: an expression over sizes for integer types, a number for float types.
    Expression value;
    double float_value = 0;
    bool may_contain_special_values = true;  // false: adversarial NaN/infinity are not tried on this input
    SourceLocation where;
};

struct NamedSize {
    std::string name;
    std::int64_t small_value = 0;  // emulator, complete
    std::int64_t large_value = 0;  // GPU, or sampled
    std::int64_t minimum = 0;      // smallest value for which the original is defined
    std::int64_t maximum = INT64_MAX;
    Expression multiple_of{1};     // values must be multiples of this
    bool power_of_two = false;
    SourceLocation where;
};

// What a candidate may do that changes results beyond the evidence-based tolerance. All are the user's to give.
struct Allowances {
    bool fast_math = false;
    bool tf32 = false;
    bool reassociation = false;    // beyond reductions
    bool reduced_precision = false;
};

struct Checks {
    double tolerance_factor = 4;        // candidate's error may be at most this times the original's (evaluation/tolerance.h)
    std::optional<double> absolute;     // user-given bounds instead of evidence
    std::optional<double> relative;
    bool bitwise = false;
    bool compare_nan_exactly = true;
};

struct CompileOptions {
    std::vector<std::string> defines;        // "TILE=16"
    std::vector<std::string> include_paths;
    std::vector<std::string> extra;          // passed to NVRTC as they are, e.g. "--maxrregcount=64"
    std::string standard = "c++17";
    bool operator==(const CompileOptions&) const = default;
};

struct Task {
    std::string name;                    // the file's stem
    std::string source_file;             // the .cu as given
    std::string source;                  // its text
    std::string kernel;                  // the kernel the user names; the plan may launch others
    std::vector<NamedSize> sizes;
    std::vector<Argument> arguments;     // buffers and scalars, in declaration order
    LaunchPlan plan;                     // the original's
    CompileOptions compile;
    Checks checks;
    Allowances allowances;
    std::string file;                    // the task file; empty if built in code
    // A second program for the same arguments that the original is held against before anything is: this task with that program's
    // source, plan and compile options. Null: the original alone is the reference.
    std::shared_ptr<const Task> reference;

    const Argument* find_argument(std::string_view name) const;
    const NamedSize* find_size(std::string_view name) const;
    Sizes small_sizes() const;
    Sizes large_sizes() const;
    Digest digest() const;               // of all that decides an evaluation, not of names of files
};

// Parses a task file's text. source: the kernel's text (the `source` key, default: the stem with .cu beside it, read through disk).
Result<Task> parse_task(std::string_view toml, const std::filesystem::path& file, const Disk& disk);
Result<Task> load_task(const std::filesystem::path& file, const Disk& disk);

// Every size has a value within its bounds. Errors (user) name the size and what the task asks of it.
Status check_sizes(const Task& task, const Sizes& sizes);

// Checks sizes given by the user (--set) against the task and completes them from `base`; errors name the size and its bounds.
Result<Sizes> with_overrides(const Task& task, Sizes base, const Sizes& overrides);

}  // namespace optiml::task
