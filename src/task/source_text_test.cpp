#include "task/source_text.h"

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

TEST(SourceText, MayHoldAnyBytesButZeros) {
    EXPECT_TRUE(check_source_text("", "k.cu"));
    EXPECT_TRUE(check_source_text("\xEF\xBB\xBF// \xE4\xFF\n", "k.cu"));
    const Status status = check_source_text(std::string_view("a\nb\0c", 5), "k.cu");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().where, (SourceLocation{"k.cu", 2, 0}));
}

TEST(SourceText, HasALimitThatTheErrorNames) {
    EXPECT_TRUE(check_source_text(std::string(kMostSourceBytes, 'x'), "k.cu"));
    const Status status = check_source_text(std::string(kMostSourceBytes + 1, 'x'), "k.cu");
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().text().find("k.cu: the source has 4194305 bytes; at most 4 MiB"), std::string::npos) << status.error().text();
}

TEST(SourceText, IsReadFromTheDisk) {
    MemoryDisk disk;
    ASSERT_TRUE(disk.write("k.cu", "text"));
    EXPECT_EQ(read_source_text("k.cu", disk).value(), "text");
    EXPECT_FALSE(read_source_text("absent.cu", disk));
}

}  // namespace
}  // namespace optiml::task
