// Single instructions as compilers write them: what becomes of their operands.

#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

struct Row {
    const char* statement;
    const char* expected;
};

constexpr const char* kVariables = R"(
.global .align 4 .u32 counter;
.const .align 4 .b8 table[64];
.shared .align 4 .b8 sdata[1024];
.extern .shared .align 16 .b8 dynamic[];
)";

void expect_rows(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        const Module module = parsed_kernel(row.statement, kVariables);
        EXPECT_EQ(described(module), std::string(row.expected) + "\n") << row.statement;
        for (const Function& function : module.functions) {
            for (const Instruction& instruction : function.instructions) {
                EXPECT_NE(instruction.opcode, Opcode::unknown) << row.statement;
            }
        }
    }
}

TEST(Instructions, PackAndUnpackAcrossClasses) {
    expect_rows({
        {"mov.b64 {%r176, %r177}, %fd18;", "mov.b64 {%r176,%r177} <- %fd18"},
        {"mov.b64 {_, %r177}, %fd18;", "mov.b64 {_,%r177} <- %fd18"},
        {"mov.b32 %f11, {0, %rs1};", "mov.b32 %f11 <- {0,%rs1}"},
        {"mov.b32 %r16, {%rs3, %rs3};", "mov.b32 %r16 <- {%rs3,%rs3}"},
        {"mov.b64 %rd1, {%r1, %r2};", "mov.b64 %rd1 <- {%r1,%r2}"},
        {"mov.b32 %r14, %f50;", "mov.b32 %r14 <- %f50"},
        {"mov.f32 %f50, %r14;", "mov.f32 %f50 <- %r14"},
    });
}

TEST(Instructions, ComparisonsAndPredicates) {
    expect_rows({
        {"setp.gtu.f32 %p1, %f1, 0f7F800000;", "setp.gtu.f32 %p1 <- %f1 7f800000f"},
        {"setp.num.f64 %p1, %fd1, %fd1;", "setp.num.f64 %p1 <- %fd1 %fd1"},
        {"setp.eq.b32 %p1, %r1, 0;", "setp.eq.b32 %p1 <- %r1 0"},
        {"setp.lt.s16 %p1, %rs1, -3;", "setp.lt.s16 %p1 <- %rs1 -3"},
        {"setp.lt.and.s32 %p1|%p2, %r1, %r2, !%p3;", "setp.lt.and.s32 %p1 %p2 <- %r1 %r2 !%p3"},
        {"and.pred %p3, %p1, %p2;", "and.pred %p3 <- %p1 %p2"},
        {"mov.pred %p9, -1;", "mov.pred %p9 <- -1"},
        {"not.pred %p2, %p1;", "not.pred %p2 <- %p1"},
        {"set.gt.f16x2.f16x2 %r13, %r14, %r12;", "set.gt.f16x2.f16x2 %r13 <- %r14 %r12"},
        {"selp.b16 %rs10, -1, %rs9, %p2;", "selp.b16 %rs10 <- -1 %rs9 %p2"},
        {"selp.f64 %fd1, 0d3FF0000000000000, %fd2, %p1;", "selp.f64 %fd1 <- 3ff0000000000000f %fd2 %p1"},
        {"selp.u64 %rd1, %rd2, 5, %p1;", "selp.u64 %rd1 <- %rd2 5 %p1"},
    });
}

TEST(Instructions, Immediates) {
    expect_rows({
        {"add.f32 %f55, %f52, 0fBF800000;", "add.f32 %f55 <- %f52 bf800000f"},
        {"fma.rn.f32 %f1, 0f3FB8AA3B, %f2, 0fC0000000;", "fma.rn.f32 %f1 <- 3fb8aa3bf %f2 c0000000f"},
        {"mov.f64 %fd1, 0d400921FB54442D18;", "mov.f64 %fd1 <- 400921fb54442d18f"},
        {"and.b32 %r16, %r15, -8388608;", "and.b32 %r16 <- %r15 -8388608"},
        {"and.b64 %rd2, %rd1, -4294967296;", "and.b64 %rd2 <- %rd1 -4294967296"},
        {"and.b64 %rd2, %rd1, 0x7FFFFFFFFFFFFFFF;", "and.b64 %rd2 <- %rd1 9223372036854775807"},
        {"mov.b32 %r1, 0x80008000U;", "mov.b32 %r1 <- 2147516416"},
        {"and.b16 %rs6, %rs86, -32768;", "and.b16 %rs6 <- %rs86 -32768"},
        {"and.b16 %rs6, %rs86, 32768;", "and.b16 %rs6 <- %rs86 32768"},
        {"mov.u32 %r1, 017;", "mov.u32 %r1 <- 15"},
        {"mov.u32 %r1, 0b101;", "mov.u32 %r1 <- 5"},
        {"mov.u32 %r1, (1 << 4) | ~(-2) + 3 * 2;", "mov.u32 %r1 <- 23"},
        {"mov.f32 %f1, 1.5;", "mov.f32 %f1 <- 3fc00000f"},
        {"mov.f64 %fd1, -2.5e0;", "mov.f64 %fd1 <- c004000000000000f"},
        {"mov.u32 %r17, WARP_SZ;", "mov.u32 %r17 <- WARP_SZ"},
    });
}

