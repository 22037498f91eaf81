#include "ptx/parser.h"

#include <gtest/gtest.h>

namespace optiml::ptx {
namespace {

Module parsed(std::string_view text) {
    auto module = parse(text);
    EXPECT_TRUE(module) << module.error().text();
    return module ? std::move(*module) : Module{};
}

TEST(Parser, ReadsAKernelWithALoop) {
    const Module module = parsed(R"(
//
.version 9.0
.target sm_90
.address_size 64
.visible .entry scale(
	.param .u64 scale_param_0,
	.param .u32 scale_param_1
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<3>;
	.reg .b32 	%r<4>;
	.reg .f32 	%f<3>;
	.reg .b64 	%rd<5>;
	.loc	1 3 0
	ld.param.u64 	%rd1, [scale_param_0];
	ld.param.u32 	%r2, [scale_param_1];
	mov.u32 	%r1, %tid.x;
	setp.ge.s32 	%p1, %r1, %r2;
	@%p1 bra 	$L__BB0_2;
$L__BB0_1:
	mul.wide.s32 	%rd3, %r1, 4;
	add.s64 	%rd4, %rd1, %rd3;
	ld.global.f32 	%f1, [%rd4+-8];
	add.f32 	%f2, %f1, 0f3F800000;
	st.global.f32 	[%rd4+4], %f2;
	add.s32 	%r1, %r1, 256;
	setp.lt.s32 	%p2, %r1, %r2;
	@%p2 bra 	$L__BB0_1;
$L__BB0_2:
	ret;
}
	.file	1 "scale.cu"
)");
    const Function* kernel = module.find_kernel("scale");
    ASSERT_NE(kernel, nullptr);
    EXPECT_EQ(module.target, "sm_90");
    EXPECT_EQ(kernel->max_threads[0], 256u);
    ASSERT_EQ(kernel->instructions.size(), 14u);
    EXPECT_EQ(kernel->instructions[0].place, (Place{0, 3}));
    EXPECT_EQ(module.files[0], "scale.cu");
    const Instruction& load = kernel->instructions[7];
    EXPECT_EQ(load.opcode, Opcode::ld);
    EXPECT_EQ(load.sources[0].kind, OperandKind::address);
    EXPECT_EQ(static_cast<std::int64_t>(load.sources[0].bits), -8);
    ASSERT_EQ(kernel->blocks.size(), 3u);
    EXPECT_EQ(kernel->blocks[0].successors, (std::vector<std::uint32_t>{2, 1}));
    EXPECT_EQ(kernel->blocks[1].successors, (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(kernel->blocks[0].post_dominator, 2u);
    ASSERT_EQ(kernel->loops.size(), 1u);
    EXPECT_EQ(kernel->loops[0].header, 1u);
    EXPECT_EQ(kernel->blocks[1].loop_depth, 1u);
}

}  // namespace
}  // namespace optiml::ptx
