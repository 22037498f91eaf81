#include "gpu/source_bytes.h"

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

TEST(ReadableSource, LeavesUtf8AsItIs) {
    for (const char* text : {"", "int a;\n", "// \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\n"}) EXPECT_EQ(readable_source(text), text);
}

TEST(ReadableSource, KeepsEveryLineAndColumn) {
    EXPECT_EQ(readable_source("\xEF\xBB\xBFint a;\n"), "   int a;\n");
    EXPECT_EQ(readable_source("// M\xFCller\xE4\n\xA9"), "// M?ller?\n?");
    EXPECT_EQ(readable_source("\xE2\x82"), "??");        // cut off
    EXPECT_EQ(readable_source("\xC0\x80\x80"), "???");   // overlong, and a continuation of nothing
}

}  // namespace
}  // namespace optiml::gpu
