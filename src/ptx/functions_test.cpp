// Bodies: scopes, labels, calls, call frames, control flow.

#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

using Indices = std::vector<std::uint32_t>;

TEST(Functions, RegistersComeInBlocksAndSinglesOfAnyName) {
    const Module module = parsed(R"(
.entry k() {
	.reg .b64 %SP; .reg .b64 	%SPL;
	.reg .f16 low, high; .reg .u32 start; .reg .b32 r1<12>;
	mov.u64 %SPL, %SP;
	mov.b32 r111, {low, high};
	mov.u32 start, r11;
})");
    EXPECT_EQ(described(module), "mov.u64 %SPL <- %SP\nmov.b32 r111 <- {low,high}\nmov.u32 start <- r11\n");
    const auto& registers = module.functions[0].registers;
    ASSERT_EQ(registers.size(), 7u);  // only those in use, in order of appearance
    EXPECT_EQ(registers[0].name, "%SPL");
    EXPECT_EQ(registers[3].name, "low");
    EXPECT_EQ(registers[3].type, Type::f16);
    EXPECT_EQ(registers[2].type, Type::b32);
    EXPECT_FALSE(parse(".entry k() { .reg .b32 r1<12>; mov.u32 r112, 0; }"));
}

TEST(Functions, FloatDataInUntypedRegisters) {
    const Module module =
        parsed(".entry k() { .reg .b32 %f<3>; .reg .b64 %fd<2>; add.f32 %f1, %f2, 0f3F800000; neg.f64 %fd1, %fd1; }");
    EXPECT_EQ(module.functions[0].registers[0].type, Type::b32);
    EXPECT_EQ(module.functions[0].registers[2].type, Type::b64);
}

TEST(Functions, SiblingScopesHaveRegistersOfTheirOwn) {
    const Module module = parsed_kernel(R"(
	{.reg .b32 %temp; mov.b64 {%temp, %r2}, %fd4;}
	{.reg .b32 %temp; mov.b64 {%r3, %temp}, %fd4;}
	{ .reg .pred p; .reg .b16 h; setp.eq.f16 p, h, %rs1; @p mov.b16 %rs1, %rs2; })");
    const Function& function = module.functions[0];
    const auto& pool = function.operand_pool;
    ASSERT_EQ(pool.size(), 4u);
    EXPECT_EQ(function.registers[pool[0].index].name, "%temp");
    EXPECT_EQ(function.registers[pool[3].index].name, "%temp");
    EXPECT_NE(pool[0].index, pool[3].index);
    EXPECT_EQ(function.instructions[0].sources[0].index, function.instructions[1].sources[0].index);
    EXPECT_EQ(function.instructions[3].guard, function.instructions[2].destinations[0].index);
}

TEST(Functions, InnerScopesHideOuterNames) {
    const Module module = parsed_kernel(R"(
	mov.u32 %r1, 1;
	{ .reg .u32 %r1, %r2; mov.u32 %r1, %r3; { mov.u32 %r2, %r1; } }
	mov.u32 %r2, %r1;)");
    const auto& instructions = module.functions[0].instructions;
    const auto outer = instructions[0].destinations[0].index;
    const auto inner = instructions[1].destinations[0].index;
    EXPECT_NE(inner, outer);
    EXPECT_EQ(instructions[2].sources[0].index, inner);
    EXPECT_EQ(instructions[3].sources[0].index, outer);
    EXPECT_NE(instructions[3].destinations[0].index, instructions[2].destinations[0].index);
}

