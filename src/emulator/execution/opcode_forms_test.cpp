// Every opcode form of public CUDA programs runs. Those that only compute are in lane_forms.txt, with what a GPU makes of them; the
// others are run here in a kernel each.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_forms.h"
#include "emulator/launch_kit.h"
#include "ptx/opcode_forms.h"

namespace optiml::emulator {
namespace {

using Words = std::vector<std::string>;

Words split(const std::string& text, char separator) {
    Words words;
    std::istringstream stream(text);
    for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
    return words;
}

bool has(const Words& words, const std::string& word) { return std::ranges::find(words, word) != words.end(); }

// Forms that lane_forms.txt holds.
const std::set<std::string>& computing_forms() {
    static const std::set<std::string> forms = [] {
        std::set<std::string> found;
        for (const LaneForm& form : read_lane_forms(OPTIML_SOURCE_DIR "/src/emulator/arithmetic/lane_forms.txt"))
            found.insert(form.text.substr(0, form.text.find_first_of(" ;")));
        return found;
    }();
    return forms;
}

// Of the last word: "u32", "f16x2", "b64".
std::uint32_t bits_of(const Words& words) {
    const std::string& type = words.back();
    if (type == "pred") return 1;
    return type.ends_with("x2") ? 32 : static_cast<std::uint32_t>(std::stoul(type.substr(type.find_first_of("0123456789"))));
}

// Registers 0 to count-1 of a width, as one operand. Values narrower than 16 bits stand in those of 16.
std::string registers(std::uint32_t bits, std::uint32_t count, std::uint32_t first = 0) {
    const char* name = bits == 64 ? "%d" : bits == 32 ? "%r" : "%h";
    if (count == 1) return fmt::format("{}{}", name, first);
    std::string list;
    for (std::uint32_t i = 0; i < count; ++i) list += fmt::format("{}{}{}", i == 0 ? "" : ", ", name, first + i);
    return "{" + list + "}";
}

// Where each lane has 32 bytes of its own.
std::string place(const Words& words) {
    if (has(words, "param")) return "[bytes+8]";
    if (has(words, "const")) return "[constants+16]";
    if (has(words, "local")) return "[own+16]";
    if (has(words, "shared")) return "[%r20]";
    return "[%d20]";  // global, and generic addresses of it
}

std::uint32_t vector_of(const Words& words) { return has(words, "v4") ? 4 : has(words, "v2") ? 2 : 1; }

std::string access(const std::string& form, const Words& words) {
    const std::string values = registers(bits_of(words), vector_of(words));
    if (words[0] == "ld") return fmt::format("{} {}, {};", form, values, place(words));
    const std::string target = has(words, "param") ? "[passed]" : place(words);
    return fmt::format("{} {}, {};", form, target, values);
}

std::string atomic(const std::string& form, const Words& words) {
    const std::uint32_t bits = bits_of(words);
    const std::string second = has(words, "cas") ? ", " + registers(bits, 1, 2) : "";
    const std::string result = words[0] == "atom" ? registers(bits, 1) + ", " : "";
    return fmt::format("{} {}{}, {}{};", form, result, place(words), registers(bits, 1, 1), second);
}

std::string fetch(const std::string& form, const Words& words) {
    const std::map<std::string, std::string> coordinates{
        {"2d", "[plane, {%r1, %r1}]"}, {"3d", "[volume, {%r1, %r1, %r1, %r1}]"}, {"a2d", "[layers, {%r1, %r1, %r1, %r1}]"}, {"cube", "[faces, {%r1, %r1, %r1, %r1}]"}};
    for (const auto& [geometry, operand] : coordinates) {
        if (!has(words, geometry)) continue;
        const std::string name = operand.substr(1, operand.find(',') - 1);
        return fmt::format("ld.param.u64 %d1, [{}]; {} {{%r2, %r3, %r4, %r5}}, [%d1{}{};", name, form, operand.substr(operand.find(',')),
                           has(words, "level") ? ", %r1" : "");
    }
    return "";
}

// What does not follow a rule.
const std::map<std::string, std::string> kStatements{
    {"ret", "ret;"},
    {"exit", "exit;"},
    {"bra", "bra next; next:"},
    {"bra.uni", "bra.uni next; next:"},
    {"trap", "@%p9 trap;"},
    {"cvta.to.global.u64", "cvta.to.global.u64 %d0, %d20;"},
    {"cvta.global.u64", "cvta.global.u64 %d0, %d20;"},
    {"cvta.local.u64", "mov.u64 %d1, own; cvta.local.u64 %d0, %d1;"},
    {"cvta.shared.u64", "mov.u64 %d1, block; cvta.shared.u64 %d0, %d1;"},
    {"cvta.to.local.u64", "mov.u64 %d1, own; cvta.local.u64 %d1, %d1; cvta.to.local.u64 %d0, %d1;"},
    {"bar.sync", "bar.sync 0;"},
    {"barrier.sync", "barrier.sync 0;"},
    {"bar.warp.sync", "bar.warp.sync 0xffffffff;"},
    {"bar.red.or.pred", "bar.red.or.pred %p0, 0, %p1;"},
    {"bar.red.and.pred", "bar.red.and.pred %p0, 0, %p1;"},
    {"shfl.sync.down.b32", "shfl.sync.down.b32 %r0|%p0, %r1, 1, 31, -1;"},
    {"shfl.sync.up.b32", "shfl.sync.up.b32 %r0|%p0, %r1, 1, 0, -1;"},
    {"shfl.sync.idx.b32", "shfl.sync.idx.b32 %r0|%p0, %r1, 5, 31, -1;"},
    {"shfl.sync.bfly.b32", "shfl.sync.bfly.b32 %r0|%p0, %r1, 16, 31, -1;"},
    {"vote.sync.ballot.b32", "vote.sync.ballot.b32 %r0, %p1, -1;"},
    {"vote.ballot.sync.b32", "vote.ballot.sync.b32 %r0, %p1, -1;"},
    {"vote.sync.any.pred", "vote.sync.any.pred %p0, %p1, -1;"},
    {"vote.sync.all.pred", "vote.sync.all.pred %p0, %p1, -1;"},
    {"match.any.sync.b32", "match.any.sync.b32 %r0, %r1, -1;"},
    {"match.any.sync.b64", "match.any.sync.b64 %r0, %d1, -1;"},
    {"redux.sync.add.s32", "redux.sync.add.s32 %r0, %r1, -1;"},
    {"redux.sync.add.u32", "redux.sync.add.u32 %r0, %r1, -1;"},
    {"redux.sync.max.s32", "redux.sync.max.s32 %r0, %r1, -1;"},
    {"activemask.b32", "activemask.b32 %r0;"},
    {"membar.cta", "membar.cta;"},
    {"membar.gl", "membar.gl;"},
    {"fence.sc.cta", "fence.sc.cta;"},
    {"nanosleep.u32", "nanosleep.u32 100;"},
    {"prefetch.global.L2", "prefetch.global.L2 [%d20];"},
    {"call.uni", "{ .param .b32 given; .param .b32 taken; st.param.b32 [given], %r1; call.uni (taken), doubled, (given); ld.param.b32 %r0, [taken]; }"},
    {"call", "{ .param .b32 given; .param .b32 taken; st.param.b32 [given], %r1; mov.u64 %d1, doubled;"
             " prototype : .callprototype (.param .b32 _) _ (.param .b32 _); call (taken), %d1, (given), prototype; ld.param.b32 %r0, [taken]; }"},
    {"cp.async.cg.shared.global", "cp.async.cg.shared.global [%r20], [%d20], 16, 16; cp.async.wait_all;"},
    {"cp.async.ca.shared.global", "cp.async.ca.shared.global [%r20], [%d20], 8, 8; cp.async.wait_all;"},
    {"cp.async.commit_group", "cp.async.commit_group;"},
    {"cp.async.wait_group", "cp.async.wait_group 0;"},
    {"mbarrier.init.shared.b64", "mbarrier.init.shared.b64 [%r20], 1;"},
    {"mbarrier.arrive.shared.b64", "mbarrier.init.shared.b64 [%r20], 1; mbarrier.arrive.shared.b64 %d0, [%r20];"},
    {"mbarrier.test_wait.shared.b64",
     "mbarrier.init.shared.b64 [%r20], 1; mbarrier.arrive.shared.b64 %d0, [%r20]; mbarrier.test_wait.shared.b64 %p0, [%r20], %d0;"},
    {"mbarrier.test_wait.parity.shared.b64", "mbarrier.init.shared.b64 [%r20], 1; mbarrier.test_wait.parity.shared.b64 %p0, [%r20], 1;"},
    {"mbarrier.inval.shared.b64", "mbarrier.init.shared.b64 [%r20], 1; mbarrier.inval.shared.b64 [%r20];"},
    {"cp.async.mbarrier.arrive.shared.b64", "mbarrier.init.shared.b64 [%r20], 1; cp.async.mbarrier.arrive.shared.b64 [%r20];"},
    {"sust.b.2d.b32.trap", "ld.param.u64 %d1, [surface]; sust.b.2d.b32.trap [%d1, {%r1, %r1}], {%r2};"},
    {"sust.b.2d.v4.b8.trap", "ld.param.u64 %d1, [surface]; sust.b.2d.v4.b8.trap [%d1, {%r1, %r1}], {%h0, %h1, %h2, %h3};"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.shared.f16",
     "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, [block], 16;"},
    {"wmma.load.b.sync.aligned.col.m16n16k16.global.bf16",
     "wmma.load.b.sync.aligned.col.m16n16k16.global.bf16 {%r30, %r31, %r32, %r33}, [memory], 16;"},
    {"wmma.load.c.sync.aligned.row.m16n16k16.f32",
     "mov.u64 %d1, memory; wmma.load.c.sync.aligned.row.m16n16k16.f32 {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, [%d1], 16;"},
    {"wmma.store.d.sync.aligned.row.m16n16k16.global.f32",
     "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [memory], {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, 16;"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32",
     "wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, {%r40, %r41, %r42, %r43},"
     " {%r40, %r41, %r42, %r43}, {%r50, %r51, %r52, %r53, %r54, %r55, %r56, %r57};"},
    {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
     "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32 {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, {%r40, %r41, %r42, %r43},"
     " {%r40, %r41, %r42, %r43}, {%r50, %r51, %r52, %r53, %r54, %r55, %r56, %r57};"},
    {"wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64",
     "wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%d30, %d31}, {%d32}, {%d33}, {%d34, %d35};"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32.satfinite",
     "wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32.satfinite {%r30, %r31, %r32, %r33, %r34, %r35, %r36, %r37}, {%r40, %r41},"
     " {%r42, %r43}, {%r50, %r51, %r52, %r53, %r54, %r55, %r56, %r57};"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r30, %r31, %r32, %r33}, {%r40, %r41, %r42, %r43}, {%r44, %r45}, {%r50, %r51, %r52, %r53};"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
     "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r30, %r31, %r32, %r33}, {%r40, %r41, %r42, %r43}, {%r44, %r45}, {%r50, %r51, %r52, %r53};"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r30, %r31, %r32, %r33}, [%r20];"},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r30, %r31}, [%r20];"},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b16", "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r20], {%r30, %r31, %r32, %r33};"},
};

