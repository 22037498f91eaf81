#include "emulator/time_model.h"

#include <algorithm>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

constexpr double kMillisecondsPerNanosecond = 1e-6;

class Terms {
public:
    Terms(const Counters& counters, const DeviceModel& device) : counters_(counters), device_(device) {}

    std::map<std::string, double> compute() const {
        const double dram_bytes = counter("dram__bytes_read.sum") + counter("dram__bytes_write.sum");
        return {
            {"model_term__dram_ms", dram_bytes / parameter("dram_gb_per_s") * kMillisecondsPerNanosecond},
            {"model_term__l2_ms", l2_sectors() * kSectorBytes / parameter("l2_gb_per_s") * kMillisecondsPerNanosecond},
            {"model_term__issue_ms", sm_cycles(counter("smsp__inst_executed.sum") / 4)},
            {"model_term__shared_ms", sm_cycles(counter("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"))},
            {"model_term__l1_ms", sm_cycles(l1_sectors() / kSectorsPerLine)},
            {"model_term__launch_ms", parameter("launch_us") * 1e-3},
        };
    }

private:
    double counter(const std::string& name) const {
        const auto found = counters_.find(name);
        return found == counters_.end() ? 0 : found->second;
    }
    double parameter(std::string_view name) const { return device_.parameter(name); }

    // Cycles of work, spread over the SMs, in ms.
    double sm_cycles(double cycles) const {
        return cycles / device_.sm_count / parameter("clock_ghz") * kMillisecondsPerNanosecond;
    }

    double l2_sectors() const {
        return counter("lts__t_sectors_op_read.sum") + counter("lts__t_sectors_op_write.sum") + counter("lts__t_sectors_op_atom.sum") +
               counter("lts__t_sectors_op_red.sum");
    }

    double l1_sectors() const {
        return counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") + counter("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") +
               counter("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") + counter("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum");
    }

    const Counters& counters_;
    const DeviceModel& device_;
};

}  // namespace

ModelledTime model_time(const Counters& counters, const DeviceModel& device) {
    ModelledTime time;
    time.terms = Terms(counters, device).compute();
    double longest = 0;
    double longest_warm = 0;
    for (const auto& [name, ms] : time.terms) {
        if (name == "model_term__launch_ms") continue;
        longest = std::max(longest, ms);
        if (name != "model_term__dram_ms") longest_warm = std::max(longest_warm, ms);
    }
    time.cold_ms = time.terms["model_term__launch_ms"] + longest;
    time.warm_ms = time.terms["model_term__launch_ms"] + longest_warm;
    return time;
}

}  // namespace optiml::emulator