TEST(Instructions, Addresses) {
    expect_rows({
        {"ld.global.f64 %fd23, [%rd27+-1280000];", "ld.global.f64 %fd23 <- [%rd27-1280000]"},
        {"ld.global.f32 %f1, [%rd1];", "ld.global.f32 %f1 <- [%rd1+0]"},
        {"ld.global.f32 %f1, [%rd1-4];", "ld.global.f32 %f1 <- [%rd1-4]"},
        {"ld.shared.f32 %f80, [sdata+8];", "ld.shared.f32 %f80 <- [sdata+8]"},
        {"ld.shared.f32 %f80, [%r3];", "ld.shared.f32 %f80 <- [%r3+0]"},
        {"ld.const.f32 %f80, [table];", "ld.const.f32 %f80 <- [table+0]"},
        {"ld.volatile.global.u32 %r1, [counter];", "ld.volatile.global.u32 %r1 <- [counter+0]"},
        {"ld.param.u64 %rd1, [k_param_0+0];", "ld.param.u64 %rd1 <- [k_param_0+0]"},
        {"ld.param.v2.u32 {%r42, %r43}, [k_param_1+48];", "ld.param.v2.u32 {%r42,%r43} <- [k_param_1+48]"},
        {"ld.param.s8 %rs1, [k_param_2];", "ld.param.s8 %rs1 <- [k_param_2+0]"},
        {"ld.global.u32 %r1, [1024];", "ld.global.u32 %r1 <- [+1024]"},
        {"mov.u32 %r33, sdata;", "mov.u32 %r33 <- sdata"},
        {"mov.u64 %rd24, table;", "mov.u64 %rd24 <- table"},
        {"mov.u64 %rd24, table+12;", "mov.u64 %rd24 <- table+12"},
        {"mov.u64 %rd6, dynamic;", "mov.u64 %rd6 <- dynamic"},
        {"cvta.shared.u64 %rd7, sdata;", "cvta.shared.u64 %rd7 <- sdata"},
        {"cvta.to.local.u64 %rd37, %rd32;", "cvta.to.local.u64 %rd37 <- %rd32"},
        {"ld.f64 %fd1, [%rd9];", "ld.f64 %fd1 <- [%rd9+0]"},
    });
}

TEST(Instructions, WideningLoadsAndVectors) {
    expect_rows({
        {"ld.global.nc.u8 %rs1, [%rd4];", "ld.global.nc.u8 %rs1 <- [%rd4+0]"},
        {"ld.global.u8 %r1, [%rd4];", "ld.global.u8 %r1 <- [%rd4+0]"},
        {"st.global.u8 [%rd4], %rs1;", "st.global.u8 [%rd4+0] %rs1"},
        {"st.global.v4.f32 [%rd4+16], {%f1, %f2, 0f00000000, %f4};", "st.global.v4.f32 [%rd4+16] {%f1,%f2,0f,%f4}"},
        {"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];", "ld.global.nc.v4.f32 {%f1,%f2,%f3,%f4} <- [%rd4+0]"},
        {"ld.relaxed.gpu.v2.u32 {%r967, %r965}, [%rd114];", "ld.relaxed.gpu.v2.u32 {%r967,%r965} <- [%rd114+0]"},
        {"ld.acquire.gpu.u32 %r1, [%rd1];", "ld.acquire.gpu.u32 %r1 <- [%rd1+0]"},
    });
}

