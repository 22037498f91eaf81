#include "process/own_program.h"

#include <gtest/gtest.h>

namespace optiml::process {
namespace {

TEST(OwnProgram, IsThisProcessWhereTheLibraryIsLinkedIntoIt) {
    EXPECT_EQ(own_program(), std::filesystem::read_symlink("/proc/self/exe"));
}

}  // namespace
}  // namespace optiml::process
