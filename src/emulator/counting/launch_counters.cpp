#include "emulator/counting/launch_counters.h"

#include <algorithm>
#include <string_view>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;

constexpr const char* kTexReadSectors = "lts__t_sectors_srcunit_tex_op_read.sum";
constexpr const char* kTexWriteSectors = "lts__t_sectors_srcunit_tex_op_write.sum";

enum class AccessClass : std::uint8_t { none, load, store, atomic, reduction };

// An atomic whose result no instruction reads is compiled to a reduction.
bool result_is_read(const ptx::Function& function, const ptx::Instruction& instruction) {
    if (instruction.destinations.empty() || instruction.destinations[0].kind != ptx::OperandKind::reg) return false;
    const std::uint32_t wanted = instruction.destinations[0].index;
    const auto reads = [&](const ptx::Operand& operand) {
        if (operand.kind == ptx::OperandKind::reg) return operand.index == wanted;
        if (operand.kind == ptx::OperandKind::address) return !operand.is_symbol && operand.index == wanted;
        if (operand.kind != ptx::OperandKind::vector) return false;
        return std::any_of(function.operand_pool.begin() + operand.first, function.operand_pool.begin() + operand.first + operand.count,
                           [&](const ptx::Operand& element) { return element.kind == ptx::OperandKind::reg && element.index == wanted; });
    };
    return std::any_of(function.instructions.begin(), function.instructions.end(), [&](const ptx::Instruction& other) {
        return other.guard == wanted || std::any_of(other.sources.begin(), other.sources.end(), reads);
    });
}

AccessClass access_class(const ptx::Function& function, const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::cp_async:
        case Opcode::ldmatrix:
        case Opcode::wmma_load: return AccessClass::load;
        case Opcode::st:
        case Opcode::stmatrix:
        case Opcode::wmma_store: return AccessClass::store;
        case Opcode::red: return AccessClass::reduction;
        case Opcode::atom: return result_is_read(function, instruction) ? AccessClass::atomic : AccessClass::reduction;
        default: return AccessClass::none;
    }
}

std::string_view suffix(AccessClass access) {
    switch (access) {
        case AccessClass::load: return "ld";
        case AccessClass::store: return "st";
        case AccessClass::atomic: return "atom";
        default: return "red";
    }
}

class Adder {
public:
    Adder(Counters& counters, double scale) : counters_(counters), scale_(scale) {}

    void add(std::string name, double value) {
        if (value != 0) counters_[std::move(name)] += value * scale_;
    }
    void add(std::string name, std::uint64_t value) { add(std::move(name), static_cast<double>(value)); }

private:
    Counters& counters_;
    double scale_;
};

void add_global(const AccessTotals& totals, AccessClass access, Adder& adder) {
    if (totals.global_requests == 0) return;
    const std::string op(suffix(access));
    adder.add("l1tex__t_requests_pipe_lsu_mem_global_op_" + op + ".sum", totals.global_requests);
    adder.add("l1tex__t_sectors_pipe_lsu_mem_global_op_" + op + ".sum", totals.global_sectors);
    adder.add("l1tex__t_sectors_pipe_lsu_mem_global_op_" + op + "_lookup_hit.sum", totals.global_hits);
    adder.add("smsp__inst_executed_op_global_" + op + ".sum", totals.global_requests);
    switch (access) {
        case AccessClass::load: adder.add(kTexReadSectors, totals.global_sectors - totals.global_hits); break;
        case AccessClass::store: adder.add(kTexWriteSectors, totals.global_sectors); break;
        default: adder.add("lts__t_sectors_srcunit_tex_op_" + op + ".sum", totals.atomic_sectors); break;
    }
    adder.add("model__atomic_lanes", totals.atomic_lanes);
    adder.add("model__global_lines_" + op, totals.global_lines);
    adder.add("model__partial_store_sectors", totals.partial_sectors);
}

