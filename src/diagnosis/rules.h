#pragma once

#include <optional>

#include "diagnosis/bottleneck.h"
#include "diagnosis/figures.h"

namespace optiml::diagnosis {

// What a rule says about a kernel; nullopt: nothing.
using Rule = std::optional<Hypothesis> (*)(const Figures&);

std::optional<Hypothesis> memory_bandwidth(const Figures& figures);
std::optional<Hypothesis> l1_throughput(const Figures& figures);
std::optional<Hypothesis> uncoalesced_access(const Figures& figures);
std::optional<Hypothesis> memory_latency(const Figures& figures);
std::optional<Hypothesis> compute(const Figures& figures);
std::optional<Hypothesis> instruction_issue(const Figures& figures);
std::optional<Hypothesis> occupancy(const Figures& figures);
std::optional<Hypothesis> registers(const Figures& figures);
std::optional<Hypothesis> shared_memory(const Figures& figures);
std::optional<Hypothesis> divergence(const Figures& figures);
std::optional<Hypothesis> atomics(const Figures& figures);
std::optional<Hypothesis> launch(const Figures& figures);
std::optional<Hypothesis> local_memory(const Figures& figures);
std::optional<Hypothesis> implicit_double(const Figures& figures);

}  // namespace optiml::diagnosis
