#include "evaluation/sampled_run.h"

#include <algorithm>

#include "base/random.h"

namespace optiml::evaluation {
namespace {

constexpr std::size_t kSampledGroupsAKernel = 4;
// One block may take this many instructions before the others are left out.
constexpr double kExpensiveBlock = 4e6;
constexpr double kShareOfLimit = 0.75;      // that the blocks of a sample may need together: not all are alike, nor are all lanes active
constexpr double kLeastActiveLanes = 8;  // of a warp on average, for limits that are given in thread instructions

// What is found where launches before were not run whole may come from what they did not write.
bool counts(FindingKind kind, bool single_launch) {
    switch (kind) {
        case FindingKind::out_of_bounds:
        case FindingKind::misaligned:
        case FindingKind::launch:
        case FindingKind::barrier:
        case FindingKind::shuffle: return true;
        case FindingKind::race:
        case FindingKind::uninitialized: return single_launch;
        default: return false;  // blocks may wait for others that are not run
    }
}

std::uint64_t largest_result(const task::ResolvedPlan& plan) {
    std::uint64_t largest = 0;
    for (const task::ResolvedBuffer& buffer : plan.buffers) {
        if (buffer.role != task::Role::input) largest = std::max(largest, buffer.elements);
    }
    return largest;
}

std::uint64_t random_below(std::uint64_t end, std::uint64_t seed, std::uint64_t draw) {
    return (std::uint64_t{random_bits(seed, 2 * draw)} << 32 | random_bits(seed, 2 * draw + 1)) % end;
}

class Sampler {
public:
    Sampler(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace,
            double thread_instructions, bool wide, const Deadline& deadline)
        : context_(context), build_(build), plan_(plan), workspace_(workspace), limit_(thread_instructions), wide_(wide), deadline_(deadline) {}

    SampledRun run() {
        const std::vector<LaunchGroup> groups = group_launches(plan_, kSampledGroupsAKernel);
        std::size_t launches = 0;
        for (const LaunchGroup& group : groups) launches += group.members.size();
        sampled_.single_launch = launches == 1;
        prepare_buffers();
        for (const LaunchGroup& group : groups) {
            run_launch(group);
            if (!sampled_.findings.empty() || !sampled_.completed) break;
        }
        return std::move(sampled_);
    }

private:
    void prepare_buffers() {
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const task::ResolvedBuffer& buffer = plan_.buffers[i];
            if (!sampled_.single_launch && buffer.role == task::Role::output) workspace_.memory.fill(workspace_.buffers[i], 0);
        }
        for (const task::ResolvedStep& step : plan_.steps) {
            if (step.is_clear) workspace_.memory.fill(workspace_.buffers[step.buffer], step.clear_value);
        }
    }

    // The last block by itself first: if that takes long, it has to do.
    void run_launch(const LaunchGroup& group) {
        const task::ResolvedStep& step = plan_.steps[group.step];
        if (auto problem = launch_problem(build_, step)) {
            sampled_.findings.push_back({FindingKind::launch, std::move(*problem), build_.file, line_of_kernel(build_.source, step.kernel), step.kernel});
            return;
        }
        const std::uint64_t blocks = step.grid[0] * step.grid[1] * step.grid[2];
        sampled_.launches.push_back({group, blocks, 0, {}});
        std::set<std::uint64_t> chosen = sampled_blocks(blocks, largest_result(plan_), context_.seed);
        const std::uint64_t last = *chosen.rbegin();
        run_blocks(step, {last});
        const double a_block = sampled_.launches.back().thread_instructions;
        if (a_block > kExpensiveBlock || chosen.size() == 1 || !sampled_.findings.empty()) return;
        run_blocks(step, affordable(chosen, a_block));
    }

    // The first and as many of the last: those are the ones at which indices overflow.
    std::vector<std::uint64_t> affordable(const std::set<std::uint64_t>& chosen, double a_block) const {
        std::vector<std::uint64_t> blocks(chosen.begin(), chosen.end());
        const auto most = static_cast<std::size_t>(std::max(kShareOfLimit * limit_ / std::max(a_block, 1.0), 2.0));
        if (blocks.size() > most) blocks.erase(blocks.begin() + 1, blocks.end() - static_cast<std::ptrdiff_t>(most - 1));
        return blocks;
    }

