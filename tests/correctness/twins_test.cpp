// Candidates with one planted fault each are rejected, for the right reason and on the right line.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "suite_kit.h"
#include "task/candidate_file.h"

namespace optiml::evaluation {
namespace {

struct Twin {
    std::string name;
    std::string task;
    std::string kind;
    std::uint32_t line = 0;
    std::string fault;
};
std::ostream& operator<<(std::ostream& stream, const Twin& twin) { return stream << twin.name; }

std::vector<Twin> twins() {
    const toml::table manifest = toml::parse_file(twin_path("manifest.toml"));
    std::vector<Twin> result;
    for (const auto& [name, node] : manifest) {
        const toml::table& entry = *node.as_table();
        result.push_back({std::string(name.str()), *entry["task"].value<std::string>(), *entry["kind"].value<std::string>(),
                          *entry["line"].value<std::uint32_t>(), *entry["fault"].value<std::string>()});
    }
    return result;
}

class WrongTwin : public testing::TestWithParam<Twin> {};

TEST_P(WrongTwin, IsRejectedForItsFault) {
    const Twin& twin = GetParam();
    SuiteKit kit(twin.task);
    const std::string plan = twin_path(twin.name + ".toml");
    const auto candidate = task::load_candidate(kit.task, twin_path(twin.name + ".cu"), kit.disk.exists(plan) ? plan : "", kit.disk);
    ASSERT_TRUE(candidate) << candidate.error().text();
    const Evaluation evaluation = kit.evaluator->evaluate(*candidate);
    RecordProperty("evaluation", text_of(evaluation));
    ASSERT_FALSE(evaluation.accepted) << twin.fault;
    const Finding& finding = *evaluation.first_finding();
    EXPECT_EQ(name_of(finding.kind), twin.kind) << text_of(evaluation);
    const bool on_line = std::any_of(evaluation.findings.begin(), evaluation.findings.end(), [&](const Finding& other) {
        return other.kind == finding.kind && other.line == twin.line;
    });
    EXPECT_TRUE(on_line) << "line " << twin.line << " expected\n" << text_of(evaluation);
    EXPECT_FALSE(finding.message.empty());
    EXPECT_FALSE(finding.kernel.empty());
}

INSTANTIATE_TEST_SUITE_P(Twins, WrongTwin, testing::ValuesIn(twins()), [](const auto& twin) { return twin.param.name; });

}  // namespace
}  // namespace optiml::evaluation
