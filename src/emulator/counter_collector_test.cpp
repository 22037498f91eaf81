#include "emulator/counter_collector.h"

#include <gtest/gtest.h>

#include <array>

#include "emulator/machine_code/machine_flow.h"

namespace optiml::emulator {
namespace {

ptx::Operand reg(std::uint32_t index) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::reg;
    operand.index = index;
    return operand;
}

ptx::Operand address(std::uint32_t base) {
    ptx::Operand operand;
    operand.kind = ptx::OperandKind::address;
    operand.index = base;
    return operand;
}

ptx::Instruction instruction(ptx::Opcode opcode, ptx::Type type, std::uint32_t line) {
    ptx::Instruction result;
    result.opcode = opcode;
    result.modifiers.type = type;
    result.modifiers.space = ptx::Space::global;
    result.place = {0, line};
    result.ptx_line = line;
    return result;
}

// r2 = [r0] (line 3); atom.add r3, [r1], r2 (line 4); [r0] = r2 (line 5)
ptx::Module small_module(bool use_atomic_result) {
    ptx::Function kernel;
    kernel.name = "k";
    kernel.is_kernel = true;
    kernel.has_body = true;
    kernel.registers.resize(4);
    ptx::Instruction load = instruction(ptx::Opcode::ld, ptx::Type::f32, 3);
    load.destinations = {reg(2)};
    load.sources = {address(0)};
    ptx::Instruction atomic = instruction(ptx::Opcode::atom, ptx::Type::f32, 4);
    atomic.destinations = {reg(3)};
    atomic.sources = {address(1), reg(2)};
    ptx::Instruction store = instruction(ptx::Opcode::st, ptx::Type::f32, 5);
    store.sources = {address(0), reg(use_atomic_result ? 3u : 2u)};
    kernel.instructions = {load, atomic, store};
    kernel.blocks = {{.first = 0, .last = 3}};
    ptx::Module module;
    module.files = {"k.cu"};
    module.functions = {kernel};
    return module;
}

class CounterCollectorTest : public testing::Test {
protected:
    // A warp of one block: a coalesced load, an atomic on one address, a coalesced store.
    void run_block(Observer& observer) {
        const ptx::Function& kernel = launch_.module->functions[0];
        std::array<std::uint64_t, kLanes> row{};
        std::array<std::uint64_t, kLanes> one{};
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) row[lane] = 0x10000 + 4 * lane;
        one.fill(0x20000);
        MemoryAccess access;
        access.active = ~LaneMask{0};
        access.type = ptx::Type::f32;
        access.addresses = row.data();
        observer.begin_block(0, 0);
        observer.access(kernel, 0, access);
        access.kind = AccessKind::store;
        observer.access(kernel, 2, access);
        access.kind = AccessKind::atomic;
        access.atomic = ptx::AtomicOperation::add;
        access.addresses = one.data();
        observer.access(kernel, 1, access);
        const std::array<std::uint64_t, 1> warp_instructions = {3};
        observer.end_block(0, 0, warp_instructions);
        observer.finish({{&kernel, {1, 1, 1}, {32, 32, 32}}});
    }

    Counters collect(bool use_atomic_result, std::uint32_t grid) {
        module_ = small_module(use_atomic_result);
        launch_.module = &module_;
        launch_.kernel = "k";
        launch_.grid = {grid, 1, 1};
        launch_.block = {32, 1, 1};
        launch_.resources.registers = 16;
        CounterCollector collector(launch_, device_, {{0x10000, 0x1000}, {0x20000, 0x1000}});
        run_block(collector.add_sm());
        lines_ = collector.lines();
        return collector.counters();
    }

    DeviceModel device_ = find_device_model("h200").value();
    ptx::Module module_;
    Launch launch_;
    std::vector<LineCounters> lines_;
};

TEST_F(CounterCollectorTest, CountsUnderNsightComputeNames) {
    Counters counters = collect(true, 1);
    EXPECT_EQ(counters["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 1);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 4);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 4);
    EXPECT_EQ(counters["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"], 1);
    EXPECT_EQ(counters.count("l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"), 0u);
    EXPECT_EQ(counters["dram__bytes_read.sum"], 128 + 64) << "four sectors, and a pair for the atomic";
    EXPECT_EQ(counters["model__atomic_rounds_float"], 32);
    EXPECT_EQ(counters["launch__grid_size"], 1);
}

TEST_F(CounterCollectorTest, AtomicsWithoutAReaderAreReductions) {
    Counters counters = collect(false, 1);
    EXPECT_EQ(counters["l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"], 1);
    EXPECT_EQ(counters.count("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"), 0u);
}

TEST_F(CounterCollectorTest, SampledBlocksStandForTheGrid) {
    EXPECT_EQ(collect(true, 10)["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 40);
}

// The machine code puts a register away before the load and gets it back before the store, and has an instruction for each in PTX.
TEST_F(CounterCollectorTest, RegistersInLocalMemoryAreTraffic) {
    const auto machine = [](MachineKind kind, std::uint32_t line, std::uint8_t bytes) {
        MachineInstruction instruction;
        instruction.kind = kind;
        instruction.pipe = Pipe::lsu;
        instruction.ptx_line = line;
        instruction.access_bytes = bytes;
        return instruction;
    };
    MachineFunction function;
    function.name = "k";
    function.instructions = {machine(MachineKind::local_store, 3, 4),   machine(MachineKind::global_load, 3, 4),
                             machine(MachineKind::reduction, 4, 4),     machine(MachineKind::local_load, 5, 8),
                             machine(MachineKind::global_store, 5, 4), machine(MachineKind::exit, 0, 0)};
    find_flow(function);
    const MachineCode code{{function}};
    launch_.machine_code = &code;
    Counters counters = collect(false, 1);
    EXPECT_EQ(counters["smsp__inst_executed.sum"], 6);
    EXPECT_EQ(counters["smsp__inst_executed_op_local_st.sum"], 1);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"], 4);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"], 8);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"], 8);
    EXPECT_EQ(counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 4);
}

TEST_F(CounterCollectorTest, LinesAddUp) {
    collect(true, 1);
    ASSERT_EQ(lines_.size(), 3u);
    EXPECT_EQ(lines_[0].file, "k.cu");
    EXPECT_EQ(lines_[0].line, 3u);
    EXPECT_EQ(lines_[0].counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 4);
    EXPECT_EQ(lines_[1].counters["l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"], 1);
    EXPECT_EQ(lines_[2].counters["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 1);
}

}  // namespace
}  // namespace optiml::emulator