void add_local(const AccessTotals& totals, AccessClass access, Adder& adder) {
    if (totals.local_requests == 0) return;
    const std::string op(suffix(access));
    adder.add("l1tex__t_requests_pipe_lsu_mem_local_op_" + op + ".sum", totals.local_requests);
    adder.add("l1tex__t_sectors_pipe_lsu_mem_local_op_" + op + ".sum", totals.local_sectors);
    adder.add("l1tex__t_sectors_pipe_lsu_mem_local_op_" + op + "_lookup_hit.sum", totals.local_hits);
    adder.add("smsp__inst_executed_op_local_" + op + ".sum", totals.local_requests);
    if (access == AccessClass::load) adder.add(kTexReadSectors, totals.local_sectors - totals.local_hits);
    if (access == AccessClass::store) adder.add(kTexWriteSectors, totals.local_sectors - totals.local_hits);
}

void add_shared(const AccessTotals& totals, AccessClass access, Adder& adder) {
    if (totals.shared_requests == 0) return;
    const std::string op(suffix(access));
    adder.add("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", totals.shared_wavefronts);
    adder.add("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum", totals.shared_wavefronts);
    adder.add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", totals.shared_conflicts);
    adder.add("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum", totals.shared_conflicts);
    adder.add("smsp__inst_executed_op_shared_" + op + ".sum", totals.shared_requests);
}

void add_texture(const AccessTotals& totals, Adder& adder) {
    if (totals.texture_requests == 0) return;
    adder.add("l1tex__t_requests_pipe_tex_mem_texture.sum", totals.texture_requests);
    adder.add("l1tex__t_sectors_pipe_tex_mem_texture.sum", totals.texture_sectors);
    adder.add("l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum", totals.texture_hits);
    adder.add("smsp__sass_inst_executed_op_texture.sum", totals.texture_requests);
    adder.add(kTexReadSectors, totals.texture_sectors - totals.texture_hits);
    adder.add("model__texture_quads", totals.texture_quads);
}

void add_surface(const AccessTotals& totals, bool stores, Adder& adder) {
    if (totals.global_requests == 0) return;
    const std::string op = stores ? "st" : "ld";
    adder.add("l1tex__t_requests_pipe_tex_mem_surface_op_" + op + ".sum", totals.global_requests);
    adder.add("l1tex__t_sectors_pipe_tex_mem_surface_op_" + op + ".sum", totals.global_sectors);
    adder.add("l1tex__t_sectors_pipe_tex_mem_surface_op_" + op + "_lookup_hit.sum", totals.global_hits);
    adder.add(stores ? kTexWriteSectors : kTexReadSectors, totals.global_sectors - totals.global_hits);
    adder.add("model__global_lines_" + op, totals.global_lines);
    adder.add("model__partial_store_sectors", totals.partial_sectors);
}

const char* pipe_counter(Pipe pipe) {
    switch (pipe) {
        case Pipe::alu: return "sm__inst_executed_pipe_alu.sum";
        case Pipe::fma: return "sm__inst_executed_pipe_fma.sum";
        case Pipe::fp64: return "sm__inst_executed_pipe_fp64.sum";
        case Pipe::xu: return "sm__inst_executed_pipe_xu.sum";
        case Pipe::lsu: return "sm__inst_executed_pipe_lsu.sum";
        case Pipe::tex: return "sm__inst_executed_pipe_tex.sum";
        case Pipe::tensor: return "sm__inst_executed_pipe_tensor.sum";
        case Pipe::uniform: return "sm__inst_executed_pipe_uniform.sum";
        case Pipe::control: return "sm__inst_executed_pipe_cbu.sum";
        case Pipe::none: return nullptr;
    }
    return nullptr;
}

bool counts_as_branch(MachineKind kind) {
    return kind == MachineKind::branch || kind == MachineKind::exit || kind == MachineKind::reconvergence || kind == MachineKind::call;
}

const char* float_counter(MachineKind kind) {
    switch (kind) {
        case MachineKind::ffma: return "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum";
        case MachineKind::fadd: return "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum";
        case MachineKind::fmul: return "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum";
        default: return nullptr;
    }
}

double value_of(const Counters& counters, const std::string& name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
}

void set_percentage(Counters& counters, const std::string& name, double part, double whole) {
    counters[name] = whole > 0 ? 100 * part / whole : 0;
}