TEST(Instructions, AcrossLanes) {
    expect_rows({
        {"shfl.sync.bfly.b32 %r50|%p8, %r48, %r64, 31, -1;", "shfl.sync.bfly.b32 %r50 %p8 <- %r48 %r64 31 -1"},
        {"shfl.sync.idx.b32 %r50, %r48, 0, 31, %r7;", "shfl.sync.idx.b32 %r50 <- %r48 0 31 %r7"},
        {"vote.sync.ballot.b32 %r1, %p1, %r2;", "vote.sync.ballot.b32 %r1 <- %p1 %r2"},
        {"vote.ballot.sync.b32 %r1, !%p1, 0xffffffff;", "vote.ballot.sync.b32 %r1 <- !%p1 4294967295"},
        {"vote.sync.any.pred %p1, %p2, -1;", "vote.sync.any.pred %p1 <- %p2 -1"},
        {"match.any.sync.b64 %r1, %rd1, %r2;", "match.any.sync.b64 %r1 <- %rd1 %r2"},
        {"match.all.sync.b32 %r1|%p1, %r3, -1;", "match.all.sync.b32 %r1 %p1 <- %r3 -1"},
        {"activemask.b32 %r1;", "activemask.b32 %r1 <-"},
        {"redux.sync.add.s32 %r1, %r2, -1;", "redux.sync.add.s32 %r1 <- %r2 -1"},
        {"elect.sync _|%p1, -1;", "elect.sync _ %p1 <- -1"},
    });
}

TEST(Instructions, BarriersFencesAndEnds) {
    expect_rows({
        {"bar.sync 0;", "bar.sync 0"},
        {"bar.sync 1, 128;", "bar.sync 1 128"},
        {"bar.sync %r1, %r2;", "bar.sync %r1 %r2"},
        {"barrier.sync 0;", "barrier.sync 0"},
        {"bar.warp.sync -1;", "bar.warp.sync -1"},
        {"bar.red.or.pred %p2, 0, %p1;", "bar.red.or.pred %p2 <- 0 %p1"},
        {"bar.red.popc.u32 %r1, 0, !%p1;", "bar.red.popc.u32 %r1 <- 0 !%p1"},
        {"membar.gl;", "membar.gl"},
        {"fence.sc.cta;", "fence.sc.cta"},
        {"exit;", "exit"},
        {"trap;", "trap"},
        {"nanosleep.u32 32;", "nanosleep.u32 32"},
        {"prefetch.global.L2 [%rd1];", "prefetch.global.L2 [%rd1+0]"},
    });
}

TEST(Instructions, Atomics) {
    expect_rows({
        {"atom.global.cas.b32 %r5, [%rd1], %r3, %r4;", "atom.global.cas.b32 %r5 <- [%rd1+0] %r3 %r4"},
        {"atom.add.noftz.f16x2 %r1, [%rd1], %r2;", "atom.add.noftz.f16x2 %r1 <- [%rd1+0] %r2"},
        {"atom.or.acq_rel.cta.b32 %r1, [%rd1], %r2;", "atom.or.acq_rel.cta.b32 %r1 <- [%rd1+0] %r2"},
        {"atom.shared.add.u32 %r1, [sdata+128], 1;", "atom.shared.add.u32 %r1 <- [sdata+128] 1"},
        {"atom.global.sys.inc.u32 _, [%rd1], 7;", "atom.global.sys.inc.u32 _ <- [%rd1+0] 7"},
        {"red.and.release.cta.b32 [%rd1], %r2;", "red.and.release.cta.b32 [%rd1+0] %r2"},
    });
}

TEST(Instructions, SpecialRegisters) {
    expect_rows({
        {"mov.u32 %r1, %tid.x;", "mov.u32 %r1 <- %tid.x"},
        {"mov.u32 %r1, %nctaid.z;", "mov.u32 %r1 <- %nctaid.z"},
        {"mov.u32 %r1, %lanemask_ge;", "mov.u32 %r1 <- %lanemask_ge"},
        {"mov.u64 %rd1, %clock64;", "mov.u64 %rd1 <- %clock64"},
        {"mov.u64 %rd1, %globaltimer;", "mov.u64 %rd1 <- %globaltimer"},
        {"mov.u32 %r25, %envreg2;", "mov.u32 %r25 <- %envreg2"},
        {"mov.u32 %r25, %reserved_smem_offset_1;", "mov.u32 %r25 <- %reserved_smem_offset_1"},
        {"mov.u32 %r25, %cluster_ctarank;", "mov.u32 %r25 <- %cluster_ctarank"},
        {"mad.lo.s32 %r1, %ctaid.x, %ntid.x, %r2;", "mad.lo.s32 %r1 <- %ctaid.x %ntid.x %r2"},
    });
}

