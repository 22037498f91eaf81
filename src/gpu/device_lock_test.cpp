#include "gpu/device_lock.h"

#include <cstdlib>

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

TEST(DeviceLock, ItsFolderIsForAllUsersButTheirFilesAreTheirOwn) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("optiml_lock_test_" + std::to_string(::getpid()));
    ::setenv("OPTIML_LOCK_FOLDER", folder.c_str(), 1);
    EXPECT_EQ(DeviceLock::folder(), folder);
    EXPECT_EQ(fs::status(folder).permissions(), fs::perms::all | fs::perms::sticky_bit);
    ASSERT_TRUE(DeviceLock::open("card"));
    EXPECT_TRUE(DeviceLock::open("card")) << "a file that is there already is opened";
    EXPECT_EQ(fs::status(folder / "card.lock").permissions(), fs::perms(0666));
    ::unsetenv("OPTIML_LOCK_FOLDER");
    fs::remove_all(folder);
}

}  // namespace
}  // namespace optiml::gpu
