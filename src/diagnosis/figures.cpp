#include "diagnosis/figures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace optiml::diagnosis {
namespace {

constexpr double kSectorBytes = 32;
constexpr double kWarpLanes = 32;
// Sectors of a full warp that reads 16 bytes a lane: more can never be coalesced.
constexpr double kWidestRequestSectors = 16;
constexpr double kWordRequestSectors = 4;     // of a full warp that reads 4 bytes a lane
constexpr double kLaunchMs = 0.0025;          // an empty kernel, on the device
constexpr double kBlocksPerCycle = 0.8;       // started over the whole device
constexpr double kIssueSlots = 4;             // a multiprocessor and cycle
// Cycles that one warp instruction keeps its pipe of one of the four quarters busy.
constexpr double kXuCycles = 8;
constexpr double kFp64Cycles = 2;

double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

}  // namespace

std::optional<double> Figures::counter(std::string_view name) const {
    const auto found = inputs_.counters.find(std::string(name));
    return found == inputs_.counters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Figures::ceiling(std::string_view name) const {
    const auto found = inputs_.ceilings.find(std::string(name));
    return found == inputs_.ceilings.end() ? std::nullopt : std::optional(found->second);
}

double Figures::share(std::string_view resource) const {
    return std::clamp(modelled_share(resource).value_or(measured_share(resource)), 0.0, 1.0);
}

double Figures::memory_share() const { return std::max({share("dram"), share("l2"), share("l1")}); }

std::optional<double> Figures::modelled_share(std::string_view resource) const {
    if (inputs_.time_ms <= 0) return std::nullopt;
    // The model tells what atomics move from what they wait for each other.
    if (resource == "atomics") {
        const auto moved = counter("model_term__atomic_ms"), waited = counter("model_term__contention_ms");
        if (!moved && !waited) return std::nullopt;
        return std::max(moved.value_or(0), waited.value_or(0)) / inputs_.time_ms;
    }
    const auto term = counter(fmt::format("model_term__{}_ms", resource));
    if (!term) return std::nullopt;
    return *term / inputs_.time_ms;
}

double Figures::cycles() const {
    return inputs_.time_ms * 1e6 * ceiling("clock_ghz").value_or(0) * ceiling("sm_count").value_or(0);
}

double Figures::busy(std::initializer_list<std::string_view> counters) const {
    for (const std::string_view name : counters) {
        if (const auto value = counter(name)) return *value / 100;
    }
    return 0;
}

double Figures::busy_pipe(std::string_view pipe) const {
    for (const char* form : {"sm__pipe_{}_cycles_active.avg.pct_of_peak_sustained_active", "sm__inst_executed_pipe_{}.avg.pct_of_peak_sustained_active"}) {
        if (const auto value = counter(fmt::format(fmt::runtime(form), pipe))) return *value / 100;
    }
    return 0;
}

double Figures::busy_l2() const {
    const double sectors = std::max(counter_or_zero("lts__t_sectors_op_read.sum") + counter_or_zero("lts__t_sectors_op_write.sum"),
                                    counter_or_zero("lts__t_sectors.sum"));
    const double share = ratio(sectors * kSectorBytes * 1e-6, ceiling("l2_gb_per_s").value_or(0) * inputs_.time_ms);
    return share > 0 ? share : busy({"lts__throughput.avg.pct_of_peak_sustained_elapsed"});
}

// Counts against what the device could do in the time, where they are there, else the percentages that a report gives.
double Figures::measured_share(std::string_view resource) const {
    if (resource == "dram") return busy({"dram__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"});
    if (resource == "issue") return busy({"smsp__issue_active.avg.pct_of_peak_sustained_active", "sm__inst_issued.avg.pct_of_peak_sustained_active"});
    if (resource == "fma" || resource == "alu" || resource == "tensor") return busy_pipe(resource);
    if (resource == "xu" || resource == "fp64") {
        const double pipe_cycles = counter_or_zero(fmt::format("sm__inst_executed_pipe_{}.sum", resource)) * (resource == "xu" ? kXuCycles : kFp64Cycles);
        const double share = ratio(pipe_cycles / kIssueSlots, cycles());
        return share > 0 ? share : busy_pipe(resource);
    }
    if (resource == "l1") {
        const double share = ratio(counter_or_zero("l1tex__data_pipe_lsu_wavefronts.sum"), cycles());
        return share > 0 ? share : busy({"l1tex__throughput.avg.pct_of_peak_sustained_active"});
    }
    if (resource == "launch") return ratio(launches() * kLaunchMs, inputs_.time_ms);
    if (resource == "blocks") {
        const double device_cycles = ratio(cycles(), ceiling("sm_count").value_or(0));
        return ratio(blocks().value_or(0) / kBlocksPerCycle, device_cycles);
    }
    if (resource == "l2") return busy_l2();
    // What is left when nothing is busy is waiting: for atomics where there are any, else for memory.
    const double atomics = counter_or_zero("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum") +
                           counter_or_zero("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
    double busiest = 0;
    for (const char* other : {"issue", "dram", "l2", "l1", "fp64", "xu"}) busiest = std::max(busiest, measured_share(other));
    if (resource == "atomics") return atomics > 0 ? 1 - busiest : 0;
    if (resource == "latency") return atomics > 0 ? 0 : 1 - busiest;
    return 0;
}

std::optional<double> Figures::dram_gigabytes_per_second() const {
    const auto read = counter("dram__bytes_read.sum"), written = counter("dram__bytes_write.sum");
    if ((read || written) && time_ms() > 0) return (read.value_or(0) + written.value_or(0)) / time_ms() * 1e-6;
    const auto rate = counter("dram__bytes.sum.per_second");
    return rate ? std::optional(*rate * 1e-9) : std::nullopt;
}

std::optional<double> Figures::sectors_per_request(std::string_view operation) const {
    const auto sectors = counter(fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation));
    const auto requests = counter(fmt::format("l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum", operation));
    if (!sectors || !requests || *requests <= 0) return std::nullopt;
    return *sectors / *requests;
}

double Figures::excess_sectors() const {
    const auto ideal = counter("memory_l2_theoretical_sectors_global_ideal");
    const auto actual = counter("memory_l2_theoretical_sectors_global");
    if (ideal && actual) return std::max(0.0, 1 - ratio(*ideal, *actual));
    double moved = 0;
    double excess = 0;
    for (const std::string_view operation : {"ld", "st"}) {
        const double sectors = counter_or_zero(fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation));
        moved += sectors;
        const double each = sectors_per_request(operation).value_or(0);
        if (each > kWidestRequestSectors + 0.5) excess += sectors * (1 - kWordRequestSectors / each);
    }
    return ratio(excess, moved);
}