void add_ratios(Counters& counters) {
    const double instructions = value_of(counters, "smsp__inst_executed.sum");
    counters["smsp__thread_inst_executed_per_inst_executed.ratio"] =
        instructions > 0 ? value_of(counters, "smsp__thread_inst_executed.sum") / instructions : 0;
    double sectors = value_of(counters, "l1tex__t_sectors_pipe_tex_mem_texture.sum");
    double hits = value_of(counters, "l1tex__t_sectors_pipe_tex_mem_texture_lookup_hit.sum");
    for (const std::string space : {"global", "local"}) {
        for (const std::string op : {"ld", "st"}) {
            sectors += value_of(counters, "l1tex__t_sectors_pipe_lsu_mem_" + space + "_op_" + op + ".sum");
            hits += value_of(counters, "l1tex__t_sectors_pipe_lsu_mem_" + space + "_op_" + op + "_lookup_hit.sum");
        }
    }
    set_percentage(counters, "l1tex__t_sector_hit_rate.pct", hits, sectors);
}

// L2 is split into partitions on large devices: what lies in the other one passes through both. Reads found in L2 have been copied to
// the near one.
void add_l2(const LaunchSummary& summary, Counters& counters) {
    const double far = summary.device->parameter("l2_far_share");
    const double read = value_of(counters, kTexReadSectors);
    const double written = value_of(counters, kTexWriteSectors);
    const double fetched = std::min(summary.traffic.dram_read_bytes / kSectorBytes, read);
    double all = 0;
    double from_tex = read + written;
    const auto set = [&](const std::string& name, double value) {
        counters[name] = value;
        all += value;
    };
    set("lts__t_sectors_op_read.sum", read + far * fetched);
    set("lts__t_sectors_op_write.sum", (1 + far) * written);
    for (const std::string op : {"atom", "red"}) {
        const double atomic = value_of(counters, "lts__t_sectors_srcunit_tex_op_" + op + ".sum");
        from_tex += atomic;
        set("lts__t_sectors_op_" + op + ".sum", (1 + far) * atomic);
    }
    counters["lts__t_sectors_srcunit_tex.sum"] = from_tex;
    set_percentage(counters, "lts__t_sector_hit_rate.pct", all - (1 + far) * fetched, all);
}

void add_warp_cycles(const LaunchSummary& summary, Counters& counters) {
    constexpr const char* kNames[] = {"issue", "global", "shared", "constant", "special", "exchange", "barrier"};
    for (const FunctionProfile& profile : summary.profiles) {
        for (std::size_t wait = 0; wait < profile.cycles.size(); ++wait) {
            counters[std::string("model__warp_cycles_") + kNames[wait]] += profile.cycles[wait];
        }
    }
    const SmTotals& totals = summary.totals;
    counters["model__block_imbalance"] = totals.imbalance();
}

void add_memory(const LaunchSummary& summary, Counters& counters) {
    counters["dram__bytes_read.sum"] = summary.traffic.dram_read_bytes;
    counters["dram__bytes_write.sum"] = summary.traffic.dram_write_bytes;
    counters["model__footprint_bytes"] = summary.traffic.footprint_bytes;
    add_l2(summary, counters);
    counters["model__dram_moved_bytes"] = summary.traffic.moved_bytes;
    counters["model__dram_scattered_bytes"] = summary.traffic.scattered_bytes;
    const AtomicRounds busiest = summary.totals.atomics.busiest(summary.scale, summary.groups);
    counters["model__atomic_rounds_integer"] = static_cast<double>(busiest.integer);
    counters["model__atomic_rounds_float"] = static_cast<double>(busiest.floating);
    counters["model__atomic_rounds_compare_and_swap"] = static_cast<double>(busiest.compare_and_swap);
}

}  // namespace

Counters launch_counters(const Launch& launch, const DeviceModel& device, const Occupancy& occupancy) {
    const double blocks = static_cast<double>(launch.grid.count());
    const double at_once = static_cast<double>(occupancy.blocks_per_sm) * device.sm_count;
    return {
        {"launch__grid_size", blocks},
        {"launch__block_size", static_cast<double>(launch.block.count())},
        {"launch__registers_per_thread", static_cast<double>(launch.resources.registers)},
        {"launch__shared_mem_per_block_static", static_cast<double>(launch.resources.static_shared)},
        {"launch__shared_mem_per_block_dynamic", static_cast<double>(launch.dynamic_shared)},
        {"launch__occupancy_limit_warps", static_cast<double>(occupancy.limit_warps)},
        {"launch__occupancy_limit_registers", static_cast<double>(occupancy.limit_registers)},
        {"launch__occupancy_limit_shared_mem", static_cast<double>(occupancy.limit_shared)},
        {"launch__occupancy_limit_blocks", static_cast<double>(occupancy.limit_blocks)},
        {"launch__waves_per_multiprocessor", at_once > 0 ? blocks / at_once : 0},
        {"sm__maximum_warps_per_active_cycle_pct", 100 * occupancy.theoretical},
    };
}