TEST(Functions, LocalFrameSharedVariablesAndParameters) {
    const Module module = parsed_kernel(R"(
	.local .align 16 .b8 	__local_depot0[768];
	.shared .align 4 .b8 tile[4096]; .shared .align 4 .u32 cnt;
	mov.u64 	%rd100, __local_depot0;
	cvta.local.u64 	%rd101, %rd100;
	add.u64 	%rd1, %rd101, 0;
	atom.shared.add.u32 %r1, [cnt], 1;
	ld.param.u64 %rd2, [k_param_0];)");
    const Function& function = module.functions[0];
    ASSERT_EQ(function.variables.size(), 3u);
    EXPECT_EQ(function.symbol_count(), 6u);
    EXPECT_EQ(function.variables[0].space, Space::local);
    EXPECT_EQ(function.variables[0].bytes, 768u);
    EXPECT_EQ(function.variables[2].space, Space::shared);
    EXPECT_EQ(function.variables[2].bytes, 4u);
    const Operand& depot = function.instructions[0].sources[0];
    EXPECT_EQ(depot.kind, OperandKind::symbol);
    EXPECT_TRUE(depot.local_symbol);
    EXPECT_EQ(depot.index, 3u);  // behind three parameters
    EXPECT_EQ(function.variable_of(depot.index), &function.variables[0]);
    const Operand& parameter = function.instructions[4].sources[0];
    EXPECT_TRUE(parameter.is_symbol && parameter.local_symbol);
    EXPECT_EQ(parameter.index, 0u);
    EXPECT_EQ(function.variable_of(parameter.index), nullptr);
    EXPECT_EQ(function.symbol_name(5), "cnt");
}

TEST(Functions, StaticGlobalsOfABodyBelongToTheModule) {
    const Module module = parsed_kernel(".global .u32 calls = 3; ld.global.u32 %r1, [calls];");
    ASSERT_EQ(module.variables.size(), 1u);
    EXPECT_EQ(module.variables[0].initial[0], 3u);
    EXPECT_FALSE(module.functions[0].instructions[0].sources[0].local_symbol);
}

constexpr const char* kCallees = R"(
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
.func (.param .align 8 .b8 func_retval0[16]) slow (.param .b64 slow_param_0);
.func nothing() .noreturn;
.weak .func (.param .b32 func_retval0) f (.param .b32 f_param_0) ;
.global .align 1 .b8 $str[4];
)";

TEST(Functions, CallsInScopesOfTheirOwn) {
    const Module module = parsed_kernel(R"(
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd6;
	.param .b64 param1;
	st.param.b64 	[param1+0], %rd7;
	.param .b32 retval0;
	call.uni (retval0),
	vprintf,
	(
	param0,
	param1
	);
	ld.param.b32 	%r1, [retval0+0];
	} // callseq 0
	{
	.param .b64 param0;
	st.param.f64 [param0], %fd1;
	.param .align 8 .b8 retval0[16];
	call.uni (retval0), slow, (param0);
	ld.param.b64 %rd9, [retval0+8];
	}
	call.uni f, (param1x);
	call nothing;
	call (%r4), f, (%r5);)",
                                        std::string(kCallees) + ".global .u32 param1x;");
    EXPECT_EQ(described(module),
              "st.param.b64 [param0+0] %rd6\n"
              "st.param.b64 [param1+0] %rd7\n"
              "call.uni retval0 <- vprintf() param0 param1\n"
              "ld.param.b32 %r1 <- [retval0+0]\n"
              "st.param.f64 [param0+0] %fd1\n"
              "call.uni retval0 <- slow() param0\n"
              "ld.param.b64 %rd9 <- [retval0+8]\n"
              "call.uni f() param1x\n"
              "call nothing()\n"
              "call %r4 <- f() %r5\n");
    const Function& kernel = *module.find_kernel("k");
    // Names of sibling call sequences are different variables.
    EXPECT_NE(kernel.instructions[0].sources[0].index, kernel.instructions[4].sources[0].index);
    EXPECT_EQ(kernel.variables.size(), 5u);
    EXPECT_EQ(kernel.variables[4].bytes, 16u);
    EXPECT_EQ(kernel.variables[4].space, Space::param);
    EXPECT_TRUE(kernel.instructions[2].modifiers.uniform);
    EXPECT_TRUE(module.functions[3].noreturn);
    EXPECT_FALSE(module.functions[0].has_body);
    EXPECT_EQ(module.functions[1].parameters.size(), 5u);
    EXPECT_EQ(module.functions[2].returns[0].bytes, 16u);
}

TEST(Functions, AssertionsGoOnBehindTheCall) {
    const Module module = parsed_kernel(R"(
	{ .param .b64 p0; .param .b64 p1; .param .b32 p2; .param .b64 p3; .param .b64 p4;
	call.uni __assertfail, (p0, p1, p2, p3, p4); }
	mov.u32 %r1, 1;)",
                                        kCallees);
    const Function& kernel = *module.find_kernel("k");
    EXPECT_EQ(kernel.blocks.size(), 1u);
    EXPECT_EQ(kernel.instructions[0].sources.size(), 6u);
}