double Figures::local_sectors() const {
    double local = 0;
    double global = 0;
    for (const std::string_view operation : {"ld", "st"}) {
        local += counter_or_zero(fmt::format("l1tex__t_sectors_pipe_lsu_mem_local_op_{}.sum", operation));
        global += counter_or_zero(fmt::format("l1tex__t_sectors_pipe_lsu_mem_global_op_{}.sum", operation));
    }
    return ratio(local, local + global);
}

std::optional<double> Figures::spilled_sectors() const {
    const auto stored = counter("ptxas__spill_store_bytes"), loaded = counter("ptxas__spill_load_bytes");
    if (!stored || !loaded) return std::nullopt;
    if (*stored + *loaded <= 0) return 0;
    const auto spilled = counter("model__spilled_sectors.sum");
    if (!spilled) return counter_or_zero("ptxas__stack_bytes") <= *stored ? std::optional(1.0) : std::nullopt;
    double local = 0;
    for (const std::string_view operation : {"ld", "st"})
        local += counter_or_zero(fmt::format("l1tex__t_sectors_pipe_lsu_mem_local_op_{}.sum", operation));
    return std::min(1.0, ratio(*spilled, local));
}

bool Figures::has_implicit_double() const {
    return !inputs_.is_double_meant && counter_or_zero("sm__inst_executed_pipe_fp64.sum") > 0;
}

double Figures::conflict_ratio() const {
    const double conflicts = counter_or_zero("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
    const double wavefronts = counter_or_zero("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
    return std::min(1.0, ratio(conflicts, wavefronts));
}

double Figures::inactive_lanes() const {
    const auto threads = counter("smsp__thread_inst_executed_per_inst_executed.ratio");
    return threads ? std::clamp(1 - *threads / kWarpLanes, 0.0, 1.0) : 0;
}

std::optional<double> Figures::occupancy() const {
    const auto active = counter("sm__warps_active.avg.pct_of_peak_sustained_active");
    return active ? std::optional(std::clamp(*active / 100, 0.0, 1.0)) : std::nullopt;
}

std::optional<double> Figures::busy_multiprocessors() const {
    const auto multiprocessors = ceiling("sm_count");
    const auto grid = counter("launch__grid_size");
    if (!multiprocessors || *multiprocessors <= 0) return std::nullopt;
    if (inputs_.launches.empty()) return grid ? std::optional(std::min(1.0, *grid / *multiprocessors)) : std::nullopt;
    double busy = 0, whole = 0;
    for (const LaunchInputs& launch : inputs_.launches) {
        busy += weight(launch) * busy_multiprocessors(launch);
        whole += weight(launch);
    }
    return ratio(busy, whole);
}

double Figures::busy_multiprocessors(const LaunchInputs& launch) const {
    return std::min(1.0, ratio(launch.blocks, ceiling("sm_count").value_or(0)));
}

double Figures::weight(const LaunchInputs& launch) const {
    const bool timed = std::any_of(inputs_.launches.begin(), inputs_.launches.end(), [](const LaunchInputs& other) { return other.time_ms > 0; });
    return launch.repeats * (timed ? launch.time_ms : 1);
}

double Figures::launches() const {
    double count = 0;
    for (const LaunchInputs& launch : inputs_.launches) count += launch.repeats;
    return inputs_.launches.empty() ? 1 : count;
}

std::optional<double> Figures::blocks() const {
    if (inputs_.launches.empty()) return counter("launch__grid_size");
    double count = 0;
    for (const LaunchInputs& launch : inputs_.launches) count += launch.repeats * launch.blocks;
    return count;
}

std::optional<double> Figures::blocks_of_idlest() const {
    const auto idle = [&](const LaunchInputs& launch) { return weight(launch) * (1 - busy_multiprocessors(launch)); };
    const auto idlest = std::max_element(inputs_.launches.begin(), inputs_.launches.end(),
                                         [&](const LaunchInputs& a, const LaunchInputs& b) { return idle(a) < idle(b); });
    return idlest == inputs_.launches.end() ? counter("launch__grid_size") : std::optional(idlest->blocks);
}

Evidence Figures::evidence(std::string name, double value, std::string meaning, std::string_view line_counter) const {
    const std::string key(line_counter.empty() ? std::string_view(name) : line_counter);
    Evidence evidence{std::move(name), value, std::move(meaning), {}, 0};
    double most = 0;
    for (const LineInputs& line : inputs_.lines) {
        const auto found = line.counters.find(key);
        if (found == line.counters.end() || found->second <= most) continue;
        most = found->second;
        evidence.file = line.file;
        evidence.line = line.line;
    }
    return evidence;
}

}  // namespace optiml::diagnosis
