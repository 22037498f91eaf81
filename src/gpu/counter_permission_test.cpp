#include "gpu/counter_permission.h"

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

TEST(CounterPermission, FollowsTheDriversSetting) {
    EXPECT_EQ(counter_permission_in("ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nPreserveVideoMemoryAllocations: 0\n"), CounterPermission::administrators);
    EXPECT_EQ(counter_permission_in("RmProfilingAdminOnly: 0\n"), CounterPermission::everybody);
    EXPECT_EQ(counter_permission_in("RmProfilingAdminOnly:"), CounterPermission::unknown);
    EXPECT_EQ(counter_permission_in(""), CounterPermission::unknown);
}

}  // namespace
}  // namespace optiml::gpu