// Empty: no rule for the form.
std::string statement_of(const std::string& form) {
    if (const auto known = kStatements.find(form); known != kStatements.end()) return known->second;
    const Words words = split(form, '.');
    if (words[0] == "ld" || words[0] == "st") return access(form, words);
    if (words[0] == "atom" || words[0] == "red") return atomic(form, words);
    if (words[0] == "tex") return fetch(form, words);
    return "";
}

std::string kernel_with(const std::string& statement) {
    return fmt::format(R"(.version 9.0
.target sm_90
.address_size 64
.global .align 128 .b8 memory[4096];
.const .align 16 .b8 constants[64] = {{1, 2, 3, 4}};
.func (.param .b32 result) doubled (.param .b32 value)
{{
.reg .b32 %v;
ld.param.b32 %v, [value]; add.s32 %v, %v, %v; st.param.b32 [result], %v;
ret;
}}
.visible .entry k(.param .align 16 .b8 bytes[64], .param .u64 plane, .param .u64 volume, .param .u64 layers, .param .u64 faces, .param .u64 surface)
{{
.reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<60>; .reg .b64 %d<60>;
.shared .align 128 .b8 block[4096];
.local .align 16 .b8 own[64];
.param .align 16 .b8 passed[16];
mov.u32 %r9, %tid.x; shl.b32 %r9, %r9, 5;
mov.u32 %r20, block; add.s32 %r20, %r20, %r9;
cvt.u64.u32 %d9, %r9; mov.u64 %d20, memory; add.s64 %d20, %d20, %d9;
{}
st.shared.v4.u32 [%r20], {{%r0, %r0, %r0, %r0}}; st.shared.v4.u32 [%r20+16], {{%r0, %r0, %r0, %r0}}; bar.sync 0;
{}
ret;
}}
)",
                       [] {
                           std::string zeros;
                           for (int i = 0; i < 60; ++i)
                               if (i != 9 && i != 20) zeros += fmt::format("mov.u32 %r{0}, 0; mov.u64 %d{0}, 0; ", i);
                           for (int i = 0; i < 10; ++i) zeros += fmt::format("mov.u16 %h{0}, 0; setp.ne.s32 %p{0}, %r0, 0; ", i);
                           return zeros;
                       }(),
                       statement);
}