TEST(Instructions, TexturesAndSurfaces) {
    expect_rows({
        {"tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd2, {%f8,%f11,%f5,%f5}];",
         "tex.3d.v4.f32.f32 {%f1,%f2,%f3,%f4} <- [%rd2+0] {%f8,%f11,%f5,%f5}"},
        {"tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd2, {%r1,%f11,%f5,%f5}];",
         "tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4} <- [%rd2+0] {%r1,%f11,%f5,%f5}"},
        {"tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f6}, [%rd5, {%f4,%f9}], %f1;",
         "tex.level.2d.v4.f32.f32 {%f1,%f2,%f3,%f6} <- [%rd5+0] {%f4,%f9} %f1"},
        {"sust.b.2d.b32.trap [%rd2, {%r12, %r9}], {%r11};", "sust.b.2d.b32.trap [%rd2+0] {%r12,%r9} {%r11}"},
    });
}

TEST(Instructions, AsynchronousCopiesAndBarriersInMemory) {
    expect_rows({
        {"cp.async.cg.shared.global [%r49], [%rd66], 16, 16;", "cp.async.cg.shared.global [%r49+0] [%rd66+0] 16 16"},
        {"cp.async.ca.shared.global [%r49], [%rd66], 4, %r2;", "cp.async.ca.shared.global [%r49+0] [%rd66+0] 4 %r2"},
        {"cp.async.commit_group;", "cp.async.commit_group"},
        {"cp.async.wait_group 1;", "cp.async.wait_group 1"},
        {"cp.async.wait_all;", "cp.async.wait_all"},
        {"cp.async.mbarrier.arrive.shared.b64 [%r1];", "cp.async.mbarrier.arrive.shared.b64 [%r1+0]"},
        {"mbarrier.init.shared.b64 [%r1], 128;", "mbarrier.init.shared.b64 [%r1+0] 128"},
        {"mbarrier.arrive.shared.b64 %rd1, [%r1];", "mbarrier.arrive.shared.b64 %rd1 <- [%r1+0]"},
        {"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];",
         "mbarrier.arrive.release.cluster.shared::cluster.b64 _ <- [%r1+0]"},
        {"mbarrier.arrive.shared::cluster.b64 [%r1], 2;", "mbarrier.arrive.shared::cluster.b64 [%r1+0] 2"},
        {"mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;", "mbarrier.test_wait.shared.b64 %p1 <- [%r1+0] %rd1"},
        {"mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r2;", "mbarrier.test_wait.parity.shared.b64 %p1 <- [%r1+0] %r2"},
        {"mbarrier.inval.shared.b64 [%r1];", "mbarrier.inval.shared.b64 [%r1+0]"},
    });
}

TEST(Instructions, Matrices) {
    expect_rows({
        {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%r9], %r10;",
         "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8} <- [%r9+0] %r10"},
        {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8}, %r10;",
         "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1+0] {%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8} %r10"},
        {"wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, {%fd5,%fd6};",
         "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%fd1,%fd2} <- {%fd3} {%fd4} {%fd5,%fd6}"},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
         "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4} <- {%r1,%r2} {%r3} {%f1,%f2,%f3,%f4}"},
        {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1,%r2}, [%r3];",
         "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r1,%r2} <- [%r3+0]"},
    });
}

TEST(Instructions, CarryChainsAndVideo) {
    expect_rows({
        {"madc.hi.cc.u32 %r1, %r2, %r3, %r4;", "madc.hi.cc.u32 %r1 <- %r2 %r3 %r4"},
        {"addc.u32 %r1, %r2, 0;", "addc.u32 %r1 <- %r2 0"},
        {"vabsdiff4.u32.u32.u32.add %r165, %r231, %r22, %r165;", "vabsdiff4.u32.u32.u32.add %r165 <- %r231 %r22 %r165"},
        {"lop3.b32 %r64, %r231, %r22, %r216, 0x4D;", "lop3.b32 %r64 <- %r231 %r22 %r216 77"},
        {"prmt.b32 %r1, %r2, %r3, 0x5410U;", "prmt.b32 %r1 <- %r2 %r3 21520"},
        {"bmsk.clamp.b32 %r1, %r2, %r3;", "bmsk.clamp.b32 %r1 <- %r2 %r3"},
        {"bfind.shiftamt.u32 %r1, %r2;", "bfind.shiftamt.u32 %r1 <- %r2"},
    });
}

