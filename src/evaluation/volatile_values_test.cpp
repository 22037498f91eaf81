#include "evaluation/volatile_values.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace optiml::evaluation {
namespace {

struct Case {
    const char* name;
    const char* body;
    bool is_found = false;
};
std::ostream& operator<<(std::ostream& stream, const Case& shown) { return stream << shown.name; }

Build build_of(const std::string& body) {
    auto module = ptx::parse(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<6>;
    .shared .align 4 .b8 s[16];
    ld.param.u64 %rd1, [a];
)" + body + "\nDONE: ret;\n}\n");
    EXPECT_TRUE(module) << module.error().text();
    Build build;
    build.kernels = {{"k", "k"}};
    if (module) build.module = std::make_shared<const ptx::Module>(std::move(*module));
    return build;
}

class VolatileResult : public testing::TestWithParam<Case> {};

TEST_P(VolatileResult, IsFound) {
    const auto finding = find_volatile_result(build_of(GetParam().body));
    EXPECT_EQ(finding.has_value(), GetParam().is_found);
    if (!finding) return;
    EXPECT_EQ(finding->kind, FindingKind::nondeterministic);
    EXPECT_EQ(finding->kernel, "k");
}

INSTANTIATE_TEST_SUITE_P(Kernels, VolatileResult, testing::ValuesIn(std::vector<Case>{
    {"nothing", "mov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;"},
    {"unused_clock", "mov.u32 %r1, %clock;\nst.global.u32 [%rd1], 1;"},
    {"sleeps_by_clock", "mov.u32 %r1, %clock;\nnanosleep.u32 %r1;\nst.global.u32 [%rd1], 1;"},
    {"stores_clock", "mov.u32 %r1, %clock;\nadd.u32 %r2, %r1, 1;\nst.global.u32 [%rd1], %r2;", true},
    {"branches_by_timer", "mov.u64 %rd2, %globaltimer;\nsetp.eq.u64 %p1, %rd2, 5;\n@%p1 bra DONE;\nst.global.u32 [%rd1], 1;", true},
    {"selects_by_clock", "mov.u64 %rd2, %clock64;\nsetp.eq.u64 %p1, %rd2, 5;\nselp.u32 %r1, 1, 2, %p1;\nst.global.u32 [%rd1], %r1;", true},
    {"addresses_by_clock", "mov.u64 %rd2, %clock64;\nand.b64 %rd2, %rd2, 4;\nadd.u64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], 1;", true},
    {"addresses_by_multiprocessor", "mov.u32 %r1, %smid;\nmul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd3, %rd1, %rd2;\nred.global.add.u32 [%rd3], 1;"},
    {"stores_multiprocessor", "mov.u32 %r1, %smid;\nst.global.u32 [%rd1], %r1;", true},
    {"stores_warp_slot_by_shared_memory", "mov.u32 %r1, %warpid;\nst.shared.u32 [s], %r1;\nld.shared.u32 %r2, [s];\nst.global.u32 [%rd1], %r2;", true},
}), [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace optiml::evaluation
