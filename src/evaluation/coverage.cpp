#include "evaluation/coverage.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "evaluation/data_flow.h"
#include "evaluation/locate.h"

namespace optiml::evaluation {
namespace {

constexpr double kWhole = 0.95;           // at least, at the small sizes
constexpr double kWholeOfSample = 0.9;    // the last blocks of a sample may hold less
constexpr double kFallen = 0.8;           // less than this leaves something out
constexpr double kErrors = 3;             // standard errors that an estimate is trusted to
constexpr std::uint64_t kParts = 64;      // of a grid, one block of each of which settles a share
constexpr std::uint64_t kLeastParts = 8;  // fewer say nothing
constexpr double kSettlingInstructions = 2e7;

std::uint64_t count_of(const emulator::BufferFootprint& footprint, Direction direction) {
    return direction == Direction::read ? footprint.read : footprint.written;
}

// The set of parameters that are buffers of the plan for which the predicate holds.
template <class Predicate>
ParameterFlow::Parameters parameters_where(const task::ResolvedStep& step, Predicate holds) {
    ParameterFlow::Parameters parameters = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(step.arguments.size(), 64); ++i) {
        if (step.arguments[i].is_buffer && holds(step.arguments[i].buffer)) parameters |= ParameterFlow::Parameters{1} << i;
    }
    return parameters;
}

std::string percent(double share) {
    return share > 0.1 ? fmt::format("{:.0f} %", 100 * std::min(share, 1.0)) : fmt::format("{:.2g} %", 100 * share);
}

// Whether a step hands the buffer to its kernel.
bool takes(const task::ResolvedStep& step, std::size_t buffer) {
    return std::any_of(step.arguments.begin(), step.arguments.end(),
                       [&](const task::ResolvedArgument& argument) { return argument.is_buffer && argument.buffer == buffer; });
}

bool takes(const task::ResolvedPlan& plan, const SampledLaunch& launch, std::size_t buffer) {
    return std::any_of(launch.group.members.begin(), launch.group.members.end(), [&](std::size_t step) { return takes(plan.steps[step], buffer); });
}

// The buffers that stand in the launch that was run where a member of its group has this one.
std::set<std::size_t> counterparts(const task::ResolvedStep& run, const task::ResolvedStep& member, std::size_t buffer) {
    std::set<std::size_t> found;
    for (std::size_t i = 0; i < std::min(run.arguments.size(), member.arguments.size()); ++i) {
        if (run.arguments[i].is_buffer && member.arguments[i].is_buffer && member.arguments[i].buffer == buffer) found.insert(run.arguments[i].buffer);
    }
    return found;
}

// Elements that a block touches of the buffer, on average, summed over the group's launches; and that sum's variance.
struct BlockMean {
    double mean = 0;
    double variance = 0;
};

BlockMean mean_of(const SampledLaunch& launch, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction) {
    std::vector<double> counts(launch.footprints.size());
    for (const std::size_t member : launch.group.members) {
        for (const std::size_t counterpart : counterparts(plan.steps[launch.group.step], plan.steps[member], buffer)) {
            for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += static_cast<double>(count_of(launch.footprints[i].buffers[counterpart], direction));
        }
    }
    const auto sampled = static_cast<double>(counts.size());
    BlockMean result;
    for (const double count : counts) result.mean += count / sampled;
    if (counts.size() == launch.blocks) return result;
    for (const double count : counts) result.variance += (count - result.mean) * (count - result.mean) / sampled / sampled;
    return result;
}

}  // namespace

std::optional<Share> share_of(const std::vector<SampledLaunch>& launches, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction) {
    if (plan.buffers[buffer].elements == 0) return std::nullopt;
    Share share;
    double variance = 0;
    for (const SampledLaunch& launch : launches) {
        if (!takes(plan, launch, buffer)) continue;
        if (launch.footprints.empty()) return std::nullopt;
        const BlockMean block = mean_of(launch, plan, buffer, direction);
        const double scale = static_cast<double>(launch.blocks) / static_cast<double>(plan.buffers[buffer].elements);
        share.value += scale * block.mean;
        variance += scale * scale * block.variance;
    }
    share.error = std::sqrt(variance);
    return share;
}

double share_of(const std::vector<emulator::BufferFootprint>& touched, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction) {
    const std::uint64_t elements = plan.buffers[buffer].elements;
    if (elements == 0 || buffer >= touched.size()) return 0;
    return static_cast<double>(count_of(touched[buffer], direction)) / static_cast<double>(elements);
}

bool is_foreseeable(const Build& build, const task::ResolvedPlan& plan, std::size_t buffer, Direction direction) {
    const auto any = [](std::size_t) { return true; };
    const auto is_written = [&](std::size_t i) { return plan.buffers[i].role != task::Role::input; };
    for (const task::ResolvedStep& step : plan.steps) {
        if (step.is_clear || !takes(step, buffer)) continue;
        const ptx::Function& kernel = *build.module->find_kernel(build.find(step.kernel)->lowered_name);
        const DataFlow data(kernel, parameters_where(step, any));
        if (direction == Direction::read && data.decides_control()) return false;
        if (direction == Direction::written && DataFlow(kernel, parameters_where(step, is_written)).decides_control()) return false;
        for (std::uint32_t i = 0; i < step.arguments.size(); ++i) {
            if (step.arguments[i].is_buffer && step.arguments[i].buffer == buffer && data.decides_addresses(i)) return false;
        }
    }
    return true;
}

