#pragma once
// What binds a kernel, as hypotheses with their evidence.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace optiml::diagnosis {

enum class Bottleneck : std::uint8_t {
    memory_bandwidth,     // DRAM or L2 throughput
    l1_throughput,        // load-store units or lookups in L1
    uncoalesced_access,   // sectors moved that no lane asked for
    memory_latency,       // too few bytes in flight
    compute,              // a pipe (FMA, XU, FP64) is full
    instruction_issue,    // issue slots are full
    occupancy,            // too few resident warps
    registers,            // registers or spills limit
    shared_memory,        // bank conflicts or capacity
    divergence,           // threads per instruction
    atomics,              // contended atomics
    launch,               // launch overhead, too few or too small blocks
    local_memory,         // arrays of a thread that are indexed at run time
};

std::string_view name_of(Bottleneck bottleneck);
std::optional<Bottleneck> bottleneck_named(std::string_view name);

struct Evidence {
    std::string counter;   // Nsight Compute name, or a derived figure's name
    double value = 0;
    std::string meaning;   // "8 sectors a request where 4 would do"
    // The source line that counts most towards it; line 0: not known.
    std::string file;
    std::uint32_t line = 0;
};

struct Hypothesis {
    Bottleneck bottleneck = Bottleneck::memory_bandwidth;
    double weight = 0;     // 0..1: share of the time it explains; sorted descending
    std::string statement; // one sentence
    std::vector<Evidence> evidence;
};

}  // namespace optiml::diagnosis
