#include "experts/catalogue_expert.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace optiml::experts {
namespace {

using diagnosis::Bottleneck;
using diagnosis::Hypothesis;

task::Task row_sums() {
    task::Task task;
    task.source = R"(__global__ void row_sums(const float* x, float* sums, int rows, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = 0; c < cols; ++c) sum += x[row * cols + c];
    sums[row] = sum;
}
)";
    task.kernel = "row_sums";
    task.sizes = {{.name = "rows", .small_value = 7, .large_value = 1000}, {.name = "cols", .small_value = 33, .large_value = 1000}};
    task::Step step;
    step.launch.kernel = "row_sums";
    step.launch.grid[0] = *task::Expression::parse("ceil_div(rows, 128)");
    step.launch.block[0] = task::Expression(128);
    for (const char* buffer : {"x", "sums"}) {
        task.arguments.push_back({.name = buffer, .role = buffer[0] == 'x' ? task::Role::input : task::Role::output});
        step.launch.arguments.push_back({.buffers = {buffer}});
    }
    for (const char* size : {"rows", "cols"}) step.launch.arguments.push_back({.value = *task::Expression::parse(size)});
    task.plan.steps.push_back(step);
    return task;
}

double total_prior(const std::vector<Proposal>& proposals, std::string_view transformation) {
    double total = 0;
    for (const Proposal& proposal : proposals) {
        if (proposal.name.starts_with(transformation)) total += proposal.prior;
    }
    return total;
}

TEST(CatalogueExpert, ProposesEverythingWithUniqueNamesInTheSameOrder) {
    const task::Task task = row_sums();
    const auto expert = make_catalogue_expert(task, {});
    const auto proposals = expert->propose(task::original_of(task), {});
    ASSERT_GT(proposals.size(), 20u);
    std::set<std::string> names;
    for (const Proposal& proposal : proposals) {
        EXPECT_TRUE(names.insert(proposal.name).second) << proposal.name;
        EXPECT_GT(proposal.prior, 0);
    }
    const auto again = expert->propose(task::original_of(task), {});
    EXPECT_TRUE(std::equal(proposals.begin(), proposals.end(), again.begin(), again.end(),
                           [](const Proposal& a, const Proposal& b) { return a.name == b.name && a.prior == b.prior; }));
}

TEST(CatalogueExpert, ProposalsMakeCandidatesAfterTheExpertHasMovedOn) {
    const task::Task task = row_sums();
    const auto expert = make_catalogue_expert(task, {});
    auto proposals = expert->propose(task::original_of(task), {});
    const auto found = std::find_if(proposals.begin(), proposals.end(), [](const Proposal& proposal) {
        return proposal.name == "shared_row_loop(threads_per_row=32) at row loops of row in row_sums, line 2";
    });
    ASSERT_NE(found, proposals.end());
    const auto candidate = found->make();
    ASSERT_TRUE(candidate) << candidate.error().text();
    EXPECT_NE(candidate->source.find("warp_sum"), std::string::npos);
    EXPECT_FALSE(expert->propose(*candidate, {}).empty());
}

TEST(CatalogueExpert, PriorsFollowTheDiagnosis) {
    const task::Task task = row_sums();
    const auto expert = make_catalogue_expert(task, {});
    const std::vector<Hypothesis> uncoalesced = {{.bottleneck = Bottleneck::uncoalesced_access, .weight = 0.9}};
    const std::vector<Hypothesis> registers = {{.bottleneck = Bottleneck::registers, .weight = 0.9}};
    const auto first = expert->propose(task::original_of(task), uncoalesced);
    const auto second = expert->propose(task::original_of(task), registers);
    EXPECT_GT(total_prior(first, "shared_row_loop"), 5 * total_prior(first, "launch_bounds"));
    EXPECT_GT(total_prior(second, "launch_bounds"), 5 * total_prior(second, "shared_row_loop"));
}

TEST(CatalogueExpert, HasNothingToSayAboutASourceThatDoesNotCompile) {
    const task::Task task = row_sums();
    const auto expert = make_catalogue_expert(task, {});
    task::Candidate broken = task::original_of(task);
    broken.source += "\nint x = ;\n";
    EXPECT_TRUE(expert->propose(broken, {}).empty());
}

}  // namespace
}  // namespace optiml::experts
