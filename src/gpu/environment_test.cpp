#include "gpu/environment.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

TEST(Environment, EveryMissingThingHasADetailAndAPurpose) {
    const auto checks = check_environment();
    EXPECT_GE(checks.size(), 6u);
    for (const EnvironmentCheck& check : checks) {
        EXPECT_FALSE(check.detail.empty()) << check.name;
        EXPECT_FALSE(check.needed_for.empty()) << check.name;
        EXPECT_TRUE(check.state != CheckState::missing || !check.remedy.empty()) << check.name;
    }
}

TEST(Environment, TheCompilerIsThereWhereTestsRun) {
    const auto checks = check_environment();
    const auto compiler = std::find_if(checks.begin(), checks.end(), [](const auto& check) { return check.name == "NVRTC"; });
    ASSERT_NE(compiler, checks.end());
    EXPECT_EQ(compiler->state, CheckState::present) << compiler->detail;
}

}  // namespace
}  // namespace optiml::gpu
