#include "optiml/one_evaluation.h"

#include <filesystem>

#include <nlohmann/json.hpp>

#include "evaluation/build.h"
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

// --set and --size choose where a candidate is verified: they replace the task's small sizes.
Status set_small_sizes(task::Task& task, const TaskChoice& choice) {
    const task::Sizes base = choice.size_set == "large" ? task.large_sizes() : task.small_sizes();
    const Result<task::Sizes> sizes = task::with_overrides(task, base, choice.sizes);
    if (!sizes) return tl::make_unexpected(sizes.error());
    for (task::NamedSize& size : task.sizes) size.small_value = sizes->at(size.name);
    return task::check_small_sizes(task);
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
    if (Status status = set_small_sizes(*task, request.original); !status) return tl::make_unexpected(status.error());
    const Result<task::Candidate> candidate = load_candidate(request, *task, disk);
    if (!candidate) return tl::make_unexpected(candidate.error());
    const auto compiler = workers::load_isolated_compiler(1);
    if (!compiler) return tl::make_unexpected(compiler.error());
    EvaluatorRequest wanted{*task, request.device, task->small_sizes(), Thoroughness::final};
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
    profiling.hypotheses = diagnosis::diagnose(diagnosis_inputs(profiling.evaluation, ceilings_of(device, profiling.evaluation)));
    return profiling;
}

}  // namespace optiml::optimizer
