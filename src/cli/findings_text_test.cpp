#include "cli/findings_text.h"

#include <gtest/gtest.h>

namespace optiml::cli {
namespace {

evaluation::Finding finding_with(const std::string& pattern) {
    evaluation::Finding finding{evaluation::FindingKind::wrong_values, "element 3 of 'y' is nan", "k.cu", 7, "k"};
    finding.sizes = {{"n", 5}};
    finding.pattern = pattern;
    return finding;
}

TEST(FindingsText, NamesTheValuesAtWhichAFaultShows) {
    EXPECT_EQ(finding_text(finding_with("one_nan")),
              "k.cu:7: wrong_values: element 3 of 'y' is nan (kernel k, block 0,0,0, thread 0,0,0, n = 5, values: one_nan)");
    EXPECT_EQ(finding_text(finding_with("declared")), "k.cu:7: wrong_values: element 3 of 'y' is nan (kernel k, block 0,0,0, thread 0,0,0, n = 5)");
    EXPECT_EQ(finding_json(finding_with("one_nan")).at("values"), "one_nan");
}

}  // namespace
}  // namespace optiml::cli
