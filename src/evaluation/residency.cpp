#include "evaluation/residency.h"

#include "emulator/occupancy.h"
#include "evaluation/plan_run.h"

namespace optiml::evaluation {
namespace {

double capacity_of(const VerificationContext& context, const Build& build, const task::ResolvedStep& step) {
    const emulator::KernelResources resources = build.resources(step.kernel);
    const std::uint64_t threads = step.block[0] * step.block[1] * step.block[2];
    const auto occupancy = emulator::occupancy_of(*context.device, static_cast<std::uint32_t>(threads), resources.registers,
                                                  static_cast<std::uint32_t>(resources.static_shared + step.dynamic_shared));
    return static_cast<double>(occupancy.blocks_per_sm) * context.device->sm_count;
}

}  // namespace

std::map<std::string, double> resident_shares(const VerificationContext& context, const Build& build, const task::LaunchPlan& plan,
                                              const std::set<std::string>& kernels) {
    std::map<std::string, double> shares;
    const auto resolved = task::resolve(*context.task, plan, context.task->large_sizes());
    if (!resolved) return shares;
    for (const task::ResolvedStep& step : resolved->steps) {
        if (step.is_clear || is_empty(step) || !kernels.contains(step.kernel) || launch_problem(build, step)) continue;
        const double share = capacity_of(context, build, step) / (static_cast<double>(step.grid[0]) * static_cast<double>(step.grid[1] * step.grid[2]));
        if (share >= 1) continue;
        const auto [known, is_new] = shares.try_emplace(step.kernel, share);
        known->second = std::min(known->second, share);
    }
    return shares;
}

}  // namespace optiml::evaluation
