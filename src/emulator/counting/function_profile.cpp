#include "emulator/counting/function_profile.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "emulator/counting/latencies.h"

namespace optiml::emulator {
namespace {

constexpr double kNearlyAll = 0.999;

// Loads that do not depend on a loop are made before it by the back end: then its machine code loads less often than PTX. The loads
// that fall away would have found their sectors in L1.
void remove_hoisted_loads(const std::vector<std::uint64_t>& ptx_warps, FunctionProfile& profile) {
    std::map<std::uint32_t, double> machine_warps;
    for (const ExecutedInstruction& executed : profile.executed) {
        if (executed.kind == MachineKind::global_load) machine_warps[executed.ptx_instruction] += executed.warps;
    }
    for (const auto& [index, warps] : machine_warps) {
        if (index == ptx::none || warps >= kNearlyAll * static_cast<double>(ptx_warps[index])) continue;
        const double share = warps / static_cast<double>(ptx_warps[index]);
        AccessTotals& totals = profile.accesses[index];
        const std::uint64_t misses = totals.global_sectors - totals.global_hits;
        totals.global_requests = static_cast<std::uint64_t>(std::llround(static_cast<double>(totals.global_requests) * share));
        totals.global_sectors = std::max(misses, static_cast<std::uint64_t>(std::llround(static_cast<double>(totals.global_sectors) * share)));
        totals.global_hits = totals.global_sectors - misses;
    }
}

PtxCounts ptx_counts(const ptx::Function& function, const FunctionTotals& sums) {
    PtxCounts counts;
    counts.function = &function;
    counts.warps = sums.warps;
    counts.threads = sums.threads;
    for (const AccessTotals& access : sums.accesses) {
        counts.taken_lanes.push_back(access.taken_lanes);
        counts.retry_rounds.push_back(access.retry_rounds);
        counts.retry_lanes.push_back(access.retry_lanes);
    }
    return counts;
}

double dram_share(const SmTotals& totals, const MemoryTraffic& traffic, double scale) {
    double missed_sectors = 0;
    for (const auto& [function, sums] : totals.functions) {
        for (const AccessTotals& access : sums.accesses) missed_sectors += static_cast<double>(access.missed_sectors);
    }
    return missed_sectors > 0 ? std::min(1.0, traffic.dram_read_bytes / kSectorBytes / (missed_sectors * scale)) : 0;
}

}  // namespace

std::vector<FunctionProfile> function_profiles(const Launch& launch, const DeviceModel& device, const SmTotals& totals,
                                               const MemoryTraffic& traffic, double scale) {
    const double from_dram = dram_share(totals, traffic, scale);
    std::vector<FunctionProfile> profiles;
    for (const ptx::Function& function : launch.module->functions) {
        const auto found = totals.functions.find(&function);
        if (found == totals.functions.end() || found->second.warps.empty()) continue;
        const FunctionTotals& sums = found->second;
        const PtxCounts counts = ptx_counts(function, sums);
        const PtxFlow flow(counts);
        const MachineFunction* machine = launch.machine_code == nullptr ? nullptr : launch.machine_code->find(function.name);
        FunctionProfile profile{&function, {}, sums.accesses, {}};
        if (machine == nullptr) {
            profile.executed = estimated_instructions(counts);
        } else {
            const MachineProfile machine_profile = infer_profile(*machine, flow);
            profile.executed = executed_instructions(flow, counts, *machine, machine_profile);
            remove_hoisted_loads(sums.warps, profile);
            const Latencies latencies(device, flow, sums.accesses, from_dram);
            profile.cycles = warp_cycles(*machine, machine_profile, static_cast<double>(totals.warps),
                                         [&](const MachineInstruction& instruction) { return latencies.of(instruction); });
        }
        profiles.push_back(std::move(profile));
    }
    return profiles;
}

}  // namespace optiml::emulator
