#include "optiml/one_evaluation.h"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "evaluation/build.h"
#include "evaluation/index_limit.h"
#include "optimizer/diagnosis_inputs.h"
#include "optimizer/evaluators.h"
#include "optimizer/machine_listing.h"
#include "optimizer/original.h"
#include "optimizer/task_loading.h"
#include "process/own_program.h"
#include "task/candidate_file.h"
#include "task/resolved.h"
#include "workers/isolated_compiler.h"
#include "workers/messages.h"
#include "workers/second_opinion.h"

namespace optiml::optimizer {
namespace {

std::string text_of(const task::Sizes& sizes) {
    std::string text;
    for (const auto& [name, value] : sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    return text;
}

// --set and --size choose where a candidate is verified. They replace the task's small sizes or, where no run can be whole, the large
// ones, at which blocks are sampled: whether they are.
Result<bool> set_sizes(task::Task& task, const TaskChoice& choice, Log& log) {
    const task::Sizes base = choice.size_set == "large" ? task.large_sizes() : task.small_sizes();
    const Result<task::Sizes> sizes = task::with_overrides(task, base, choice.sizes);
    if (!sizes) return tl::make_unexpected(sizes.error());
    task::Task whole = task;
    for (task::NamedSize& size : whole.sizes) size.small_value = sizes->at(size.name);
    const Status fits = task::check_small_sizes(whole);
    if (fits) {
        task = std::move(whole);
        return false;
    }
    if (const auto plan = task::resolve(task, task.plan, *sizes); !plan) return tl::make_unexpected(plan.error());
    if (const Status small_fits = task::check_small_sizes(task); !small_fits) return tl::make_unexpected(small_fits.error());
    for (task::NamedSize& size : task.sizes) size.large_value = sizes->at(size.name);
    log.write(LogLevel::info, fmt::format("too large to be run whole: blocks are sampled at {}, whole runs are at {}", text_of(*sizes), text_of(task.small_sizes())));
    return true;
}

// The checks leave out sizes that the original cannot have; the user who named them is told.
Status check_index_limit(const task::Task& task, const gpu::Compiler& compiler) {
    const std::int64_t limit = evaluation::index_limit(task, compiler.include_directory());
    for (const task::Argument& argument : task.arguments) {
        const std::int64_t elements = argument.extent.evaluate(task.large_sizes()).value_or(0);
        if (elements <= limit) continue;
        return user_error(fmt::format("'{}' has {} elements at {}, and the original's own indices end at {}", argument.name, elements,
                                      text_of(task.large_sizes()), limit), {}, "Give smaller sizes.");
    }
    return {};
}

Result<task::Candidate> load_candidate(const VerificationRequest& request, const task::Task& original, const Disk& disk) {
    std::filesystem::path task_file = request.candidate_task_file;
    if (task_file.empty()) {
        task_file = std::filesystem::path(request.candidate_file).replace_extension(".toml");
        if (!disk.exists(task_file)) task_file.clear();
    }
    return task::load_candidate(original, request.candidate_file, task_file, disk);
}

constexpr std::size_t kSanitizedSizes = 2;  // the small ones and an odd one: some 1.5 s each and tool

// Adds what compute-sanitizer finds. What does not compile has nothing to run.
Status ask_sanitizer(const std::string& device, const task::Task& task, const task::Candidate& candidate, gpu::Compiler& compiler,
                     evaluation::Evaluation& evaluation) {
    const auto ordinals = device_ordinals(device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    const auto compute_capability = compute_capability_of(device);
    if (!compute_capability) return tl::make_unexpected(compute_capability.error());
    const gpu::CompileOutcome code = compiler.compile(evaluation::compile_request(compiler, task, candidate, *compute_capability));
    if (!code.compiled) return {};
    const std::string compiled = workers::to_json(task, evaluation::device::CompiledCandidate{candidate, code.cubin, code.kernels}).dump();
    workers::SecondOpinionSettings settings{process::own_program().string(), ordinals->front(), task::edge_sizes(task, candidate.plan, kSanitizedSizes)};
    const auto findings = workers::second_opinion(task, compiled, settings);
    if (!findings) return tl::make_unexpected(findings.error());
    evaluation.findings.insert(evaluation.findings.end(), findings->begin(), findings->end());
    evaluation.accepted = evaluation.accepted && findings->empty();
    return {};
}

}  // namespace

Result<evaluation::Evaluation> verify(const VerificationRequest& request, Log& log) {
    if (request.second_opinion && !request.device.starts_with("cuda:")) {
        return user_error("--second-opinion runs the candidate on a GPU", {}, "Give --device cuda:0; the emulator has checks of its own.");
    }
    const RealDisk disk;
    Result<task::Task> task = load_task(request.original, disk);
    if (!task) return tl::make_unexpected(task.error());
    const Result<bool> is_sampled = set_sizes(*task, request.original, log);
    if (!is_sampled) return tl::make_unexpected(is_sampled.error());
    const Result<task::Candidate> candidate = load_candidate(request, *task, disk);
    if (!candidate) return tl::make_unexpected(candidate.error());
    const auto compiler = workers::load_isolated_compiler(1);
    if (!compiler) return tl::make_unexpected(compiler.error());
    if (*is_sampled) {
        if (Status status = check_index_limit(*task, **compiler); !status) return tl::make_unexpected(status.error());
    }
    EvaluatorRequest wanted{*task, request.device, *is_sampled ? task->large_sizes() : task->small_sizes(), Thoroughness::final};
    wanted.only_verify = true;
    wanted.gpu = request.gpu;
    const auto evaluator = make_evaluator(wanted, **compiler, disk, {request.host_threads, 1}, log);
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    evaluation::Evaluation evaluation = (*evaluator)->evaluate(*candidate);
    if (request.second_opinion) {
        const Status asked = ask_sanitizer(request.device, *task, *candidate, **compiler, evaluation);
        if (!asked) return tl::make_unexpected(asked.error());
    }
    // The evaluator knows candidates by their text alone and places findings in the original's file.
    for (evaluation::Finding& finding : evaluation.findings) {
        if (std::filesystem::path(finding.file).filename() == std::filesystem::path(task->source_file).filename()) {
            finding.file = request.candidate_file;
        }
    }
    return evaluation;
}

Result<Profiling> profile(const TaskChoice& choice, const std::string& device, std::uint32_t host_threads, Log& log, const GpuOptions& gpu) {
    const RealDisk disk;
    Result<task::Task> task = load_task(choice, disk);
    if (!task) return tl::make_unexpected(task.error());
    const Result<task::Sizes> sizes = timing_sizes(*task, choice);
    if (!sizes) return tl::make_unexpected(sizes.error());
    const auto compiler = workers::load_isolated_compiler(1);
    if (!compiler) return tl::make_unexpected(compiler.error());
    EvaluatorRequest wanted{*task, device, *sizes, Thoroughness::search};
    wanted.gpu = gpu;
    wanted.few_candidates = true;
    const auto evaluator = make_evaluator(wanted, **compiler, disk, {host_threads, 1}, log);
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    Profiling profiling{task->kernel, (*evaluator)->evaluate(task::original_of(*task)), {}};
    if (Status status = check_original(*task, profiling.evaluation); !status) return tl::make_unexpected(status.error());
    profiling.hypotheses = diagnosis::diagnose(
        diagnosis_inputs(profiling.evaluation, ceilings_of(device, profiling.evaluation), has_double_arguments(*task)));
    profiling.evaluation.profile->counters = counters_of(profiling.evaluation);
    return profiling;
}

}  // namespace optiml::optimizer
