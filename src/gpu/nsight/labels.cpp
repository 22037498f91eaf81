#include "gpu/nsight/labels.h"

namespace optiml::gpu::nsight {
namespace {

struct Label {
    std::string_view label;
    bool is_percentage;
    std::string_view metric;
};

constexpr Label kLabels[] = {
    // GPU Speed Of Light Throughput
    {"DRAM Frequency", false, "dram__cycles_elapsed.avg.per_second"},
    {"SM Frequency", false, "smsp__cycles_elapsed.avg.per_second"},
    {"Elapsed Cycles", false, "sm__cycles_elapsed.max"},
    {"Duration", false, "gpu__time_duration.sum"},
    {"SM Active Cycles", false, "sm__cycles_active.avg"},
    {"Memory Throughput", true, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"DRAM Throughput", true, "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Cache Throughput", true, "l1tex__throughput.avg.pct_of_peak_sustained_active"},
    {"L2 Cache Throughput", true, "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Compute (SM) Throughput", true, "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"SM [%]", true, "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Memory [%]", true, "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    // Compute Workload Analysis
    {"Executed Ipc Active", false, "sm__inst_executed.avg.per_cycle_active"},
    {"Executed Ipc Elapsed", false, "sm__inst_executed.avg.per_cycle_elapsed"},
    {"Issued Ipc Active", false, "sm__inst_issued.avg.per_cycle_active"},
    {"Issue Slots Busy", true, "sm__inst_issued.avg.pct_of_peak_sustained_active"},
    {"SM Busy", true, "sm__instruction_throughput.avg.pct_of_peak_sustained_active"},
    // Memory Workload Analysis
    {"Memory Throughput", false, "dram__bytes.sum.per_second"},
    {"Mem Busy", true, "gpu__compute_memory_access_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"Max Bandwidth", true, "gpu__compute_memory_request_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"L1/TEX Hit Rate", true, "l1tex__t_sector_hit_rate.pct"},
    {"L2 Hit Rate", true, "lts__t_sector_hit_rate.pct"},
    {"Mem Pipes Busy", true, "sm__memory_throughput.avg.pct_of_peak_sustained_elapsed"},
    // Scheduler and Warp State Statistics
    {"One or More Eligible", true, "smsp__issue_active.avg.pct_of_peak_sustained_active"},
    {"No Eligible", true, "smsp__issue_inst0.avg.pct_of_peak_sustained_active"},
    {"Issued Warp Per Scheduler", false, "smsp__issue_active.avg.per_cycle_active"},
    {"Active Warps Per Scheduler", false, "smsp__warps_active.avg.per_cycle_active"},
    {"Eligible Warps Per Scheduler", false, "smsp__warps_eligible.avg.per_cycle_active"},
    {"Warp Cycles Per Issued Instruction", false, "smsp__average_warp_latency_per_inst_issued.ratio"},
    {"Warp Cycles Per Executed Instruction", false, "smsp__average_warps_active_per_inst_executed.ratio"},
    {"Avg. Active Threads Per Warp", false, "smsp__thread_inst_executed_per_inst_executed.ratio"},
    {"Avg. Not Predicated Off Threads Per Warp", false, "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio"},
    // Instruction Statistics
    {"Executed Instructions", false, "smsp__inst_executed.sum"},
    {"Issued Instructions", false, "smsp__inst_issued.sum"},
    {"Avg. Executed Instructions Per Scheduler", false, "smsp__inst_executed.avg"},
    {"Avg. Issued Instructions Per Scheduler", false, "smsp__inst_issued.avg"},
    // Launch Statistics
    {"Block Size", false, "launch__block_size"},
    {"Grid Size", false, "launch__grid_size"},
    {"Registers Per Thread", false, "launch__registers_per_thread"},
    {"Static Shared Memory Per Block", false, "launch__shared_mem_per_block_static"},
    {"Dynamic Shared Memory Per Block", false, "launch__shared_mem_per_block_dynamic"},
    {"Driver Shared Memory Per Block", false, "launch__shared_mem_per_block_driver"},
    {"Shared Memory Configuration Size", false, "launch__shared_mem_config_size"},
    {"Threads", false, "launch__thread_count"},
    {"Waves Per SM", false, "launch__waves_per_multiprocessor"},
    {"# SMs", false, "launch__sm_count"},
    // Occupancy
    {"Block Limit SM", false, "launch__occupancy_limit_blocks"},
    {"Block Limit Registers", false, "launch__occupancy_limit_registers"},
    {"Block Limit Shared Mem", false, "launch__occupancy_limit_shared_mem"},
    {"Block Limit Warps", false, "launch__occupancy_limit_warps"},
    {"Theoretical Active Warps per SM", false, "sm__maximum_warps_per_active_cycle"},
    {"Theoretical Occupancy", true, "sm__maximum_warps_per_active_cycle_pct"},
    {"Achieved Occupancy", true, "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"Achieved Active Warps Per SM", false, "sm__warps_active.avg.per_cycle_active"},
};

}  // namespace

std::string metric_of_label(std::string_view label, std::string_view unit) {
    for (const Label& known : kLabels) {
        if (known.label == label && known.is_percentage == (unit == "%")) return std::string(known.metric);
    }
    return std::string(label);
}

}  // namespace optiml::gpu::nsight
