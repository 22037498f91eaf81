#include "ptx/normalize.h"

#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

constexpr const char* kOriginal = R"(.version 9.0
.target sm_90
.address_size 64
.entry k(.param .u64 k_param_0)
{
	.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
	ld.param.u64 %rd1, [k_param_0];
	mov.u32 %r1, %tid.x;
$L__BB0_1:
	add.s32 %r2, %r1, 1;
	{ .reg .b32 %t; mov.b32 %t, %r2; st.global.u32 [%rd1+4], %t; }
	setp.lt.s32 %p1, %r2, 100;
	@%p1 bra $L__BB0_1;
	ret;
}
)";

// Other names, numbers, layout, comments and debug information; the same code.
constexpr const char* kSame = R"(.version 8.4
.target sm_90 // comment
.address_size 64
	.file 1 "kernel.cu"
.visible .entry k(
	.param .u64 other_name
)
{
	.reg .pred %p<20>; .reg .b32 %r<900>, unused; .reg .b64 %rd<9>;
	.loc 1 2 3
	ld.param.u64 	%rd7, [other_name+0];
	mov.u32 %r800, %tid.x;
LOOP: /* more */
	.loc 1 5 9
	add.s32 %r12, %r800, 0x1;
	{ .reg .b32 inner; mov.b32 inner, %r12; st.global.u32 [%rd7+4], inner; }
	setp.lt.s32 %p13, %r12, 100;
	@%p13 bra LOOP; ret;
}
	.section .debug_str { $L__info_string0: .b8 95, 0 }
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const auto place = text.find(from);
    EXPECT_NE(place, std::string::npos) << from;
    return text.replace(place, from.size(), to);
}

TEST(Normalize, EqualCodeGivesEqualText) {
    EXPECT_EQ(normalized_text(kOriginal), normalized_text(kSame));
    EXPECT_EQ(normalized_text(kOriginal), normalized_text(parsed(kOriginal)));
}

TEST(Normalize, WhateverChangesTheProgramChangesTheText) {
    const struct {
        const char* from;
        const char* to;
    } rows[] = {
        {"sm_90", "sm_80"},
        {"%r1, 1;", "%r1, 2;"},
        {"add.s32 %r2, %r1", "add.s32 %r2, %r2"},
        {"[%rd1+4]", "[%rd1+8]"},
        {"setp.lt", "setp.le"},
        {"@%p1 bra", "@!%p1 bra"},
        {"{ .reg .b32 %t;", "{ .reg .b64 %t;"},
        {"add.s32", ".pragma \"nounroll\"; add.s32"},
        {"%tid.x", "%tid.y"},
        {"\tret;", "\texit;"},
        {".param .u64 k_param_0", ".param .u64 .ptr .align 16 k_param_0"},
        {")\n{", ") .maxntid 128, 1, 1\n{"},
        {".entry k", ".global .u32 g; .entry k"},
        {".entry k", ".entry other"},
        {"\tret;", "\tfuture.instruction %r1; ret;"},
    };
    for (const auto& row : rows) {
        const std::string changed = replaced(kOriginal, row.from, row.to);
        ASSERT_TRUE(parse(changed)) << parse(changed).error().text();
        EXPECT_NE(normalized_text(changed), normalized_text(kOriginal)) << row.from << " -> " << row.to;
    }
}

TEST(Normalize, InitialValuesCount) {
    EXPECT_NE(normalized_text(".global .u32 m[2] = {1, 2};"), normalized_text(".global .u32 m[2] = {1, 3};"));
    EXPECT_NE(normalized_text(".global .u32 m[2];"), normalized_text(".global .u32 m[2] = {};"));
    EXPECT_NE(normalized_text(".global .u64 a; .global .u64 m = a;"),
              normalized_text(".global .u64 a; .global .u64 m = generic(a);"));
}

TEST(Normalize, CallsAndVectorsAreWrittenOut) {
    const std::string body = R"({
	prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
	.param .b32 a; .param .b32 r;
	call (r), %rd1, (a), prototype_0;
	mov.b64 {_, %r1}, %rd2;
	@!%p1 mov.u32 %r2, 0f3F800000;
	setp.eq.and.s32 %p2, %r1, %r2, !%p1; })";
    const std::string text = normalized_text(kernel_text(body));
    EXPECT_NE(text.find("call $4+0 <- %b64_0 $3+0 prototype0"), std::string::npos) << text;
    EXPECT_NE(text.find("mov.b64 { _ %b32_1} <- %b64_2"), std::string::npos) << text;
    EXPECT_NE(text.find("@!%pred_3 mov.u32 %b32_4 <- 0x3f800000f"), std::string::npos) << text;
    EXPECT_NE(text.find("!%pred_3\n"), std::string::npos) << text;
    EXPECT_NE(text, normalized_text(kernel_text(replaced(body, "(.param .b32 _) _", "(.param .b64 _) _"))));
}

TEST(Normalize, TextThatDoesNotParseStaysAsItIs) { EXPECT_EQ(normalized_text("no { PTX"), "no { PTX"); }

}  // namespace
}  // namespace optiml::ptx
