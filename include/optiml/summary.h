#pragma once
// Everything that is told about a finished run; kept as JSON in the run store, so that it can be told again at any time.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optiml/diagnosis.h"
#include "optiml/result.h"

namespace optiml::report {

struct CounterChange {
    std::string counter;  // Nsight Compute name
    double before = 0;
    double after = 0;
    bool operator==(const CounterChange&) const = default;
};

// One edit of the winning path.
struct Step {
    std::string transformation;
    std::map<std::string, std::int64_t> parameters;
    std::string site;        // where, in words
    std::string summary;     // what the transformation does, one sentence
    std::string hypothesis;  // the bottleneck it was meant for, by name
    std::string statement;   // what the diagnosis said about that bottleneck before this step
    double before_ms = 0;
    double after_ms = 0;
    double reward = 0;       // after the step, against the original
    std::vector<CounterChange> moved;

    double speedup() const { return after_ms > 0 ? before_ms / after_ms : 0; }
};

// All that was tried of one transformation.
struct Tried {
    std::string transformation;
    std::uint64_t candidates = 0;         // those that came to code seen before among them
    std::uint64_t rejected = 0;
    std::uint64_t faster = 0;             // than what it was applied to
    double best_step = 0;                 // the largest speed-up over what it was applied to; 0: all were rejected
    double best_speedup = 0;              // the largest over the original, of what it ended
    std::vector<CounterChange> moved;     // by the best step
};

using NamedNumbers = std::vector<std::pair<std::string, double>>;

struct Summary {
    std::string run;
    std::string task;
    std::string kernel;
    std::string device;
    std::string source = "modelled";           // or "measured": where times and counters come from
    std::string collector;                     // of measured counters: "CUPTI", "ncu", "sudo ncu", or "driver" where none may be read
    std::map<std::string, std::int64_t> sizes; // at which the times were taken
    std::map<std::string, std::string> values; // of the inputs at which they were taken, by argument, as a task file's `fill` says it
    double original_ms = 0;
    double best_ms = 0;
    double best_warm_ms = 0;                   // the winner run again at once, L2 as the run before left it; 0: not known
    std::array<double, 2> interval{};          // of the speed-up
    std::vector<Step> path;
    std::vector<Tried> tried;                  // on all branches, the best first
    std::vector<diagnosis::Hypothesis> original_hypotheses;
    std::vector<diagnosis::Hypothesis> best_hypotheses;
    std::string search;
    std::uint64_t seed = 0;
    std::uint64_t evaluations = 0;
    std::uint64_t rejected = 0;
    std::uint64_t transpositions = 0;
    double seconds = 0;
    std::string stopped_by;
    std::map<std::string, std::uint64_t> rejections;  // by kind of the first finding
    NamedNumbers weights;                      // of the reward
    NamedNumbers reward_parts;                 // of the winner
    std::string verification;                  // how the winner was verified, sentences
    std::string original_source;
    std::string best_source;
    std::string original_file;                 // for the diff's head
    std::string kernel_file;                   // where the winner was written

    double speedup() const { return best_ms > 0 ? original_ms / best_ms : 0; }
};

std::string to_json(const Summary& summary);
Result<Summary> summary_from_json(std::string_view json);

}  // namespace optiml::report
