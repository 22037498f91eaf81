#include "emulator/time_model.h"

#include <algorithm>
#include <cmath>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

constexpr double kThreadsPerWarp = 32;

// What each resource alone would take, in microseconds. Rates and scales are the device's parameters (devices/*.toml).
class Terms {
public:
    Terms(const Counters& counters, const DeviceModel& device) : counters_(counters), device_(device) {
        blocks_ = std::max(1.0, counter("launch__grid_size"));
        warps_per_block_ = std::max(1.0, std::ceil(counter("launch__block_size") / kThreadsPerWarp));
        const double warps_per_sm = counter("sm__maximum_warps_per_active_cycle_pct") / 100 * device.max_threads_per_sm / kThreadsPerWarp;
        resident_ = std::max(1.0, std::round(warps_per_sm / warps_per_block_));
        blocks_of_busiest_sm_ = std::ceil(blocks_ / device.sm_count);
    }

    std::map<std::string, double> compute() const {
        return {
            {"issue", on_busiest_sm(counter("smsp__inst_executed.sum") * parameter("issue_cycles"))},
            {"alu", on_busiest_sm(counter("sm__inst_executed_pipe_alu.sum") * parameter("alu_cycles"))},
            {"fma", on_busiest_sm(counter("sm__inst_executed_pipe_fma.sum") * parameter("fma_cycles"))},
            {"xu", on_busiest_sm(counter("sm__inst_executed_pipe_xu.sum") * parameter("xu_cycles"))},
            {"fp64", on_busiest_sm(counter("sm__inst_executed_pipe_fp64.sum") * parameter("fp64_cycles"))},
            {"lsu", on_busiest_sm(counter("sm__inst_executed_pipe_lsu.sum") * parameter("lsu_cycles"))},
            {"tex", on_busiest_sm(counter("model__texture_quads") * parameter("texture_quad_cycles"))},
            {"tensor", on_busiest_sm(counter("sm__inst_executed_pipe_tensor.sum") * parameter("tensor_cycles"))},
            {"l1", on_busiest_sm(l1_cycles())},
            {"l2", l2()},
            {"dram", dram()},
            {"atomic", atomic_sectors() * parameter("atomic_sector_ns") * 1e-3},
            {"contention", contention()},
            {"blocks", blocks_ / parameter("blocks_per_cycle") / cycles_per_us()},
            {"latency", latency()},
        };
    }

private:
    double counter(const std::string& name) const {
        const auto found = counters_.find(name);
        return found == counters_.end() ? 0 : found->second;
    }
    double parameter(std::string_view name) const { return device_.parameter(name); }
    double cycles_per_us() const { return parameter("sustained_clock_ghz") * 1e3; }

    // Cycles of all SMs together, on the SM that has most blocks.
    double on_busiest_sm(double cycles) const { return cycles / blocks_ * blocks_of_busiest_sm_ / cycles_per_us(); }

    // A tag is looked up, or a wavefront of shared memory moved, at a time.
    double l1_cycles() const {
        double lines = (counter("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") + counter("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum")) / kSectorsPerLine;
        for (const char* op : {"ld", "st", "atom", "red"}) lines += counter(std::string("model__global_lines_") + op) * parameter("tag_cycles");
        return lines + counter("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum") * parameter("shared_wavefront_cycles");
    }

    double l2() const {
        const double partial = counter("model__partial_store_sectors");
        const double whole = std::max(0.0, counter("lts__t_sectors_srcunit_tex_op_write.sum") - partial);
        const double per_sector = kSectorBytes * 1e-3;  // GB/s to us
        return per_sector * (counter("lts__t_sectors_srcunit_tex_op_read.sum") / parameter("l2_read_gb_per_s") +
                             whole / parameter("l2_write_gb_per_s") + partial / parameter("l2_partial_write_gb_per_s"));
    }

    double dram() const {
        const double bytes = counter("model__dram_moved_bytes") + counter("model__dram_scattered_bytes") * parameter("dram_scatter_factor");
        return bytes * 1e-3 / parameter("dram_gb_per_s");
    }

    double atomic_sectors() const {
        return counter("lts__t_sectors_srcunit_tex_op_atom.sum") + counter("lts__t_sectors_srcunit_tex_op_red.sum");
    }

    double contention() const {
        return 1e-3 * (counter("model__atomic_rounds_integer") * parameter("atomic_integer_ns") +
                       counter("model__atomic_rounds_float") * parameter("atomic_float_ns") +
                       counter("model__atomic_rounds_compare_and_swap") * parameter("atomic_compare_and_swap_ns"));
    }

    // The longest warp of a block alone, for as many rounds of resident blocks as the busiest SM runs.
    double latency() const {
        double cycles = 0;
        for (const char* wait : {"issue", "global", "shared", "constant", "special", "exchange", "barrier"}) {
            cycles += counter(std::string("model__warp_cycles_") + wait) * parameter(std::string("latency_scale_") + wait);
        }
        const double imbalance = std::max(1.0, counter("model__block_imbalance"));
        const double rounds = blocks_of_busiest_sm_ > resident_ ? blocks_of_busiest_sm_ / resident_ + 0.5 : 1;
        return rounds * (cycles * imbalance + parameter("block_cycles")) / cycles_per_us();
    }

    const Counters& counters_;
    const DeviceModel& device_;
    double blocks_ = 1;
    double warps_per_block_ = 1;
    double resident_ = 1;
    double blocks_of_busiest_sm_ = 1;
};

// Resources work side by side, but not perfectly: more than the longest, less than the sum.
double combined(const std::map<std::string, double>& terms, double norm, const std::string& without) {
    double longest = 0;
    for (const auto& [name, us] : terms) longest = std::max(longest, name == without ? 0 : us);
    if (longest == 0) return 0;
    double sum = 0;
    for (const auto& [name, us] : terms) sum += name == without ? 0 : std::pow(us / longest, norm);
    return longest * std::pow(sum, 1 / norm);
}

}  // namespace

ModelledTime model_time(const Counters& counters, const DeviceModel& device) {
    const std::map<std::string, double> terms = Terms(counters, device).compute();
    const double norm = std::max(1.0, device.parameter("term_norm"));
    const double launch_us = device.parameter("launch_us");
    const auto footprint = counters.find("model__footprint_bytes");
    const bool stays_in_l2 = footprint != counters.end() && footprint->second <= device.parameter("l2_retained_share") * static_cast<double>(device.l2_bytes);
    ModelledTime time;
    time.cold_ms = (launch_us + combined(terms, norm, "")) * 1e-3;
    time.warm_ms = (launch_us + combined(terms, norm, stays_in_l2 ? "dram" : "")) * 1e-3;
    for (const auto& [name, us] : terms) time.terms["model_term__" + name + "_ms"] = us * 1e-3;
    time.terms["model_term__launch_ms"] = launch_us * 1e-3;
    return time;
}

double first_launch_ms(const DeviceModel& device) { return device.parameter("first_launch_us") * 1e-3; }

}  // namespace optiml::emulator
