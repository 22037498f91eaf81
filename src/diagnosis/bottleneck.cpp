#include "diagnosis/bottleneck.h"

#include <algorithm>
#include <iterator>

#include "diagnosis/rules.h"

namespace optiml::diagnosis {
namespace {

// In the order of the enumeration.
constexpr std::string_view kNames[] = {
    "memory_bandwidth", "l1_throughput", "uncoalesced_access", "memory_latency", "compute", "instruction_issue", "occupancy",
    "registers",        "shared_memory", "divergence",         "atomics",        "launch",  "local_memory",
};

constexpr Rule kRules[] = {
    memory_bandwidth, l1_throughput, uncoalesced_access, memory_latency, compute, instruction_issue, occupancy,
    registers,        shared_memory, divergence,         atomics,        launch,  local_memory,      implicit_double,
};
constexpr double kLeastWeight = 0.05;

}  // namespace

std::string_view name_of(Bottleneck bottleneck) { return kNames[static_cast<std::size_t>(bottleneck)]; }

std::optional<Bottleneck> bottleneck_named(std::string_view name) {
    const auto found = std::find(std::begin(kNames), std::end(kNames), name);
    if (found == std::end(kNames)) return std::nullopt;
    return static_cast<Bottleneck>(found - std::begin(kNames));
}

std::vector<Hypothesis> diagnose(const Inputs& inputs) {
    std::vector<Hypothesis> hypotheses;
    if (inputs.counters.empty() || inputs.time_ms <= 0) return hypotheses;
    const Figures figures(inputs);
    for (const Rule rule : kRules) {
        std::optional<Hypothesis> hypothesis = rule(figures);
        if (hypothesis && hypothesis->weight >= kLeastWeight) hypotheses.push_back(std::move(*hypothesis));
    }
    std::stable_sort(hypotheses.begin(), hypotheses.end(),
                     [](const Hypothesis& a, const Hypothesis& b) { return a.weight > b.weight; });
    return hypotheses;
}

}  // namespace optiml::diagnosis