void add_executed_counters(const ExecutedInstruction& instruction, double scale, Counters& counters) {
    Adder adder(counters, scale);
    adder.add("smsp__inst_executed.sum", instruction.warps);
    adder.add("smsp__thread_inst_executed.sum", instruction.threads);
    if (const char* name = pipe_counter(instruction.pipe)) adder.add(name, instruction.warps);
    if (const char* name = float_counter(instruction.kind)) adder.add(name, instruction.guarded_threads);
    if (counts_as_branch(instruction.kind)) adder.add("smsp__inst_executed_op_branch.sum", instruction.warps);
}

bool accesses_local_memory(const ptx::Instruction& instruction) {
    const bool accesses = instruction.opcode == ptx::Opcode::ld || instruction.opcode == ptx::Opcode::st;
    return accesses && (instruction.modifiers.space == ptx::Space::local || instruction.modifiers.space == ptx::Space::generic);
}

// Registers that the back end keeps in local memory. Their stores go through to L2; their loads come soon after and find them in L1.
void add_spill_counters(const ptx::Function& function, const ExecutedInstruction& instruction, double scale, Counters& counters) {
    const bool loads = instruction.kind == MachineKind::local_load;
    if (!loads && instruction.kind != MachineKind::local_store) return;
    const std::uint32_t origin = instruction.ptx_instruction;
    if (origin != ptx::none && accesses_local_memory(function.instructions[origin])) return;  // counted where it happened
    const std::string op = loads ? "ld" : "st";
    const double sectors = instruction.threads * instruction.access_bytes / kSectorBytes;
    Adder adder(counters, scale);
    adder.add("smsp__inst_executed_op_local_" + op + ".sum", instruction.warps);
    adder.add("l1tex__t_requests_pipe_lsu_mem_local_op_" + op + ".sum", instruction.warps);
    adder.add("l1tex__t_sectors_pipe_lsu_mem_local_op_" + op + ".sum", sectors);
    adder.add("model__spilled_sectors.sum", sectors);
    if (loads) adder.add("l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum", sectors);
    else adder.add(kTexWriteSectors, sectors);
}

void add_access_counters(const ptx::Function& function, std::uint32_t index, const AccessTotals& totals, double scale, Counters& counters) {
    Adder adder(counters, scale);
    adder.add("smsp__sass_branch_targets_threads_divergent.sum", totals.divergent_branches);
    add_texture(totals, adder);
    const Opcode opcode = function.instructions[index].opcode;
    if (opcode == Opcode::suld || opcode == Opcode::sust) return add_surface(totals, opcode == Opcode::sust, adder);
    const AccessClass kind = access_class(function, function.instructions[index]);
    if (kind == AccessClass::none) return;
    add_global(totals, kind, adder);
    add_local(totals, kind, adder);
    add_shared(totals, kind, adder);
    adder.add("model__constant_requests", totals.constant_requests);
    adder.add("model__constant_words", totals.constant_words);
}

void add_execution_counters(const LaunchSummary& summary, Counters& counters) {
    for (const FunctionProfile& profile : summary.profiles) {
        for (const ExecutedInstruction& instruction : profile.executed) {
            add_executed_counters(instruction, summary.scale, counters);
            add_spill_counters(*profile.function, instruction, summary.scale, counters);
        }
        for (std::uint32_t index = 0; index < profile.accesses.size(); ++index) {
            add_access_counters(*profile.function, index, profile.accesses[index], summary.scale, counters);
        }
    }
    add_warp_cycles(summary, counters);
    add_memory(summary, counters);
    add_ratios(counters);
}

}  // namespace optiml::emulator
