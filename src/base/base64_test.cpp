#include "base/base64.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace optiml {
namespace {

std::string encoded(std::string_view text) {
    return to_base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

// RFC 4648, section 10.
TEST(Base64, GivesTheStandardsExamples) {
    EXPECT_EQ(encoded(""), "");
    EXPECT_EQ(encoded("f"), "Zg==");
    EXPECT_EQ(encoded("fo"), "Zm8=");
    EXPECT_EQ(encoded("foo"), "Zm9v");
    EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, ComesBackAsItWas) {
    EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& bytes) { return from_base64(to_base64(bytes)) == bytes; }));
}

TEST(Base64, RefusesWhatItIsNot) {
    EXPECT_FALSE(from_base64("abc"));
    EXPECT_FALSE(from_base64("ab=c"));
    EXPECT_FALSE(from_base64("ab*d"));
    EXPECT_FALSE(from_base64("===="));
}

}  // namespace
}  // namespace optiml