std::uint64_t texture(LaunchKit& kit, TextureShape shape, std::uint64_t height, std::uint64_t depth, std::uint64_t layers) {
    TextureDescription description;
    description.layout.shape = shape;
    description.layout.width = 4;
    description.layout.height = height;
    description.layout.depth = depth;
    description.layout.layers = layers;
    return kit.memory.add_texture(kit.input("texels", std::vector<float>(description.layout.texels(), 1.0f)), description);
}

std::uint64_t surface(LaunchKit& kit) {
    TextureLayout layout;
    layout.width = 4;
    layout.height = 4;
    return kit.memory.add_surface(kit.output<float>("surface", 16), layout);
}

// directives: of the kernel, before its body.
std::string result_of(const std::string& statement, const std::string& directives = "") {
    std::string text = kernel_with(statement);
    text.insert(text.find("\n{\n", text.find(".visible")) + 1, directives);
    LaunchKit kit(text);
    if (!kit.error().empty()) return kit.error();
    const std::array<std::uint8_t, 64> bytes{};
    const LaunchResult result =
        kit.run("k", {1}, {32}, bytes, texture(kit, TextureShape::two_d, 4, 1, 1), texture(kit, TextureShape::three_d, 4, 4, 1),
                texture(kit, TextureShape::two_d_layered, 4, 1, 2), texture(kit, TextureShape::cube, 4, 1, 6), surface(kit));
    return kit.error().empty() ? describe(result) : kit.error();
}

