#include "base/disk.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace optiml {
namespace {

namespace fs = std::filesystem;

class RealDiskTest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    void TearDown() override { fs::remove_all(folder_); }

    std::string problem_of_reading(const fs::path& path) const {
        const Result<std::string> bytes = disk_.read(path);
        return bytes ? "" : bytes.error().message;
    }

    const fs::path folder_ = fs::temp_directory_path() / ("optiml_disk_" + std::to_string(::getpid()));
    RealDisk disk_;
};

TEST_F(RealDiskTest, ReadsWhatItWrote) {
    ASSERT_TRUE(disk_.write(folder_ / "a" / "b", std::string("x\0y", 3)));
    EXPECT_EQ(disk_.read(folder_ / "a" / "b").value(), std::string("x\0y", 3));
}

TEST_F(RealDiskTest, TellsWhatIsNoFile) {
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_NE(problem_of_reading(folder_).find("folder"), std::string::npos);
    EXPECT_NE(problem_of_reading(folder_ / "pipe").find("pipe"), std::string::npos);
    EXPECT_NE(problem_of_reading("/dev/zero").find("device"), std::string::npos);
    EXPECT_NE(problem_of_reading(folder_ / "absent").find("No such file"), std::string::npos);
}

TEST_F(RealDiskTest, TellsAFileThatIsTooLarge) {
    ASSERT_TRUE(disk_.write(folder_ / "large", "x"));
    fs::resize_file(folder_ / "large", kMostFileBytes + 1);  // sparse
    EXPECT_NE(problem_of_reading(folder_ / "large").find("4 GiB"), std::string::npos);
}

TEST_F(RealDiskTest, TellsBeforeWritingWhetherItCould) {
    ASSERT_TRUE(disk_.write(folder_ / "file", ""));
    EXPECT_TRUE(disk_.check_writable(folder_ / "not" / "yet" / "there"));
    EXPECT_FALSE(fs::exists(folder_ / "not"));
    const Status status = disk_.check_writable(folder_ / "file" / "below");
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("no folder"), std::string::npos);
}

}  // namespace
}  // namespace optiml
