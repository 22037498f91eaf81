#pragma once
// How the memory accesses of a function's instructions differ from what PTX says of their addresses alone.

#include <unordered_map>
#include <vector>

#include "emulator/machine_code/merged_accesses.h"
#include "ptx/module.h"

namespace optiml::emulator {

struct AccessPlan {
    std::vector<MergedAccess> merged;   // by instruction; empty: no machine code is known
    std::vector<bool> bypasses_l1;    // by instruction: loads that ask L2 whatever L1 holds (.cg, .cv, volatile and stronger orders)
    std::vector<bool> aggregated;     // by instruction: atomics for which the machine code lets one lane of a warp act for all
    std::vector<bool> retries;        // by instruction: shared atomics that the machine code makes a loop of compare-and-swap
};

AccessPlan make_access_plan(const ptx::Function& function, const MachineFunction* machine);

using AccessPlans = std::unordered_map<const ptx::Function*, AccessPlan>;

}  // namespace optiml::emulator