TEST(Functions, IndirectCallsNameAPrototype) {
    const Module module = parsed_kernel(R"(
	{
	.param .b32 param0;
	st.param.b32 [param0], %r1;
	.param .b32 retval0;
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[24]);
	call (retval0), %rd11, (param0), prototype_0;
	}
	{
	prototype_1 : .callprototype ()_ (.param .b64 _) .noreturn;
	call %rd12, (%rd1), prototype_1;
	mov.u64 %rd13, f;
	})",
                                        kCallees);
    EXPECT_EQ(
        described(module),
        "st.param.b32 [param0+0] %r1\ncall retval0 <- %rd11 param0 prototype0\ncall %rd12 %rd1 prototype1\nmov.u64 %rd13 <- f()\n");
    const Function& kernel = *module.find_kernel("k");
    ASSERT_EQ(kernel.prototypes.size(), 2u);
    EXPECT_EQ(kernel.prototypes[0].size(), 2u);
    EXPECT_EQ(kernel.prototypes[0][1].bytes, 24u);
    EXPECT_EQ(kernel.prototype_returns[0].size(), 1u);
    EXPECT_TRUE(kernel.prototype_returns[1].empty());
}

TEST(Functions, ForwardDeclarationsRecursionAndAliases) {
    const Module module = parsed(R"(
.func (.param .b32 func_retval0) rec (.param .b32 rec_param_0) ;
.entry k() { .reg .b32 %r<3>; call (%r1), rec, (%r2); }
.func (.param .b32 func_retval0) rec(
	.param .b32 rec_param_0
)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [rec_param_0];
	call.uni (%r2), rec, (%r1);
	st.param.b32 [func_retval0+0], %r2;
	ret;
}
.func (.param .b32 func_retval0) rec (.param .b32 again) ;
.alias other, rec;
.func caller() { .reg .b32 %r<3>; call (%r1), other, (%r2); }
)");
    ASSERT_EQ(module.functions.size(), 3u);
    const Function& rec = module.functions[0];
    EXPECT_TRUE(rec.has_body);
    EXPECT_FALSE(rec.is_kernel);
    EXPECT_EQ(rec.parameters[0].name, "rec_param_0");
    EXPECT_EQ(rec.instructions[1].sources[0].index, 0u);
    EXPECT_EQ(module.functions[1].instructions[0].sources[0].index, 0u);
    EXPECT_EQ(module.functions[2].instructions[0].sources[0].index, 0u);
    // st.param to the return value: the symbol behind one parameter.
    EXPECT_EQ(rec.instructions[2].sources[0].index, 1u);
}

TEST(Functions, ParametersInRegistersOfOldPtx) {
    const Module module = parsed(".func (.reg .b32 out) f (.reg .b32 in, .reg .pred flag) { @flag mov.b32 out, in; ret; }");
    const Function& function = module.functions[0];
    EXPECT_EQ(function.parameters[0].register_index, function.instructions[0].sources[0].index);
    EXPECT_EQ(function.parameters[1].register_index, function.instructions[0].guard);
    EXPECT_EQ(function.returns[0].register_index, function.instructions[0].destinations[0].index);
}

TEST(Functions, PragmasStandBeforeTheirInstruction) {
    const Module module = parsed_kernel(R"(
$L:
	.pragma "nounroll";
	add.s32 %r1, %r1, 1;
	.pragma "used_bytes_mask 61695";
	ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
	@%p1 bra $L;)");
    const auto& pragmas = module.functions[0].pragmas;
    ASSERT_EQ(pragmas.size(), 2u);
    EXPECT_EQ(pragmas[0].text, "nounroll");
    EXPECT_EQ(pragmas[0].instruction, 0u);
    EXPECT_EQ(pragmas[1].instruction, 1u);
    EXPECT_EQ(module.functions[0].instructions.size(), 4u);
}

