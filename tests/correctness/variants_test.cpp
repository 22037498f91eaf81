// Honest optimised candidates are accepted: no false alarm.

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "suite_kit.h"
#include "task/candidate_file.h"

namespace optiml::evaluation {
namespace {

struct Variant {
    std::string name;
    std::string task;
};
std::ostream& operator<<(std::ostream& stream, const Variant& variant) { return stream << variant.name; }

std::vector<Variant> variants() {
    std::vector<Variant> result;
    for (const auto& [name, node] : toml::parse_file(variant_path("manifest.toml"))) {
        result.push_back({std::string(name.str()), node.as_string()->get()});
    }
    return result;
}

class HonestSuiteVariant : public testing::TestWithParam<Variant> {};

TEST_P(HonestSuiteVariant, IsAccepted) {
    const Variant& variant = GetParam();
    SuiteKit kit(variant.task);
    const std::string plan = variant_path(variant.name + ".toml");
    const auto candidate = task::load_candidate(kit.task, variant_path(variant.name + ".cu"), kit.disk.exists(plan) ? plan : "", kit.disk);
    ASSERT_TRUE(candidate) << candidate.error().text();
    const Evaluation evaluation = kit.evaluator->evaluate(*candidate);
    EXPECT_TRUE(evaluation.accepted) << text_of(evaluation);
    EXPECT_EQ(evaluation.level, Level::L2);
    RecordProperty("evaluation", text_of(evaluation));
}

INSTANTIATE_TEST_SUITE_P(Variants, HonestSuiteVariant, testing::ValuesIn(variants()), [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace optiml::evaluation
