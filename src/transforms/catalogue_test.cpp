#include "transforms/catalogue.h"

#include <filesystem>
#include <set>

#include <gtest/gtest.h>

namespace optiml::transforms {
namespace {

TEST(Catalogue, NamesAreUniqueAndFound) {
    std::set<std::string_view> names;
    for (const auto& transformation : catalogue()) {
        EXPECT_TRUE(names.insert(transformation->name()).second) << transformation->name();
        EXPECT_EQ(find_transformation(transformation->name()), transformation.get());
    }
    EXPECT_GE(names.size(), 10u);
    EXPECT_EQ(find_transformation("no_such_transformation"), nullptr);
}

TEST(Catalogue, EachHasASummaryABottleneckAndAPage) {
    const std::filesystem::path pages = std::filesystem::path(OPTIML_SOURCE_DIR) / "docs/transformations";
    for (const auto& transformation : catalogue()) {
        EXPECT_TRUE(transformation->summary().ends_with('.')) << transformation->name();
        EXPECT_FALSE(transformation->relieves().empty()) << transformation->name();
        EXPECT_TRUE(std::filesystem::exists(pages / (std::string(transformation->name()) + ".md"))) << transformation->name();
    }
}

}  // namespace
}  // namespace optiml::transforms
