#include "diagnosis/bottleneck.h"

#include <algorithm>

#include "diagnosis/rules.h"

namespace optiml::diagnosis {
namespace {

constexpr Rule kRules[] = {
    memory_bandwidth, uncoalesced_access, memory_latency, compute, instruction_issue, occupancy,
    registers,        shared_memory,      divergence,     atomics, launch,
};
constexpr double kLeastWeight = 0.05;

}  // namespace

std::string_view name_of(Bottleneck bottleneck) {
    switch (bottleneck) {
        case Bottleneck::memory_bandwidth: return "memory_bandwidth";
        case Bottleneck::uncoalesced_access: return "uncoalesced_access";
        case Bottleneck::memory_latency: return "memory_latency";
        case Bottleneck::compute: return "compute";
        case Bottleneck::instruction_issue: return "instruction_issue";
        case Bottleneck::occupancy: return "occupancy";
        case Bottleneck::registers: return "registers";
        case Bottleneck::shared_memory: return "shared_memory";
        case Bottleneck::divergence: return "divergence";
        case Bottleneck::atomics: return "atomics";
        case Bottleneck::launch: return "launch";
    }
    return "unknown";
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
