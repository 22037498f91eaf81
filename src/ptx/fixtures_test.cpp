// Whole modules as the two code generators of one toolkit write them (fixtures/kernels.cu says how they were made).

#include <algorithm>
#include <fstream>
#include <iterator>

#include "ptx/normalize.h"
#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

class Fixtures : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        std::ifstream file(std::string(OPTIML_SOURCE_DIR "/src/ptx/fixtures/kernels_") + GetParam() + ".ptx");
        ASSERT_TRUE(file);
        text_.assign(std::istreambuf_iterator<char>(file), {});
        module_ = parsed(text_);
    }

    const Function* find(std::string_view part) const {
        for (const Function& function : module_.functions) {
            if (function.name.find(part) != std::string::npos) return &function;
        }
        return nullptr;
    }

    std::string text_;
    Module module_;
};

TEST_P(Fixtures, HaveNoUnknownInstruction) {
    EXPECT_EQ(module_.target, GetParam());
    std::size_t instructions = 0;
    for (const Function& function : module_.functions) {
        for (const Instruction& instruction : function.instructions) {
            EXPECT_NE(instruction.opcode, Opcode::unknown) << instruction.text;
            ++instructions;
        }
    }
    EXPECT_GT(instructions, 200u);
}

TEST_P(Fixtures, KernelsHaveTheirLoopsAndBounds) {
    const Function* smooth = find("smooth");
    ASSERT_NE(smooth, nullptr);
    EXPECT_TRUE(smooth->is_kernel);
    EXPECT_EQ(smooth->max_threads[0], 256u);
    EXPECT_EQ(smooth->min_blocks_per_sm, 2u);
    ASSERT_EQ(smooth->loops.size(), 1u);  // the compiler unrolls the inner one
    const auto barriers = std::count_if(smooth->instructions.begin(), smooth->instructions.end(),
                                        [](const Instruction& instruction) { return instruction.opcode == Opcode::bar_sync; });
    EXPECT_EQ(barriers, 2);
    const auto& body = smooth->loops[0].blocks;
    const BasicBlock& header = smooth->blocks[smooth->loops[0].header];
    EXPECT_EQ(header.loop_depth, 1u);
    // The conditional atomicAdd rejoins within the loop.
    EXPECT_GE(body.size(), 3u);
    EXPECT_TRUE(std::binary_search(body.begin(), body.end(), header.post_dominator));
}

TEST_P(Fixtures, InlinedCodeKnowsItsOutermostCallSite) {
    const Function* smooth = find("smooth");
    ASSERT_NE(smooth, nullptr);
    EXPECT_NE(std::find(module_.files.begin(), module_.files.end(), "kernels.cu"), module_.files.end());
    bool inlined = false;
    for (const Instruction& instruction : smooth->instructions) {
        if (instruction.inlined_at.line == 0) continue;
        inlined = true;
        EXPECT_EQ(module_.files[instruction.inlined_at.file], "kernels.cu");
        // Lines of smooth's body, never those of the device functions above it.
        EXPECT_GE(instruction.inlined_at.line, 28u);
        EXPECT_LE(instruction.inlined_at.line, 45u);
    }
    EXPECT_TRUE(inlined);
}

TEST_P(Fixtures, CallsReachTheirFunctions) {
    const Function* power = find("power");
    const Function* calls = find("calls");
    ASSERT_TRUE(power != nullptr && calls != nullptr);
    EXPECT_TRUE(power->has_body);
    bool direct = false, indirect = false, runtime = false;
    for (const Instruction& instruction : calls->instructions) {
        if (instruction.opcode != Opcode::call) continue;
        const Operand& target = instruction.sources[0];
        if (target.kind == OperandKind::reg) {
            indirect = instruction.sources.back().kind == OperandKind::prototype;
        } else {
            const std::string& name = module_.functions[target.index].name;
            direct = direct || name == power->name;
            runtime = runtime || name == "vprintf";
        }
    }
    EXPECT_TRUE(direct && indirect && runtime);
    const auto table = std::find_if(module_.variables.begin(), module_.variables.end(),
                                    [](const Variable& variable) { return variable.name == "_ZTV6Square"; });
    ASSERT_NE(table, module_.variables.end());
    ASSERT_EQ(table->relocations.size(), 1u);
    EXPECT_TRUE(table->relocations[0].is_function);
    EXPECT_EQ(module_.functions[table->relocations[0].index].name, "_ZNK6Square4areaEf");
}

TEST_P(Fixtures, NormalisedTextForgetsPlacesOnly) {
    std::string other;
    std::size_t dropped = 0;
    for (std::size_t begin = 0; begin < text_.size();) {
        const std::size_t end = text_.find('\n', begin);
        const std::string line = text_.substr(begin, end - begin);
        const bool is_place = line.starts_with("\t.loc\t");
        dropped += is_place ? 1 : 0;
        if (!is_place) other += line + "\n";
        begin = end + 1;
    }
    EXPECT_GT(dropped, 50u);
    EXPECT_TRUE(normalized_text(other) == normalized_text(text_));
    EXPECT_EQ(normalized_text(text_).find("$L__"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Generators, Fixtures, ::testing::Values("sm_90", "sm_100"));

}  // namespace
}  // namespace optiml::ptx
