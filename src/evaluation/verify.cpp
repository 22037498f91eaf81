#include "evaluation/verify.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "evaluation/compare.h"
#include "evaluation/instruction_limits.h"
#include "evaluation/locate.h"
#include "evaluation/plan_run.h"
#include "evaluation/residency.h"
#include "evaluation/volatile_values.h"

namespace optiml::evaluation {
namespace {

// How much longer than the original a candidate may run before it counts as one that does not end: a block that shares a row of a few
// elements takes hundreds of times as many instructions.
constexpr std::uint64_t kInstructionFactor = 256;
// Crowded trials of what spins: beyond what the same candidate took with all blocks at once.
constexpr std::uint64_t kCrowdedFactor = 4;
constexpr std::uint64_t kLeastCrowdedLimit = 500'000;
constexpr std::uint64_t kChunkElements = 1 << 16;

constexpr std::uint64_t kCountedExtent = std::uint64_t{1} << 31;  // far beyond what can be run; products of two do not overflow

std::uint64_t product(const std::array<std::uint64_t, 3>& extents) {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : extents) product = std::min(kCountedExtent, product * std::min(kCountedExtent, extent));
    return product;
}

// Of one launch.
std::uint64_t most_warps(const task::ResolvedPlan& plan) {
    constexpr std::uint64_t lanes = 32;
    std::uint64_t warps = 0;
    for (const task::ResolvedStep& step : plan.steps) {
        if (!step.is_clear) warps = std::max(warps, product(step.grid) * ((product(step.block) + lanes - 1) / lanes));
    }
    return std::min(kCountedExtent, warps);
}

// What trials have shown of a candidate, for later ones.
struct Known {
    std::set<std::string> communicating;                     // kernels whose blocks may wait for each other
    std::uint64_t thread_instructions = 0;                   // of its longest run
    std::optional<std::map<std::string, double>> resident_shares;  // of communicating kernels, once they are asked for
};

class TrialRun {
public:
    TrialRun(References& references, const Build& build, const task::Candidate& candidate, const Trial& trial, const Deadline& deadline, Known& known)
        : references_(references), context_(references.context()), build_(build), candidate_(candidate), trial_(trial), deadline_(deadline), known_(known) {}

    Verdict run() {
        const auto reference = references_.find(trial_.choice);
        if (!reference || !(*reference)->findings.empty()) return {};
        instruction_limit_ = trial_.is_crowded ? kLeastCrowdedLimit + kCrowdedFactor * known_.thread_instructions / kMeanActiveLanes
                                               : instruction_limit((*reference)->thread_instructions, kInstructionFactor);
        auto plan = task::resolve(*context_.task, candidate_.plan, trial_.choice.sizes);
        if (!plan) return rejected(plan_finding(plan.error()), Level::L0);
        plan_ = std::move(*plan);
        if (!trial_.is_crowded) instruction_limit_ += kInstructionsAWarp * most_warps(plan_);
        auto workspace = make_workspace(*context_.task, plan_, trial_.choice, *context_.disk);
        if (!workspace) return {};  // the reference could be made: this cannot fail
        Verdict verdict;
        for (run_ = 0; run_ < trial_.runs && verdict.findings.empty(); ++run_) {
            if (run_ > 0) forget_run(*workspace);
            PlanRun run = run_plan(build_, plan_, *workspace, *context_.device, options());
            known_.communicating.merge(run.communicating);
            known_.thread_instructions = std::max(known_.thread_instructions, run.thread_instructions);
            verdict = judge(**reference, *workspace, std::move(run));
        }
        return verdict;
    }

private:
    PlanRunOptions options() const {
        PlanRunOptions options;
        options.schedule_seed = trial_.schedule_seed;
        options.host_threads = context_.host_threads;
        options.instruction_limit = instruction_limit_;
        options.deadline = deadline_;
        if (trial_.is_crowded) options.resident_shares = *known_.resident_shares;
        return options;
    }

    // All but the module's variables is again as before.
    static void forget_run(Workspace& workspace) {
        for (const emulator::BufferId buffer : workspace.buffers) workspace.memory.reset(buffer);
    }

    Verdict judge(const Reference& reference, const Workspace& workspace, PlanRun run) {
        Verdict verdict;
        verdict.findings = std::move(run.findings);
        verdict.printed = std::move(run.printed);
        const std::optional<Deviation> deviation =
            run.completed ? compare(reference, read_outputs(plan_, workspace), context_.task->checks) : std::nullopt;
        if (deviation) verdict.findings.push_back(finding_of(*deviation));
        if (auto modified = modified_input(workspace)) verdict.findings.push_back(std::move(*modified));
        if (verdict.findings.empty() && !run.completed) verdict.findings.push_back(time_finding());
        for (Finding& finding : verdict.findings) complete(finding);
        if (!verdict.findings.empty()) verdict.level = deviation || !run.completed ? Level::L0 : Level::L1;
        return verdict;
    }

    Verdict rejected(Finding finding, Level level) const {
        complete(finding);
        return {{std::move(finding)}, level};
    }

