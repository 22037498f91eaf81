#include "base/result.h"

#include <gtest/gtest.h>

namespace optiml {
namespace {

TEST(Error, TextNamesPlaceMessageAndRemedy) {
    const Status status = user_error("unknown size 'm'", {"a.toml", 3, 7}, "Add m to [sizes].");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().text(), "a.toml:3:7: unknown size 'm'\n  Add m to [sizes].");
}

TEST(Error, TextLeavesOutWhatIsUnknown) {
    const Status status = environment_error("no NVRTC");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().text(), "no NVRTC");
}

}  // namespace
}  // namespace optiml
