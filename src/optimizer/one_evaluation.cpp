#include "optiml/one_evaluation.h"

#include <filesystem>

#include "gpu/compiler.h"
#include "optimizer/diagnosis_inputs.h"
#include "optimizer/evaluators.h"
#include "optimizer/original.h"
#include "optimizer/task_loading.h"
#include "task/candidate_file.h"

namespace optiml::optimizer {
namespace {

// --set and --size choose where a candidate is verified: they replace the task's small sizes.
Status set_small_sizes(task::Task& task, const TaskChoice& choice) {
    const task::Sizes base = choice.size_set == "large" ? task.large_sizes() : task.small_sizes();
    const Result<task::Sizes> sizes = task::with_overrides(task, base, choice.sizes);
    if (!sizes) return tl::make_unexpected(sizes.error());
    for (task::NamedSize& size : task.sizes) size.small_value = sizes->at(size.name);
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

}  // namespace

Result<evaluation::Evaluation> verify(const VerificationRequest& request, Log& log) {
    const RealDisk disk;
    Result<task::Task> task = load_task(request.original, disk);
    if (!task) return tl::make_unexpected(task.error());
    if (Status status = set_small_sizes(*task, request.original); !status) return tl::make_unexpected(status.error());
    const Result<task::Candidate> candidate = load_candidate(request, *task, disk);
    if (!candidate) return tl::make_unexpected(candidate.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    EvaluatorRequest wanted{*task, request.device, task->small_sizes(), Thoroughness::final};
    wanted.only_verify = true;
    const auto evaluator = make_evaluator(wanted, **compiler, disk, {request.host_threads, 1}, log);
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    evaluation::Evaluation evaluation = (*evaluator)->evaluate(*candidate);
    // The evaluator knows candidates by their text alone and places findings in the original's file.
    for (evaluation::Finding& finding : evaluation.findings) {
        if (std::filesystem::path(finding.file).filename() == std::filesystem::path(task->source_file).filename()) {
            finding.file = request.candidate_file;
        }
    }
    return evaluation;
}

Result<Profiling> profile(const TaskChoice& choice, const std::string& device, std::uint32_t host_threads, Log& log) {
    const RealDisk disk;
    Result<task::Task> task = load_task(choice, disk);
    if (!task) return tl::make_unexpected(task.error());
    const Result<task::Sizes> sizes = timing_sizes(*task, choice);
    if (!sizes) return tl::make_unexpected(sizes.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    const auto evaluator = make_evaluator({*task, device, *sizes, Thoroughness::search}, **compiler, disk, {host_threads, 1}, log);
    if (!evaluator) return tl::make_unexpected(evaluator.error());
    Profiling profiling{task->kernel, (*evaluator)->evaluate(task::original_of(*task)), {}};
    if (Status status = check_original(*task, profiling.evaluation); !status) return tl::make_unexpected(status.error());
    profiling.hypotheses = diagnosis::diagnose(diagnosis_inputs(profiling.evaluation, ceilings_of(device, profiling.evaluation)));
    return profiling;
}

}  // namespace optiml::optimizer
