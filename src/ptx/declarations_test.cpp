// Module-level declarations: variables, initial values, parameters, debug information.

#include "ptx/testing.h"

namespace optiml::ptx {
namespace {

using Bytes = std::vector<std::uint8_t>;

const Variable& only_variable(const Module& module) {
    EXPECT_EQ(module.variables.size(), 1u);
    return module.variables.at(0);
}

TEST(Declarations, HeaderOfTheModule) {
    const Module module = parsed(".version 8.10\n.target sm_90a, texmode_independent, debug\n.address_size 64\n");
    EXPECT_EQ(module.version_major, 8u);
    EXPECT_EQ(module.version_minor, 10u);
    EXPECT_EQ(module.target, "sm_90a");
    EXPECT_EQ(module.address_bits, 64u);
}

TEST(Declarations, InitialValuesShorterThanTheArray) {
    const Module module = parsed(".const .align 4 .b8 t[16] = {0, 0, 16, 65};");
    const Variable& variable = only_variable(module);
    EXPECT_EQ(variable.space, Space::constant);
    EXPECT_EQ(variable.bytes, 16u);
    EXPECT_EQ(variable.alignment, 4u);
    EXPECT_EQ(variable.initial, (Bytes{0, 0, 16, 65}));
    EXPECT_TRUE(variable.initialized);
}

TEST(Declarations, InitialValuesOfEveryWidth) {
    const struct {
        const char* text;
        Bytes bytes;
    } rows[] = {
        {".global .align 1 .u8 m = 15;", {15}},
        {".global .s16 m = -2;", {0xfe, 0xff}},
        {".global .u32 m[2] = {1, 0x80000000};", {1, 0, 0, 0, 0, 0, 0, 0x80}},
        {".global .f32 m = 0f3F800000;", {0, 0, 0x80, 0x3f}},
        {".global .f32 m = -1.0;", {0, 0, 0x80, 0xbf}},
        {".global .f64 m = 0d3FF0000000000000;", {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
        {".global .f64 m = -2.0;", {0, 0, 0, 0, 0, 0, 0, 0xc0}},
        {".global .u64 m = 1 << 40;", {0, 0, 0, 0, 0, 1, 0, 0}},
        {".global .u8 m[2][3] = {{1, 2}, {4}};", {1, 2, 0, 4}},
        {".global .v2 .u8 m[2] = {{1, 2}, {3, 4}};", {1, 2, 3, 4}},
        {".global .u8 m[3] = {};", {}},
    };
    for (const auto& row : rows) EXPECT_EQ(only_variable(parsed(row.text)).initial, row.bytes) << row.text;
}

TEST(Declarations, AnEmptyDimensionTakesItsSizeFromTheValues) {
    EXPECT_EQ(only_variable(parsed(".global .u32 m[] = {1, 2, 3};")).bytes, 12u);
    EXPECT_EQ(only_variable(parsed(".global .u8 m[][4] = {{1}, {2}};")).bytes, 8u);
}

TEST(Declarations, AddressesInInitialValues) {
    const Module module = parsed(R"(
.func f(.param .b64 a);
.global .align 4 .b8 tab[16];
.global .align 8 .u64 vtable[4] = {0, 0, f, later};
.global .align 8 .u64 pointers[2] = {generic(tab)+4, tab+8};
.global .align 1 .b8 packed[9] = {7, 0xFF(generic(tab)), 0xFF00(generic(tab)), 0xFF0000(generic(tab)), 0xFF000000(generic(tab)),
  0xFF00000000(generic(tab)), 0xFF0000000000(generic(tab)), 0xFF000000000000(generic(tab)), 0xFF00000000000000(generic(tab))};
.func later() { ret; }
)");
    ASSERT_EQ(module.variables.size(), 4u);
    const auto& vtable = module.variables[1].relocations;
    ASSERT_EQ(vtable.size(), 2u);
    EXPECT_TRUE(vtable[0].is_function);
    EXPECT_EQ(vtable[0].offset, 16u);
    EXPECT_EQ(module.functions[vtable[0].index].name, "f");
    EXPECT_EQ(module.functions[vtable[1].index].name, "later");
    EXPECT_EQ(module.variables[1].initial.size(), 32u);
    const auto& pointers = module.variables[2].relocations;
    ASSERT_EQ(pointers.size(), 2u);
    EXPECT_FALSE(pointers[0].is_function);
    EXPECT_TRUE(pointers[0].generic);
    EXPECT_EQ(pointers[0].addend, 4u);
    EXPECT_FALSE(pointers[1].generic);
    EXPECT_EQ(pointers[1].addend, 8u);
    EXPECT_EQ(pointers[1].index, 0u);
    const auto& packed = module.variables[3].relocations;
    ASSERT_EQ(packed.size(), 1u);
    EXPECT_EQ(packed[0].offset, 1u);
    EXPECT_EQ(packed[0].size, 8u);
    EXPECT_EQ(module.variables[3].initial[0], 7u);
}

TEST(Declarations, SymbolsWithDollarsAndManglingParse) {
    const std::string name = "_ZN48_INTERNAL_" + std::string(400, 'x') + "4cuda3std3__45__cpo5beginE";
    const Module module = parsed(
        ".global .align 1 .b8 $str[3] = {37, 100, 0}; .global .align 1 .b8 $str$1[1];\n"
        ".global .align 1 .b8 __unnamed_1[2] = {65}; .global .align 1 .b8 " +
        name + "[1];");
    ASSERT_EQ(module.variables.size(), 4u);
    EXPECT_EQ(module.variables[0].name, "$str");
    EXPECT_EQ(module.variables[1].name, "$str$1");
    EXPECT_EQ(module.variables[3].name, name);
    EXPECT_FALSE(module.variables[3].initialized);
}

TEST(Declarations, DynamicSharedMemoryHasNoSize) {
    const Module module = parsed(".extern .shared .align 16 .b8 smem[]; .extern .shared .align 4 .f32 other[];");
    ASSERT_EQ(module.variables.size(), 2u);
    for (const Variable& variable : module.variables) {
        EXPECT_EQ(variable.space, Space::shared);
        EXPECT_TRUE(variable.is_extern);
        EXPECT_EQ(variable.bytes, 0u);
    }
    EXPECT_EQ(module.variables[0].alignment, 16u);
}

TEST(Declarations, ManagedAndLinkage) {
    const Module module = parsed(R"(
.global .attribute(.managed) .align 4 .u32 zeros_size;
.visible .global .align 4 .u32 a, b;
.weak .const .f64 c;
.extern .global .align 4 .b8 elsewhere[8];
.global .align 4 .b8 elsewhere[8] = {1};
)");
    ASSERT_EQ(module.variables.size(), 5u);
    EXPECT_TRUE(module.variables[0].managed);
    EXPECT_FALSE(module.variables[1].managed);
    EXPECT_EQ(module.variables[2].name, "b");
    EXPECT_EQ(module.variables[3].bytes, 8u);
    EXPECT_EQ(module.variables[3].alignment, 8u);
    EXPECT_EQ(module.variables[4].name, "elsewhere");
    EXPECT_FALSE(module.variables[4].is_extern);
    EXPECT_EQ(module.variables[4].initial, (Bytes{1}));
}

TEST(Declarations, ParametersHaveSizesAndOffsets) {
    const Module module = parsed(R"(
.visible .entry k(
	.param .u8 k_param_0,
	.param .u64 .ptr .align 1 k_param_1,
	.param .align 8 .b8 k_param_2[20],
	.param .f32 k_param_3,
	.param .u64 .ptr .global .align 16 k_param_4
) { ret; }
)");
    const auto& parameters = module.functions[0].parameters;
    ASSERT_EQ(parameters.size(), 5u);
    const std::uint64_t offsets[] = {0, 8, 16, 36, 40};
    const std::uint64_t sizes[] = {1, 8, 20, 4, 8};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(parameters[i].offset, offsets[i]) << i;
        EXPECT_EQ(parameters[i].bytes, sizes[i]) << i;
    }
    EXPECT_EQ(parameters[1].pointer_alignment, 1u);
    EXPECT_EQ(parameters[4].pointer_alignment, 16u);
    EXPECT_EQ(parameters[2].pointer_alignment, 0u);
    EXPECT_EQ(parameters[2].alignment, 8u);
    EXPECT_EQ(parameters[0].type, Type::u8);
}

TEST(Declarations, KernelsWithAndWithoutLinkageAndTheirBounds) {
    const Module module = parsed(R"(
.entry plain() { ret; }
.visible .entry bounded()
.maxntid 256, 1, 1
.minnctapersm 2
.maxnreg 64
{ ret; }
.weak .entry required() .reqntid 32 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
)");
    ASSERT_EQ(module.functions.size(), 3u);
    EXPECT_NE(module.find_kernel("plain"), nullptr);
    EXPECT_EQ(module.find_kernel("absent"), nullptr);
    const Function& bounded = *module.find_kernel("bounded");
    EXPECT_EQ(bounded.max_threads[0], 256u);
    EXPECT_EQ(bounded.max_threads[2], 1u);
    EXPECT_EQ(bounded.min_blocks_per_sm, 2u);
    EXPECT_EQ(bounded.max_registers, 64u);
    const Function& required = *module.find_kernel("required");
    EXPECT_EQ(required.required_threads[0], 32u);
    EXPECT_EQ(required.required_threads[1], 1u);
    EXPECT_EQ(required.max_threads[0], 0u);
    EXPECT_EQ(required.cluster[0], 2u);
}

TEST(Declarations, DebugInformationIsSkippedAndPlacesAreKept) {
    const Module module = parsed(R"(
.entry k()
{
	.reg .b32 %r<9>;
	.loc	1 3 0
	mov.u32 %r1, 1;
	.loc	2 631 1, function_name $L__info_string0, inlined_at 1 94 5
	mov.u32 %r2, 2;
	.loc	2 11 38, function_name $L__info_string1+4, inlined_at 1 20 3
	mov.u32 %r3, 3;
	.loc	3 10 38, function_name $L__info_string2, inlined_at 2 11 38
	mov.u32 %r4, 4;
	.loc	1 4 7
	mov.u32 %r5, 5;
	ret;
$L__func_end0:
}
	.file	1 "/home/user/kernel.cu", 1700000000, 4711
	.file	2 "/usr/include/sm_32.hpp"
	.file	3 "deep.h"
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90,0
	.b32 .debug_line
	}
)");
    EXPECT_EQ(module.files, (std::vector<std::string>{"/home/user/kernel.cu", "/usr/include/sm_32.hpp", "deep.h"}));
    const auto& instructions = module.functions[0].instructions;
    EXPECT_EQ(instructions[0].place, (Place{0, 3}));
    EXPECT_EQ(instructions[0].inlined_at.line, 0u);
    EXPECT_EQ(instructions[1].place, (Place{1, 631}));
    EXPECT_EQ(instructions[1].inlined_at, (Place{0, 94}));
    EXPECT_EQ(instructions[2].inlined_at, (Place{0, 20}));
    // Inlined into inlined code: the outermost call site counts.
    EXPECT_EQ(instructions[3].place, (Place{2, 10}));
    EXPECT_EQ(instructions[3].inlined_at, (Place{0, 20}));
    EXPECT_EQ(instructions[4].place, (Place{0, 4}));
    EXPECT_EQ(instructions[4].inlined_at.line, 0u);
}

TEST(Declarations, WhatIsOutOfPlaceIsAnError) {
    const struct {
        const char* text;
        const char* message;
    } rows[] = {
        {".global .u8 m[2] = {1, 2, 3};", "more values than elements"},
        {".global .u8 m[2] = {{1}, {2}};", "more nested braces than dimensions"},
        {".global .u8 m[99999999999999];", "an array must have a size"},
        {".global .u8 m[1048576][1048576][2];", "array is too large"},
        {".global .u8 m[0];", "an array must have a size"},
        {".global .u8 m[][1099511627776] = {{1}, {2}};", "initial value is too large"},
        {".global .pred m;", "a variable cannot have this type"},
        {".global .align 3 .u8 m;", "an alignment must be a power of two"},
        {".global .align 4 m;", "a type expected"},
        {".global .u32 m; .global .u32 m;", "'m' is declared twice"},
        {".global .u64 m = nowhere;", "'nowhere' is not declared"},
        {".global .u8 m[2] = {0xFF00(m), 0};", "bytes of an address are not in order"},
        {".global .u8 m[2] = {0xF0(m), 0};", "address mask is not one byte"},
        {".func f() { ret; } .func f() { ret; }", "'f' is declared twice"},
        {".entry k(", "')' expected, but the text ends"},
        {".entry k() { ret;", "'}' expected, but the text ends"},
        {".entry k() { .shared .u32 s = 1; }", "only .global and .const variables have initial values"},
        {".section .debug_str { ", "'}' expected, but the text ends"},
        {".version x", "malformed version"},
        {".alias a, b;", "an alias needs a function"},
        {".nonsense", "'.nonsense' is no directive of a module"},
        {".file 1 name", "a file name expected, but 'name' found"},
    };
    for (const auto& row : rows) {
        const std::string message = parse_error(row.text);
        EXPECT_NE(message.find(row.message), std::string::npos) << row.text << ": " << message;
    }
}

}  // namespace
}  // namespace optiml::ptx
