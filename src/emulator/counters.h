#pragma once
// Counters under Nsight Compute names.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace optiml::emulator {

// Name -> value, e.g. "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum". All are modelled; names are those of FACTS in docs/counters.md.
using Counters = std::map<std::string, double>;

struct LineCounters {
    std::string file;
    std::uint32_t line = 0;
    Counters counters;  // additive ones only (sums)
};

}  // namespace optiml::emulator