    void complete(Finding& finding) const {
        finding.sizes = trial_.choice.sizes;
        finding.pattern = task::name_of(trial_.choice.pattern);
        if (run_ > 0) finding.message = "in a second run, with the module's variables as the first left them, " + finding.message;
        if (trial_.is_crowded) {
            finding.message = "with only the share of the blocks at once that fits at the large sizes, " + finding.message;
        }
    }

    std::string last_kernel() const {
        const auto& steps = candidate_.plan.steps;
        const auto launch = std::find_if(steps.rbegin(), steps.rend(), [](const task::Step& step) { return step.kind == task::Step::Kind::launch; });
        return launch == steps.rend() ? std::string() : launch->launch.kernel;
    }

    Finding at_kernel(FindingKind kind, std::string message) const {
        const std::string kernel = last_kernel();
        return {kind, std::move(message), build_.file, line_of_kernel(build_.source, kernel), kernel};
    }

    Finding plan_finding(const Error& error) const { return at_kernel(FindingKind::launch, error.message); }
    Finding time_finding() const { return at_kernel(FindingKind::time_limit, "the candidate did not end within its time limit"); }

    Finding finding_of(const Deviation& deviation) const {
        StorePlace place;
        if (!deviation.never_written) {
            const auto writer = writer_of(context_, build_, candidate_.plan, trial_.choice, deviation.buffer, deviation.element,
                                          instruction_limit_);
            if (writer) place = *writer;
        }
        if (place.line == 0) place = last_store(build_, plan_, deviation.buffer);
        Finding finding{deviation.kind, deviation.message, build_.file, place.line, place.kernel};
        if (trial_.repeats) {
            finding.kind = FindingKind::nondeterministic;
            finding.message = "in another order of execution, " + finding.message;
        }
        return finding;
    }

    std::optional<Finding> modified_input(const Workspace& workspace) const {
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const task::ResolvedBuffer& buffer = plan_.buffers[i];
            if (buffer.role != task::Role::input) continue;
            const auto element = first_modified(workspace, i);
            if (!element) continue;
            const StorePlace place = last_store(build_, plan_, i);
            return Finding{FindingKind::input_modified, fmt::format("element {} of the input '{}' was changed", *element, buffer.name),
                           build_.file, place.line, place.kernel};
        }
        return std::nullopt;
    }

    std::optional<std::uint64_t> first_modified(const Workspace& workspace, std::size_t index) const {
        const task::ResolvedBuffer& buffer = plan_.buffers[index];
        const auto generator = input_generator(*context_.task, buffer.name, trial_.choice, *context_.disk);
        if (!generator) return std::nullopt;
        const std::uint32_t size = task::bytes_of(buffer.type);
        std::vector<std::uint8_t> expected, found;
        for (std::uint64_t first = 0; first < buffer.elements; first += kChunkElements) {
            const std::uint64_t count = std::min(kChunkElements, buffer.elements - first);
            expected.resize(count * size);
            found.resize(count * size);
            (*generator)(first, count, expected.data());
            workspace.memory.read(workspace.buffers[index], first * size, found.data(), found.size());
            if (std::memcmp(expected.data(), found.data(), found.size()) == 0) continue;
            const auto difference = std::mismatch(expected.begin(), expected.end(), found.begin()).first - expected.begin();
            return first + static_cast<std::uint64_t>(difference) / size;
        }
        return std::nullopt;
    }

    References& references_;
    const VerificationContext& context_;
    const Build& build_;
    const task::Candidate& candidate_;
    const Trial& trial_;
    const Deadline& deadline_;
    Known& known_;
    task::ResolvedPlan plan_;
    std::uint64_t instruction_limit_ = 0;
    std::uint32_t run_ = 0;  // of those in a row
};

}  // namespace

Verdict verify(References& references, const Build& build, const task::Candidate& candidate, const std::vector<Trial>& trials,
               const Deadline& deadline) {
    const VerificationContext& context = references.context();
    if (auto finding = find_volatile_result(build); finding && !find_volatile_result(*context.original)) return {{std::move(*finding)}, Level::L0};
    std::optional<Verdict> inaccurate;
    Known known;
    std::optional<std::string> printed;
    const auto with_printed = [&](Verdict verdict) {
        verdict.printed = printed.value_or("");
        return verdict;
    };
    for (const Trial& trial : trials) {
        // A small deviation at one size may be a gross one at the next: then that says more about what is wrong.
        if (inaccurate && trial.choice.pattern != task::ValuePattern::declared) break;
        if (trial.is_crowded) {
            if (!known.resident_shares) known.resident_shares = resident_shares(context, build, candidate.plan, known.communicating);
            if (known.resident_shares->empty()) continue;
        }
        Verdict verdict = TrialRun(references, build, candidate, trial, deadline, known).run();
        if (!printed) printed = std::move(verdict.printed);
        if (verdict.findings.empty()) continue;
        if (verdict.findings.front().kind != FindingKind::accuracy) return with_printed(std::move(verdict));
        if (!inaccurate) inaccurate = std::move(verdict);
    }
    return with_printed(inaccurate.value_or(Verdict{}));
}

}  // namespace optiml::evaluation
