// Whatever the catalogue proposes for a kernel of the suite, or for one that reads textures, must be accepted: built, equal to the
// original at all sizes, clean.

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "evaluation/evaluator.h"
#include "experts/catalogue_expert.h"
#include "gpu/compiler.h"

namespace optiml {
namespace {

gpu::Compiler& shared_compiler() {
    static const auto compiler = gpu::load_compiler();
    if (!compiler) throw std::runtime_error(compiler.error().text());
    return **compiler;
}

struct Suite {
    RealDisk disk;
    task::Task task;
    std::unique_ptr<evaluation::EmulatedEvaluator> evaluator;
    std::unique_ptr<experts::Expert> expert;

    // file: the task's, without its ending.
    explicit Suite(const std::string& file) {
        auto loaded = task::load_task(std::string(OPTIML_SOURCE_DIR) + "/" + file + ".toml", disk);
        if (!loaded) throw std::runtime_error(loaded.error().text());
        task = std::move(*loaded);
        evaluation::EmulatedSettings settings;
        settings.time = false;
        settings.edge_sizes = 8;
        settings.own_edge_sizes = 3;
        auto made = evaluation::EmulatedEvaluator::make(task, shared_compiler(), disk, settings);
        if (!made) throw std::runtime_error(made.error().text());
        evaluator = std::move(*made);
        expert = experts::make_catalogue_expert(task, {});
    }
};

std::string path_of(const task::Candidate& candidate) {
    std::string path;
    for (const task::Edit& edit : candidate.edits) {
        path += fmt::format("{} at {} with", edit.transformation, edit.site);
        for (const auto& [name, value] : edit.parameters) path += fmt::format(" {}={}", name, value);
        path += '\n';
    }
    return path;
}

void expect_accepted(Suite& suite, const task::Candidate& candidate) {
    const evaluation::Evaluation evaluation = suite.evaluator->evaluate(candidate);
    if (evaluation.accepted) return;
    const auto* finding = evaluation.first_finding();
    // How many registers the compiler will take is not known before: a block that needs more than there are is a dead end, not a fault.
    if (finding->kind == evaluation::FindingKind::launch && finding->message.starts_with("registers")) return;
    std::string sizes;
    for (const auto& [name, value] : finding->sizes) sizes += fmt::format(" {}={}", name, value);
    ADD_FAILURE() << path_of(candidate) << evaluation::name_of(finding->kind) << ": " << finding->message << ", line " << finding->line
                  << sizes << "\n" << candidate.source;
}

class SuiteTransforms : public ::testing::TestWithParam<const char*> {
protected:
    // Names stand for kernels of the suite.
    static std::string task_file() {
        const std::string name = GetParam();
        return name.find('/') == std::string::npos ? "examples/suite/" + name : name;
    }
};

TEST_P(SuiteTransforms, EveryProposalIsAccepted) {
    Suite suite(task_file());
    const auto proposals = suite.expert->propose(task::original_of(suite.task), {});
    EXPECT_GT(proposals.size(), 10u);
    for (const experts::Proposal& proposal : proposals) {
        const auto candidate = proposal.make();
        ASSERT_TRUE(candidate) << proposal.name << ": " << candidate.error().text();
        expect_accepted(suite, *candidate);
    }
}

// Several transformations one after the other, chosen at random with fixed seeds.
TEST_P(SuiteTransforms, PathsOfProposalsAreAccepted) {
    constexpr int paths = 3;
    constexpr int steps = 4;
    Suite suite(task_file());
    for (int path = 0; path < paths; ++path) {
        task::Candidate candidate = task::original_of(suite.task);
        for (int step = 0; step < steps; ++step) {
            const auto proposals = suite.expert->propose(candidate, {});
            if (proposals.empty()) break;
            auto next = proposals[random_bits(path, step) % proposals.size()].make();
            ASSERT_TRUE(next) << path_of(candidate) << next.error().text();
            candidate = std::move(*next);
        }
        expect_accepted(suite, candidate);
    }
}

// Those that take longest first: what starts last, alone, keeps all others waiting.
INSTANTIATE_TEST_SUITE_P(Suite, SuiteTransforms,
                         ::testing::Values("attention", "conv2d", "histogram", "softmax", "matmul", "batched_matmul", "layernorm", "maxpool3d",
                                           "cross_entropy", "reduction", "relu", "mse", "dot", "reverse", "sigmoid", "sort", "prefix_sum",
                                           "transpose", "monte_carlo", "matrix_copy"),
                         [](const auto& tested) { return std::string(tested.param); });

INSTANTIATE_TEST_SUITE_P(Textures, SuiteTransforms,
                         ::testing::Values("tests/correctness/textures/image_rotation", "tests/correctness/textures/volume_projection"),
                         [](const auto& tested) { return std::filesystem::path(tested.param).stem().string(); });

}  // namespace
}  // namespace optiml
