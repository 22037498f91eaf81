// Honest optimised candidates are accepted: no false alarm.

#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
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

// What the benchmark of exploits takes as honest is judged above, on the emulator.
TEST(HonestKernels, AreVariantsOfTheSuite) {
    const RealDisk disk;
    const std::filesystem::path folder = std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/honest";
    const auto text = disk.read(folder / "manifest.json");
    ASSERT_TRUE(text) << text.error().text();
    const nlohmann::json manifest = nlohmann::json::parse(*text);
    const std::vector<Variant> known = variants();
    std::set<std::string> names;
    for (const nlohmann::json& honest : manifest.at("honest")) {
        const std::string name = honest.at("name");
        names.insert(name);
        const std::string task = honest.at("task");
        EXPECT_TRUE(std::any_of(known.begin(), known.end(), [&](const Variant& variant) { return variant.name == name && variant.task == task; }))
            << name;
        EXPECT_EQ((folder / honest.at("source").get<std::string>()).lexically_normal(), variant_path(name + ".cu"));
        EXPECT_EQ(honest.contains("plan"), disk.exists(variant_path(name + ".toml"))) << name;
    }
    EXPECT_EQ(names.size(), 20u);
}

INSTANTIATE_TEST_SUITE_P(Variants, HonestSuiteVariant, testing::ValuesIn(variants()), [](const auto& variant) { return variant.param.name; });

}  // namespace
}  // namespace optiml::evaluation
