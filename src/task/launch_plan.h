#pragma once
// What a candidate does on the device, declaratively: launches, clears and loops over them, every number an expression over sizes.

#include <string>
#include <vector>

#include "task/expression.h"
#include "task/scalar_type.h"

namespace optiml::task {

// An argument of a launch: a buffer (task argument or scratch) by name, or a scalar expression converted to the parameter's type.
struct LaunchArgument {
    // One name: that buffer. Several: the one at `selector` (ping-pong between launches of a loop).
    std::vector<std::string> buffers;
    Expression selector;
    Expression offset;          // elements added to the buffer's address
    // buffers empty: a scalar. A name of a scalar argument of the task stands for its value (floats too).
    Expression value;
    std::string scalar_argument;  // non-empty: that task argument's value
    ScalarType type = ScalarType::i32;
    bool operator==(const LaunchArgument&) const = default;
};

struct Launch {
    std::string kernel;              // as in the source; templates with their arguments: "scale<float, 4>"
    Expression grid[3] = {Expression(1), Expression(1), Expression(1)};
    Expression block[3] = {Expression(1), Expression(1), Expression(1)};
    Expression dynamic_shared;       // bytes
    std::vector<LaunchArgument> arguments;
    bool operator==(const Launch&) const = default;
};

// Sets every byte of a buffer, as cudaMemset does.
struct Clear {
    std::string buffer;
    std::uint8_t value = 0;
    bool operator==(const Clear&) const = default;
};

// One loop around a step: variable = from; while (condition) { step; variable = next; }. `counter` (optional) counts from 0.
// Both are names that the step's expressions may use beside the sizes.
struct Repeat {
    std::string variable;
    Expression from;
    Expression condition;
    Expression next;
    std::string counter;
    // Neighbouring steps whose loops are equal up to a depth, groups included and not empty, run inside the same loops up to it:
    // repeat { a; b; } is a and b with equal repeats. An empty group: the loop is this step's alone.
    std::string group;
    bool operator==(const Repeat&) const = default;
};

// A clear or a launch, inside its loops (outermost first).
struct Step {
    enum class Kind : std::uint8_t { launch, clear } kind = Kind::launch;
    Launch launch;
    Clear clear;
    std::vector<Repeat> repeats;
    bool operator==(const Step&) const = default;
};

struct Scratch {
    std::string name;
    ScalarType type = ScalarType::f32;
    Expression extent;  // elements
    bool operator==(const Scratch&) const = default;
};

struct LaunchPlan {
    std::vector<Scratch> scratch;
    std::vector<Step> steps;
    bool operator==(const LaunchPlan&) const = default;
    std::string canonical_text() const;  // for digests: equal plans, equal texts
};

}  // namespace optiml::task
