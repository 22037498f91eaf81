#include "evaluation/evaluator.h"

#include <mutex>
#include <set>

#include <fmt/format.h>

#include "base/clock.h"
#include "emulator/device_model.h"
#include "evaluation/code_digest.h"
#include "evaluation/compare.h"
#include "evaluation/index_limit.h"
#include "evaluation/large_checks.h"
#include "evaluation/modelled.h"
#include "evaluation/stopwatch.h"
#include "evaluation/verify.h"

namespace optiml::evaluation {
namespace {

// Part of the cache's keys: to be raised whenever evaluations of the same candidate may come out differently.
constexpr int kVersion = 9;

Error faulty(const Finding& finding) {
    const std::string sizes = [&] {
        std::string text;
        for (const auto& [name, value] : finding.sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
        return text;
    }();
    if (finding.kind == FindingKind::unsupported) {
        return {ErrorKind::environment, "the emulator cannot run the original kernel: " + finding.message, {finding.file, finding.line, 0},
                "Evaluate it on a GPU (--device cuda:0), or avoid the instruction."};
    }
    if (finding.kind == FindingKind::time_limit) {
        return {ErrorKind::faulty_original,
                fmt::format("the original kernel '{}' does not end: {} ({})", finding.kernel, finding.message, sizes),
                {finding.file, finding.line, 0},
                "Correct its loop or what it waits for; if it only takes long, give smaller small sizes in the task file."};
    }
    return {ErrorKind::faulty_original, fmt::format("the original kernel is faulty ({}): {} ({})", name_of(finding.kind), finding.message, sizes),
            {finding.file, finding.line, 0},
            finding.kind == FindingKind::out_of_bounds
                ? "Correct the kernel, or the extents and sizes that its task file declares."
                : "Correct the kernel first: nothing can be compared with its results."};
}

tl::unexpected<Error> does_not_build(std::string_view what, const BuildFailure& failure, std::string remedy) {
    const Finding& finding = failure.finding;
    if (failure.is_inconclusive) {
        return environment_error(fmt::format("{} could not be compiled: {}", what, finding.message),
                                 "Try again; where the compiler needs longer, set OPTIML_COMPILE_SECONDS.");
    }
    return user_error(fmt::format("{} does not compile: {}", what, finding.message), {finding.file, finding.line, 0}, std::move(remedy));
}

}  // namespace

struct EmulatedEvaluator::Implementation {
    task::Task task;
    gpu::Compiler& compiler;
    const Disk& disk;
    EmulatedSettings settings;
    emulator::DeviceModel device;
    SteadyClock clock;
    Build original;
    std::optional<Build> second;               // of the task's reference
    std::optional<References> references;
    std::optional<Trials> trials;
    std::optional<LargeChecks> large_checks;
    task::Sizes timing_sizes;
    std::mutex mutex;
    std::set<Digest> right;                    // code that passed verification

    Status prepare() {
        auto built = build(compiler, task, task::original_of(task), device.compute_capability);
        if (!built) return does_not_build("the original kernel", built.error(), "Change its source, or the [compile] section of its task file.");
        original = std::move(*built);
        if (Status status = build_second(); !status) return status;
        references.emplace(VerificationContext{&task, &original, second ? &*second : nullptr, &device, &disk, settings.seed, settings.host_threads});
        if (settings.verify) {
            if (Status status = check_original(); !status) return status;
            large_checks.emplace(references->context());
            if (settings.large) large_checks->prepare(index_limit(task, compiler.include_directory()));
        }
        timing_sizes = settings.timing_sizes.value_or(task.large_sizes());
        if (Status status = task::check_sizes(task, timing_sizes); !status) return status;
        if (settings.time) timing_sizes = affordable_sizes(sampling({}), original, task.plan, timing_sizes);
        return {};
    }

    Status build_second() {
        if (!task.reference) return {};
        auto built = build(compiler, *task.reference, task::original_of(*task.reference), device.compute_capability);
        if (!built) return does_not_build("the reference", built.error(), "Correct it, or leave it out: the original is its own reference then.");
        second = std::move(*built);
        return {};
    }

    // The original at the small sizes must be sound, and its results must mean something.
    Status check_original() {
        auto made = Trials::make(*references, {settings.edge_sizes, settings.own_edge_sizes});
        if (!made) return tl::make_unexpected(made.error());
        trials.emplace(std::move(*made));
        const Reference& first = **references->find(trials->first());
        if (!first.findings.empty()) return tl::make_unexpected(faulty(first.findings.front()));
        if (!has_power(first)) return no_power();
        return {};
    }

    Status no_power() const {
        return user_error("an output of zeros would pass for the original's: the check would say nothing",
                          {task.file, 0, 0}, "Choose other values (fill) or larger small sizes in the task file.");
    }

