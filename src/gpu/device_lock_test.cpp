#include "gpu/device_lock.h"

#include <unistd.h>

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

TEST(DeviceLock, OneHolderAtATime) {
    const std::string name = "test-" + std::to_string(::getpid());
    auto first = DeviceLock::open(name);
    auto second = DeviceLock::open(name);
    ASSERT_TRUE(first && second);
    EXPECT_TRUE(first->acquire(1));
    EXPECT_FALSE(second->acquire(0.05));
    first->release();
    EXPECT_TRUE(second->acquire(1));
    {
        const DeviceLock dropped = std::move(*second);
    }
    EXPECT_TRUE(first->acquire(1)) << "a holder that goes frees the lock";
}

}  // namespace
}  // namespace optiml::gpu