TEST(OpcodeForms, AllRun) {
    std::size_t forms = 0;
    for (const std::string& form : split(ptx::kPublicForms, ' ')) {
        ++forms;
        if (computing_forms().contains(form)) continue;
        const std::string statement = statement_of(form);
        ASSERT_FALSE(statement.empty()) << "no statement for " << form;
        EXPECT_NE(statement.find(form), std::string::npos) << statement;
        EXPECT_EQ(result_of(statement), "") << statement;
    }
    EXPECT_GT(forms, 530u);
}

// The test above can fail.
TEST(OpcodeForms, WhatIsNotEmulatedIsSaid) {
    EXPECT_NE(result_of("txq.width.b32 %r0, [%d1];").find("not emulated: txq.width.b32"), std::string::npos);
    EXPECT_NE(result_of("suld.b.cube.b32.trap {%r0}, [%d1, {%r1, %r1, %r1, %r1}];").find("not emulated: suld.b.cube.b32.trap"), std::string::npos);
}

TEST(OpcodeForms, SpecialRegistersWithoutAValueAreNotEmulated) {
    EXPECT_EQ(result_of("mov.u32 %r0, %total_smem_size;"), "");
    EXPECT_NE(result_of("mov.u32 %r0, %reserved_smem_offset_1;").find("not emulated: mov.u32"), std::string::npos);
    for (const char* statement : {"mov.u32 %r0, %envreg1;", "mov.u32 %r0, %envreg2;"}) {
        EXPECT_NE(result_of(statement).find("synchronisation of the whole grid needs a cooperative launch"), std::string::npos) << statement;
    }
}

// Blocks run as if each were a cluster of its own, which a kernel with clusters must not get to see.
TEST(OpcodeForms, BlocksOfClustersAreNotNumbered) {
    for (const std::string name : {"%clusterid.x", "%nclusterid.z", "%cluster_ctaid.y", "%cluster_nctaid.x", "%cluster_ctarank", "%cluster_nctarank"}) {
        const std::string statement = "mov.u32 %r0, " + name + ";";
        EXPECT_EQ(result_of(statement), "") << name;
        EXPECT_EQ(result_of(statement, ".explicitcluster\n.reqnctapercluster 1, 1, 1\n"), "") << name;
        EXPECT_NE(result_of(statement, ".explicitcluster\n.reqnctapercluster 2, 1, 1\n").find("not emulated: mov.u32"), std::string::npos) << name;
    }
    EXPECT_EQ(result_of("mov.u32 %r0, %ctaid.x;", ".explicitcluster\n.reqnctapercluster 2, 1, 1\n"), "");
}

}  // namespace
}  // namespace optiml::emulator