    Evaluation evaluate(const task::Candidate& candidate) {
        Evaluation evaluation;
        const Deadline deadline(clock, settings.seconds_a_candidate);
        const auto built = [&] {
            const Stopwatch watch(clock, evaluation, "build");
            return build(compiler, task, candidate, device.compute_capability);
        }();
        if (!built) {
            evaluation.findings.push_back(built.error().finding);
            evaluation.is_inconclusive = built.error().is_inconclusive;
            return evaluation;
        }
        evaluation.level = Level::L0;
        evaluation.kernels = built->kernels;
        evaluation.ptx = built->ptx;
        if (settings.verify) verify_once(*built, candidate, evaluation, deadline);
        if (settings.time && evaluation.findings.empty()) model_time(*built, candidate, evaluation, deadline);
        evaluation.accepted = evaluation.findings.empty();
        return evaluation;
    }

    // What compiles to the same PTX and is launched alike computes the same: what has been accepted once need not be run again.
    void verify_once(const Build& built, const task::Candidate& candidate, Evaluation& evaluation, const Deadline& deadline) {
        const Digest code = digest_of_code(built.ptx, candidate);
        {
            const std::lock_guard lock(mutex);
            if (right.contains(code)) {
                evaluation.level = Level::L2;
                return;
            }
        }
        verify_anew(built, candidate, evaluation, deadline);
        const std::lock_guard lock(mutex);
        if (evaluation.findings.empty()) right.insert(code);
    }

    void verify_anew(const Build& built, const task::Candidate& candidate, Evaluation& evaluation, const Deadline& deadline) {
        {
            const Stopwatch watch(clock, evaluation, "verify");
            Verdict verdict = verify(*references, built, candidate, trials->of(candidate.plan, *built.module), deadline);
            evaluation.level = verdict.level;
            evaluation.printed = verdict.printed.substr(0, kMostPrintedBytes);
            evaluation.findings = std::move(verdict.findings);
        }
        if (!evaluation.findings.empty()) return;
        const Stopwatch watch(clock, evaluation, "verify large");
        evaluation.findings = large_checks->check(built, candidate, deadline);
        if (!evaluation.findings.empty()) evaluation.level = Level::L1;
    }

    void model_time(const Build& built, const task::Candidate& candidate, Evaluation& evaluation, const Deadline& deadline) {
        const Stopwatch watch(clock, evaluation, "time");
        auto modelled = model_plan(sampling(deadline), built, candidate.plan, timing_sizes);
        if (!modelled) {
            evaluation.findings.push_back(std::move(modelled.error()));
            return;
        }
        evaluation.timing = std::move(modelled->timing);
        if (settings.profile) evaluation.profile = std::move(modelled->profile);
    }

    SamplingContext sampling(const Deadline& deadline) const {
        return {&task, &device, &disk, settings.seed, settings.host_threads, settings.sampled_thread_instructions, deadline};
    }
};

EmulatedEvaluator::EmulatedEvaluator(std::unique_ptr<Implementation> implementation) : implementation_(std::move(implementation)) {}
EmulatedEvaluator::~EmulatedEvaluator() = default;

Result<std::unique_ptr<EmulatedEvaluator>> EmulatedEvaluator::make(const task::Task& task, gpu::Compiler& compiler, const Disk& disk,
                                                                   const EmulatedSettings& settings) {
    auto device = settings.compute_capability ? emulator::model_of_capability(*settings.compute_capability) : emulator::find_device_model(settings.device);
    if (!device) return tl::make_unexpected(std::move(device.error()));
    auto implementation = std::unique_ptr<Implementation>(new Implementation{task, compiler, disk, settings, std::move(*device)});
    if (Status status = implementation->prepare(); !status) return tl::make_unexpected(std::move(status.error()));
    return std::unique_ptr<EmulatedEvaluator>(new EmulatedEvaluator(std::move(implementation)));
}

Evaluation EmulatedEvaluator::evaluate(const task::Candidate& candidate) { return implementation_->evaluate(candidate); }

int EmulatedEvaluator::version() { return kVersion; }

std::string EmulatedEvaluator::identity() const {
    const EmulatedSettings& settings = implementation_->settings;
    std::string timed;
    for (const auto& [name, value] : implementation_->timing_sizes) timed += fmt::format(" {}={}", name, value);
    return fmt::format("emulated:{} version {} seed {} sizes {}+{} timed at{} for {} instructions steps {}{}{}{} {}", implementation_->device.name, kVersion,
                       settings.seed, settings.edge_sizes, settings.own_edge_sizes, timed, settings.sampled_thread_instructions,
                       settings.verify, settings.large, settings.time, settings.profile, implementation_->compiler.version());
}

std::vector<Finding> EmulatedEvaluator::original_findings() const {
    std::vector<Finding> findings = implementation_->references->original_findings();
    if (const auto& large = implementation_->large_checks) {
        findings.insert(findings.end(), large->original_findings().begin(), large->original_findings().end());
    }
    return findings;
}

}  // namespace optiml::evaluation
