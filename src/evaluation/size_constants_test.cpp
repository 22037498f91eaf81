#include "evaluation/size_constants.h"

#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace optiml::evaluation {
namespace {

ptx::Module module_with(const std::string& body) {
    auto module = ptx::parse(R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<6>;
    .reg .f32 %f<3>;
    ld.param.u32 %r1, [n];
)" + body + "\nret;\n}\n");
    EXPECT_TRUE(module) << module.error().text();
    return module ? std::move(*module) : ptx::Module{};
}

TEST(SizeConstants, AreThoseThatOnlyTheCandidateComparesWith) {
    const ptx::Module original = module_with("setp.lt.s32 %p1, %r1, 256;");
    const ptx::Module candidate = module_with(R"(setp.lt.s32 %p1, %r1, 256;
setp.eq.s32 %p2, %r1, 777;
setp.gt.u32 %p2, %r1, 300;
setp.gt.s32 %p2, %r1, 1;
setp.gt.s32 %p2, %r1, -5;
setp.gt.s32 %p2, %r1, 2000000;
setp.gt.f32 %p2, %f1, 0f42C80000;
add.s32 %r2, %r1, 99;)");
    EXPECT_EQ(size_constants(candidate, original), (std::vector<std::int64_t>{300, 777}));
    EXPECT_TRUE(size_constants(original, original).empty());
}

}  // namespace
}  // namespace optiml::evaluation
