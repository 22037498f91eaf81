#include "gpu/nsight/csv.h"

#include <gtest/gtest.h>

namespace optiml::gpu::nsight {
namespace {

TEST(NsightCsv, FieldsAndLines) {
    const auto records = read_csv("a,\"b \"\"quoted\"\", c\",\r\n\n==PROF== a message, with commas\n\"two\nlines\",2,3\nlast,,", 10, "f");
    ASSERT_TRUE(records) << records.error().text();
    ASSERT_EQ(records->size(), 3u);
    EXPECT_EQ((*records)[0].fields, (std::vector<std::string>{"a", "b \"quoted\", c", ""}));
    EXPECT_EQ((*records)[0].line, 10u);
    EXPECT_EQ((*records)[1].fields, (std::vector<std::string>{"two\nlines", "2", "3"}));
    EXPECT_EQ((*records)[1].line, 13u);
    EXPECT_EQ((*records)[2].fields, (std::vector<std::string>{"last", "", ""}));
    EXPECT_EQ((*records)[2].line, 15u);
}

TEST(NsightCsv, AnOpenQuoteIsToldWhereItOpens) {
    const auto records = read_csv("a,b\nc,\"d\ne\n", 1, "f.csv");
    ASSERT_FALSE(records);
    EXPECT_EQ(records.error().where.line, 2u);
    EXPECT_EQ(records.error().where.file, "f.csv");
}

}  // namespace
}  // namespace optiml::gpu::nsight