TEST(Instructions, GuardsStandBeforeAnything) {
    expect_rows({
        {"@!%p1 not.b32 %r920, %r920;", "@!%p1 not.b32 %r920 <- %r920"},
        {"@%p1 mov.b16 %rs1, %rs2;", "@%p1 mov.b16 %rs1 <- %rs2"},
        {"@%p1 st.global.u32 [%rd1], %r1;", "@%p1 st.global.u32 [%rd1+0] %r1"},
        {"@!%p1 trap;", "@!%p1 trap"},
    });
}

TEST(Instructions, UnknownOnesKeepTheirTextAndDerailNothing) {
    const Module module = parsed_kernel(R"(
	add.s32 %r1, %r2, 1;
	@%p1 tcgen05.mma.cta_group::1.kind::f16 [%rd1], %rd2, %rd3, %r4, {%r5, %r6}, @weird ;
	mov.u32 %r3, %pm3;
	frobnicate;
	add.s32 %r2, %r1, 1;)");
    const auto& instructions = module.functions[0].instructions;
    ASSERT_EQ(instructions.size(), 6u);
    EXPECT_EQ(instructions[1].opcode, Opcode::unknown);
    EXPECT_EQ(instructions[1].text, "tcgen05.mma.cta_group::1.kind::f16");
    EXPECT_EQ(instructions[1].operand_text, "[%rd1], %rd2, %rd3, %r4, {%r5, %r6}, @weird");
    EXPECT_NE(instructions[1].guard, none);
    EXPECT_TRUE(instructions[1].sources.empty());
    // A special register without a meaning here makes its instruction one that cannot run.
    EXPECT_EQ(instructions[2].opcode, Opcode::unknown);
    EXPECT_EQ(instructions[2].text, "mov.u32 %pm3");
    EXPECT_EQ(instructions[3].text, "frobnicate");
    EXPECT_EQ(instructions[4].opcode, Opcode::add);
}

TEST(Instructions, LinesOfThePtxAreKept) {
    const Module module = parsed("\n/* a\n b */ .entry k() {\n\n  exit;\n}\n");
    EXPECT_EQ(module.functions[0].instructions[0].ptx_line, 5u);
}

TEST(Instructions, WhatIsOutOfPlaceIsAnErrorWithItsLine) {
    const struct {
        const char* body;
        const char* message;
    } rows[] = {
        {"add.s32 %r1, %r2, %q3;", "'%q3' is not declared"},
        {"add.s32 %r1, %r2, %r1000;", "'%r1000' is not declared"},
        {"add.s32 %r1, %r2, %r07;", "'%r07' is not declared"},
        {"add.s32 %r1, %r2", "';' expected, but '}' found"},
        {"add.s32 %r1, , %r2;", "an operand expected, but ',' found"},
        {"setp.eq.s32;", "'setp.eq.s32' lacks operands"},
        {"@%r1 bra L;", "'%r1' is not a predicate register"},
        {"bra nowhere;", "label 'nowhere' of line 8 is not defined"},
        {"ld.global.u32 %r1, [%tid.x];", "an address needs a register or a variable"},
        {"ld.global.u32 %r1, [%rd1;", "']' expected, but ';' found"},
        {"mov.u32 %r1, 0x;", "an operand expected, but '0x' found"},
        {"mov.u32 %r1, 99999999999999999999;", "an operand expected, but '99999999999999999999' found"},
        {"mov.f32 %f1, 0f3F80;", "an operand expected, but '0f3F80' found"},
        {"mov.u32 %r1, 1/0;", "division by zero in a constant"},
        {"call %p1;", "call of something that is no function"},
        {"L: L: ret;", "label 'L' stands twice in one scope"},
        {".reg .b32 a; .reg .b32 a;", "'a' is declared twice"},
        {"`", "an instruction expected, but '`' found"},
    };
    for (const auto& row : rows) {
        const std::string message = parse_error(kernel_text(row.body));
        EXPECT_NE(message.find(row.message), std::string::npos) << row.body << ": " << message;
        EXPECT_TRUE(message.starts_with("PTX line ")) << message;
    }
    EXPECT_EQ(parse("nonsense").error().kind, ErrorKind::internal);
}

}  // namespace
}  // namespace optiml::ptx