TEST(Functions, BlocksAndSuccessors) {
    const Module module = parsed_kernel(R"(
	@%p1 bra $L__BB0_9;
	@%p2 ret;
	mov.u32 %r1, 1;
$unused:
	mov.u32 %r1, 2;
$L1: $L2:
	mov.u32 %r1, 3;
	@!%p3 bra $L2;
	bra.uni $L1;
	exit;
$L__BB0_9:
	ret;
$L__func_end0:)");
    const auto& blocks = module.functions[0].blocks;
    ASSERT_EQ(blocks.size(), 7u);
    EXPECT_EQ(blocks[0].successors, (Indices{6, 1}));
    EXPECT_EQ(blocks[1].successors, (Indices{2}));  // a guarded return leaves or falls through
    EXPECT_EQ(blocks[2].last - blocks[2].first, 2u);
    EXPECT_EQ(blocks[3].successors, (Indices{3, 4}));
    EXPECT_EQ(blocks[4].successors, (Indices{3}));
    EXPECT_EQ(blocks[5].successors, (Indices{}));
    EXPECT_EQ(blocks[1].post_dominator, none);
    EXPECT_EQ(blocks[3].post_dominator, 4u);
    EXPECT_EQ(blocks[3].innermost_loop, 0u);
    EXPECT_EQ(blocks[4].loop_depth, 1u);
    EXPECT_EQ(blocks[2].innermost_loop, none);
    EXPECT_EQ(module.functions[0].instructions.size(), 9u);  // none added: control does not reach the brace
}

TEST(Functions, ControlThatReachesTheBraceReturns) {
    EXPECT_EQ(parsed(".entry k() {}").functions[0].instructions.size(), 1u);
    const Module module = parsed_kernel("@%p1 bra END; exit; END:");
    const Function& function = module.functions[0];
    ASSERT_EQ(function.instructions.size(), 3u);
    EXPECT_EQ(function.instructions[2].opcode, Opcode::ret);
    EXPECT_EQ(function.blocks[0].successors, (Indices{2, 1}));
}

TEST(Functions, LabelsBelongToTheirScope) {
    const Module module = parsed_kernel(R"(
	{ @%p1 bra DONE; mov.u32 %r1, 1; DONE: mov.u32 %r2, 2; }
	{ @%p1 bra DONE; mov.u32 %r1, 3; DONE: mov.u32 %r2, 4; { bra OUT; } }
	OUT: ret;)");
    const auto& blocks = module.functions[0].blocks;
    ASSERT_EQ(blocks.size(), 6u);
    EXPECT_EQ(blocks[0].successors, (Indices{2, 1}));
    EXPECT_EQ(blocks[2].successors, (Indices{4, 3}));
    EXPECT_EQ(blocks[4].successors, (Indices{5}));
    EXPECT_FALSE(parse(kernel_text("bra INNER; { INNER: ret; }")));
}

TEST(Functions, IndexedBranchesReachAllTheirTargets) {
    const Module module = parsed_kernel(R"(
	targets: .branchtargets A, B, A;
	brx.idx %r1, targets;
	A: mov.u32 %r1, 1;
	B: ret;)");
    const Function& function = module.functions[0];
    EXPECT_EQ(function.blocks[0].successors, (Indices{1, 2, 1}));
    EXPECT_EQ(described(module), "brx.idx %r1 {L1,L2,L1}\nmov.u32 %r1 <- 1\n");
    EXPECT_EQ(function.blocks[0].post_dominator, 2u);
}

TEST(Functions, LoopsNest) {
    const Module module = parsed_kernel(R"(
	OUTER: mov.u32 %r1, 0;
	INNER: add.s32 %r1, %r1, 1;
	@%p1 bra INNER;
	@%p2 bra OUTER;
	ret;)");
    const Function& function = module.functions[0];
    ASSERT_EQ(function.loops.size(), 2u);
    EXPECT_EQ(function.loops[0].parent, none);
    EXPECT_EQ(function.loops[0].blocks, (Indices{0, 1, 2}));
    EXPECT_EQ(function.loops[1].parent, 0u);
    EXPECT_EQ(function.loops[1].blocks, (Indices{1}));
    EXPECT_EQ(function.blocks[1].loop_depth, 2u);
    EXPECT_EQ(function.blocks[1].innermost_loop, 1u);
    EXPECT_EQ(function.blocks[2].loop_depth, 1u);
    EXPECT_EQ(function.blocks[3].loop_depth, 0u);
}

}  // namespace
}  // namespace optiml::ptx
