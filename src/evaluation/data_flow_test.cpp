#include "evaluation/data_flow.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace optiml::evaluation {
namespace {

struct Case {
    const char* name;
    const char* body;
    bool control = false;    // with the first parameter's memory as the source
    bool addresses = false;  // of the second parameter
};
std::ostream& operator<<(std::ostream& stream, const Case& shown) { return stream << shown.name; }

ptx::Module parse(const std::string& body) {
    auto module = ptx::parse(R"(.version 8.0
.target sm_90
.address_size 64
.global .u32 variable;
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    .shared .align 4 .b8 s[16];
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u32 %r1, [n];
)" + body + "\nDONE: ret;\n}\n");
    EXPECT_TRUE(module) << module.error().text();
    return module ? std::move(*module) : ptx::Module{};
}

class DataDecides : public testing::TestWithParam<Case> {};

TEST_P(DataDecides, ControlOrAddresses) {
    const ptx::Module module = parse(GetParam().body);
    ASSERT_EQ(module.functions.size(), 1u);
    const DataFlow flow(module.functions[0], 1);
    EXPECT_EQ(flow.decides_control(), GetParam().control);
    EXPECT_EQ(flow.decides_addresses(1), GetParam().addresses);
}

INSTANTIATE_TEST_SUITE_P(Kernels, DataDecides, testing::ValuesIn(std::vector<Case>{
    {"a_texel", "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;", true},
    {"a_place_in_a_texture", "ld.global.u32 %r2, [%rd1];\ntex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd2, {%r2}];", false, true},
    {"a_place_in_another_texture", "tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];\nst.global.u32 [%rd2], %r2;"},
    {"neither", "ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;"},
    {"a_guard_of_a_size", "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;"},
    {"a_branch", "ld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;", true},
    {"a_guarded_store", "ld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 st.global.u32 [%rd2], %r1;", true},
    {"a_selection", "ld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\nselp.u32 %r3, 1, 2, %p1;\nst.global.u32 [%rd2], %r3;"},
    {"another_source", "ld.global.u32 %r2, [%rd2];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;"},
    {"an_address", "ld.global.u32 %r2, [%rd1];\ncvt.u64.u32 %rd3, %r2;\nadd.u64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r1;", false, true},
    {"another_address", "ld.global.u32 %r2, [%rd1];\ncvt.u64.u32 %rd3, %r2;\nadd.u64 %rd4, %rd1, %rd3;\nld.global.u32 %r3, [%rd4];\nst.global.u32 [%rd2], %r3;"},
    {"through_shared_memory",
     "ld.global.u32 %r2, [%rd1];\nst.shared.u32 [s], %r2;\nld.shared.u32 %r3, [s];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;", true},
    {"shared_memory_without_data",
     "st.shared.u32 [s], %r1;\nld.shared.u32 %r3, [s];\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;"},
    {"a_counter", "atom.global.add.u32 %r2, [%rd2], 1;\nsetp.eq.u32 %p1, %r2, %r1;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;", true},
    {"a_reduction", "ld.global.u32 %r2, [%rd1];\nred.global.add.u32 [%rd2], %r2;"},
    {"a_module_variable", "ld.global.u32 %r2, [variable];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra DONE;\nst.global.u32 [%rd2], %r1;", true},
}), [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace optiml::evaluation