    // What the last call's blocks touched is kept.
    void run_blocks(const task::ResolvedStep& step, std::vector<std::uint64_t> blocks) {
        emulator::RunOptions options;
        options.domain = wide_ ? emulator::ValueDomain::wider_shadow : emulator::ValueDomain::bits;
        options.counters = false;
        options.footprints = true;
        options.schedule_seed = context_.seed;
        options.host_threads = context_.host_threads;
        options.instruction_limit = static_cast<std::uint64_t>(limit_ / 32);
        options.deadline = deadline_;
        options.blocks.kind = emulator::BlockSelection::Kind::list;
        options.blocks.linear_indices = std::move(blocks);
        auto result = emulator::run(launch_of(build_, step, workspace_), workspace_.memory, *context_.device, options);
        if (!result) {
            sampled_.completed = false;
            return;
        }
        for (const emulator::Finding& found : result->findings) {
            Finding finding = finding_of(found, build_, step.kernel);
            if (counts(finding.kind, sampled_.single_launch)) sampled_.findings.push_back(std::move(finding));
        }
        sampled_.completed = sampled_.completed && result->completed;
        sampled_.launches.back().thread_instructions = static_cast<double>(result->thread_instructions);
        sampled_.launches.back().footprints = std::move(result->footprints);
    }

    const VerificationContext& context_;
    const Build& build_;
    const task::ResolvedPlan& plan_;
    Workspace& workspace_;
    double limit_;
    bool wide_;
    const Deadline& deadline_;
    SampledRun sampled_;
};

}  // namespace

std::vector<std::uint64_t> marked_elements(std::uint64_t elements) {
    std::vector<std::uint64_t> marked;
    if (elements == 0) return marked;
    for (const std::uint64_t element : {std::uint64_t{0}, elements / 2, std::uint64_t{1} << 31, std::uint64_t{1} << 32, elements - 1}) {
        if (element < elements) marked.push_back(element);
    }
    return marked;
}

std::set<std::uint64_t> sampled_blocks(std::uint64_t blocks, std::uint64_t elements, std::uint64_t seed) {
    std::set<std::uint64_t> chosen;
    const auto add = [&](std::uint64_t block) {
        if (block < blocks) chosen.insert(block);
    };
    add(0);
    add(1);
    add(blocks - 1);
    if (blocks > 1) add(blocks - 2);
    for (std::uint64_t draw = 0; draw < 2; ++draw) add(random_below(blocks, seed, draw));
    for (const std::uint64_t element : marked_elements(elements)) {
        const auto share = static_cast<double>(element) / static_cast<double>(elements);
        const auto block = static_cast<std::uint64_t>(share * static_cast<double>(blocks));
        add(block);
        add(block + 1);
        if (block > 0) add(block - 1);
    }
    return chosen;
}

SampledRun run_sampled(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace,
                       double thread_instructions, bool wide, const Deadline& deadline) {
    return Sampler(context, build, plan, workspace, thread_instructions, wide, deadline).run();
}

bool spread_sample(const VerificationContext& context, const Build& build, const task::ResolvedPlan& plan, Workspace& workspace,
                   std::uint64_t parts, double thread_instructions, const Deadline& deadline, SampledLaunch& launch) {
    emulator::RunOptions options;
    options.checks = false;
    options.counters = false;
    options.footprints = true;
    options.instruction_limit = static_cast<std::uint64_t>(thread_instructions / kLeastActiveLanes);
    options.deadline = deadline;
    if (launch.blocks > parts) {
        options.blocks.kind = emulator::BlockSelection::Kind::list;
        for (std::uint64_t part = 0; part < parts; ++part) {
            const std::uint64_t length = launch.blocks / parts + (part < launch.blocks % parts);
            const std::uint64_t first = launch.blocks / parts * part + std::min(part, launch.blocks % parts);
            options.blocks.linear_indices.push_back(first + random_below(length, context.seed, part));
        }
    }
    auto result = emulator::run(launch_of(build, plan.steps[launch.group.step], workspace), workspace.memory, *context.device, options);
    if (!result || !result->completed) return false;
    launch.thread_instructions = static_cast<double>(result->thread_instructions);
    launch.footprints = std::move(result->footprints);
    return true;
}

}  // namespace optiml::evaluation
