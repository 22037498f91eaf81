#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "emulator/machine_code/executed_instructions.h"
#include "emulator/machine_code/machine_code.h"
#include "emulator/machine_code/machine_profile.h"
#include "ptx/parser.h"

namespace optiml::emulator {
namespace {

std::string read_file(const std::string& name) {
    std::ifstream file(std::string(OPTIML_SOURCE_DIR) + "/src/emulator/machine_code/testdata/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::uint8_t> cubin_bytes() {
    const std::string text = read_file("row_sum.cubin");
    return {text.begin(), text.end()};
}

std::size_t count_kind(const MachineFunction& function, MachineKind kind) {
    return static_cast<std::size_t>(std::count_if(function.instructions.begin(), function.instructions.end(),
                                                  [kind](const MachineInstruction& instruction) { return instruction.kind == kind; }));
}

TEST(Cubin, InstructionsKnowTheirKindAndPtxLine) {
    const Result<MachineCode> code = read_cubin(cubin_bytes());
    ASSERT_TRUE(code) << code.error().text();
    const MachineFunction* function = code->find("row_sum");
    ASSERT_NE(function, nullptr);
    EXPECT_EQ(code->find("column_sum"), nullptr);
    // One load of the loop stands 16 + 8 + 4 + 1 times in the code: unrolled by 16, 8 and 4, and the remainder's.
    EXPECT_EQ(count_kind(*function, MachineKind::global_load), 29u);
    EXPECT_EQ(count_kind(*function, MachineKind::global_store), 1u);
    EXPECT_EQ(count_kind(*function, MachineKind::fadd), 29u);
    EXPECT_EQ(function->loops.size(), 3u);
    for (const MachineInstruction& instruction : function->instructions) {
        if (instruction.kind == MachineKind::global_store) {
            EXPECT_EQ(instruction.ptx_line, 104u);
        }
        if (instruction.kind == MachineKind::fadd) {
            EXPECT_EQ(instruction.pipe, Pipe::fma);
        }
    }
}

TEST(Cubin, RefusesWhatIsNoCubin) {
    std::vector<std::uint8_t> bytes = cubin_bytes();
    EXPECT_FALSE(read_cubin({}));
    EXPECT_FALSE(read_cubin(std::vector<std::uint8_t>(100, 0)));
    bytes.resize(bytes.size() / 2);
    EXPECT_FALSE(read_cubin(bytes));
}

// Flipped bytes must not lead outside the file; what is read then does not matter.
TEST(Cubin, SurvivesDamage) {
    const std::vector<std::uint8_t> intact = cubin_bytes();
    for (std::size_t at = 0; at < intact.size(); at += 7) {
        std::vector<std::uint8_t> bytes = intact;
        bytes[at] ^= 0xff;
        const Result<MachineCode> code = read_cubin(bytes);
        if (code) {
            EXPECT_LE(code->functions.size(), 64u);
        }
    }
}

class MachineProfileTest : public testing::Test {
protected:
    // Counts of one block of 256 threads, of which `rows` have a row, over rows of `columns` elements.
    void run(std::uint64_t rows, std::uint64_t columns) {
        const auto set_line = [&](std::uint32_t first_line, std::uint32_t last_line, std::uint64_t threads, std::uint64_t times) {
            for (std::uint32_t i = 0; i < kernel_->instructions.size(); ++i) {
                const std::uint32_t line = kernel_->instructions[i].ptx_line;
                if (line < first_line || line > last_line) continue;
                counts_.threads[i] = threads * times;
                counts_.warps[i] = (threads + 31) / 32 * times;
            }
        };
        counts_.function = kernel_;
        counts_.threads.assign(kernel_->instructions.size(), 0);
        counts_.warps = counts_.threads;
        counts_.taken_lanes = counts_.retry_rounds = counts_.retry_lanes = counts_.threads;
        set_line(1, 41, 256, 1);
        set_line(42, 53, rows, 1);
        set_line(54, 60, rows, columns >= 4);
        set_line(61, 78, rows, columns / 4);
        set_line(80, 82, rows, 1);
        set_line(83, 88, rows, columns % 4 > 0);
        set_line(89, 96, rows, columns % 4);
        set_line(98, 104, rows, 1);
        set_line(105, 109, 256, 1);
        take(41, 256 - rows);
        take(46, 0);
        take(53, columns < 4 ? rows : 0);
        take(78, rows * (columns / 4 - (columns >= 4)));
        take(82, columns % 4 == 0 ? rows : 0);
        take(96, rows * (columns % 4 - (columns % 4 > 0)));
    }

    void take(std::uint32_t line, std::uint64_t threads) {
        for (std::uint32_t i = 0; i < kernel_->instructions.size(); ++i) {
            if (kernel_->instructions[i].ptx_line == line) counts_.taken_lanes[i] = threads;
        }
    }

    // Executions of the machine block that holds that many loads, in warps.
    double executions_of_block_with(std::size_t loads) {
        const PtxFlow flow(counts_);
        const MachineProfile profile = infer_profile(*machine_, flow);
        for (std::uint32_t block = 0; block < machine_->blocks.size(); ++block) {
            std::size_t found = 0;
            for (std::uint32_t i = machine_->blocks[block].first; i < machine_->blocks[block].last; ++i) {
                found += machine_->instructions[i].kind == MachineKind::global_load;
            }
            if (found == loads) return profile.warps[block];
        }
        ADD_FAILURE() << "no block with " << loads << " loads";
        return -1;
    }

    ptx::Module module_ = ptx::parse(read_file("row_sum.ptx")).value();
    MachineCode code_ = read_cubin(cubin_bytes()).value();
    const ptx::Function* kernel_ = module_.find_kernel("row_sum");
    const MachineFunction* machine_ = code_.find("row_sum");
    PtxCounts counts_;
};

TEST_F(MachineProfileTest, UnrolledLoopsRunWholeRounds) {
    run(256, 103);  // 103 = 6 * 16 + 4 + 3
    EXPECT_NEAR(executions_of_block_with(16), 8 * 6, 1e-6);
    EXPECT_NEAR(executions_of_block_with(8), 0, 1e-6);
    EXPECT_NEAR(executions_of_block_with(4), 8 * 1, 1e-6);
    EXPECT_NEAR(executions_of_block_with(1), 8 * 3, 1e-6);
}

TEST_F(MachineProfileTest, ShortRowsUseTheRemainder) {
    run(256, 3);
    EXPECT_NEAR(executions_of_block_with(16), 0, 1e-6);
    EXPECT_NEAR(executions_of_block_with(4), 0, 1e-6);
    EXPECT_NEAR(executions_of_block_with(1), 8 * 3, 1e-6);
}

TEST_F(MachineProfileTest, WarpsOutsideTheBoundsLeaveEarly) {
    run(64, 32);
    EXPECT_NEAR(executions_of_block_with(16), 2 * 2, 1e-6);
    const PtxFlow flow(counts_);
    double stores = 0;
    double all = 0;
    for (const ExecutedInstruction& executed : executed_instructions(flow, counts_, *machine_, infer_profile(*machine_, flow))) {
        if (executed.kind == MachineKind::global_store) stores += executed.warps;
        all += executed.warps;
    }
    EXPECT_NEAR(stores, 2, 1e-6);
    EXPECT_GT(all, 8 * 7);
    EXPECT_LT(all, 8 * 8 + 2 * 200);
}

TEST_F(MachineProfileTest, WithoutMachineCodeAddressArithmeticIsFolded) {
    run(256, 32);
    double loads = 0;
    double all = 0;
    for (const ExecutedInstruction& executed : estimated_instructions(counts_)) {
        if (executed.kind == MachineKind::global_load) loads += executed.warps;
        all += executed.warps;
    }
    EXPECT_DOUBLE_EQ(loads, 8 * 32);
    EXPECT_GT(all, 3 * loads);
    EXPECT_LT(all, 7 * loads);
}

}  // namespace
}  // namespace optiml::emulator