std::vector<WholeBuffer> whole_buffers(const std::vector<emulator::BufferFootprint>& small, const task::ResolvedPlan& small_plan,
                                       const std::vector<SampledLaunch>& large, const task::ResolvedPlan& large_plan) {
    std::vector<WholeBuffer> whole;
    for (const Direction direction : {Direction::written, Direction::read}) {
        for (std::size_t i = 0; i < small_plan.buffers.size() && !small_plan.buffers[i].is_scratch; ++i) {
            const auto share = share_of(large, large_plan, i, direction);
            if (share && share->value >= kWholeOfSample && share_of(small, small_plan, i, direction) >= kWhole) whole.push_back({i, direction});
        }
    }
    return whole;
}

CoverageCheck::CoverageCheck(const VerificationContext& context, const Build& build, const task::Candidate& candidate,
                             const task::ResolvedPlan& plan, Workspace& workspace, const SampledRun& run, const Deadline& deadline)
    : context_(context),
      build_(build),
      candidate_(candidate),
      plan_(plan),
      workspace_(workspace),
      deadline_(deadline),
      launches_(run.launches),
      is_settled_(run.launches.size()) {}

std::optional<Finding> CoverageCheck::find(const std::vector<WholeBuffer>& whole_of_original) {
    std::vector<WholeBuffer> parts = whole_of_original;
    for (const WholeBuffer& part : scratch_written_whole()) parts.push_back({part.buffer, Direction::read});
    for (const WholeBuffer& part : parts) {
        if (auto finding = find(part)) return finding;
    }
    return std::nullopt;
}

std::optional<Finding> CoverageCheck::find(const WholeBuffer& part) {
    const auto sampled = share_of(launches_, plan_, part.buffer, part.direction);
    if (!sampled || sampled->value >= kFallen || !is_foreseeable(build_, plan_, part.buffer, part.direction)) return std::nullopt;
    const auto large = settled_share(part);
    if (!large || large->value + kErrors * large->error >= kFallen) return std::nullopt;
    const double small = small_share(part);
    if (small < kWhole) return std::nullopt;
    return finding_of(part, small, large->value);
}

std::vector<WholeBuffer> CoverageCheck::scratch_written_whole() const {
    std::vector<WholeBuffer> whole;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
        if (!plan_.buffers[i].is_scratch) continue;
        const auto share = share_of(launches_, plan_, i, Direction::written);
        if (share && share->value >= kWholeOfSample) whole.push_back({i, Direction::written});
    }
    return whole;
}

// nullopt: too expensive, or not all of it could be run.
std::optional<Share> CoverageCheck::settled_share(const WholeBuffer& part) {
    for (std::size_t i = 0; i < launches_.size(); ++i) {
        SampledLaunch& launch = launches_[i];
        if (is_settled_[i] || launch.footprints.size() == launch.blocks || !takes(plan_, launch, part.buffer)) continue;
        const double a_block = launch.thread_instructions / static_cast<double>(std::max<std::size_t>(launch.footprints.size(), 1));
        const auto affordable = static_cast<std::uint64_t>(kSettlingInstructions / std::max(a_block, 1.0));
        const std::uint64_t parts = std::min({kParts, affordable, launch.blocks});
        if (parts < std::min(kLeastParts, launch.blocks)) return std::nullopt;
        if (!spread_sample(context_, build_, plan_, workspace_, parts, 2 * kSettlingInstructions, deadline_, launch)) return std::nullopt;
        is_settled_[i] = true;
    }
    return share_of(launches_, plan_, part.buffer, part.direction);
}

double CoverageCheck::small_share(const WholeBuffer& part) {
    if (!small_) {
        small_.emplace();
        const task::Sizes sizes = context_.task->small_sizes();
        const InputChoice choice{sizes, task::ValuePattern::declared, context_.seed, false};
        auto plan = task::resolve(*context_.task, candidate_.plan, sizes);
        if (!plan) return 0;
        small_plan_ = std::move(*plan);
        auto workspace = make_workspace(*context_.task, *small_plan_, choice, *context_.disk);
        if (!workspace) return 0;
        PlanRunOptions options;
        options.checks = false;
        options.footprints = true;
        options.host_threads = context_.host_threads;
        options.deadline = deadline_;
        small_ = run_plan(build_, *small_plan_, *workspace, *context_.device, options).footprints;
    }
    return small_plan_ ? share_of(*small_, *small_plan_, part.buffer, part.direction) : 0;
}

Finding CoverageCheck::finding_of(const WholeBuffer& part, double small, double large) const {
    const task::ResolvedBuffer& buffer = plan_.buffers[part.buffer];
    const bool reads = part.direction == Direction::read;
    std::string message = fmt::format("about {} of '{}' is {} here, {} at the small sizes", percent(large), buffer.name, reads ? "read" : "written",
                                      percent(small));
    message += buffer.is_scratch ? "; it is written whole" : fmt::format("; the original {} it whole", reads ? "reads" : "writes");
    StorePlace place;
    if (!reads) place = last_store(build_, plan_, part.buffer);
    for (const task::ResolvedStep& step : plan_.steps) {
        if (reads && !step.is_clear && takes(step, part.buffer)) place = {step.kernel, line_of_kernel(build_.source, step.kernel)};
    }
    return {FindingKind::wrong_values, std::move(message), build_.file, place.line, place.kernel};
}

}  // namespace optiml::evaluation
