#include "optiml/stream.h"

#include <mutex>
#include <thread>
#include <vector>

#include "optimizer/evaluators.h"
#include "optimizer/task_loading.h"
#include "task/candidate_file.h"
#include "workers/device_evaluator.h"
#include "workers/isolated_compiler.h"

namespace optiml::optimizer {
namespace {

constexpr const char* kSourceFile = "candidate.cu";
constexpr const char* kTaskFile = "candidate.toml";

Result<task::Candidate> candidate_of(const task::Task& original, const StreamItem& item) {
    if (!item.problem.empty()) return user_error(item.problem);
    MemoryDisk disk;
    (void)disk.write(kSourceFile, item.source);
    if (item.task_file.empty()) return task::load_candidate(original, kSourceFile, "", disk);
    (void)disk.write(kTaskFile, item.task_file);
    return task::load_candidate(original, kSourceFile, kTaskFile, disk);
}

evaluation::Evaluation evaluate(evaluation::Evaluator& evaluator, const task::Task& original, const StreamItem& item) {
    const auto candidate = candidate_of(original, item);
    if (candidate) return evaluator.evaluate(*candidate);
    const Error& error = candidate.error();
    const bool is_source = error.where.file == kSourceFile;
    evaluation::Evaluation evaluation;
    evaluation.findings.push_back({is_source ? evaluation::FindingKind::compile : evaluation::FindingKind::launch, error.text()});
    return evaluation;
}

// A card times candidate and original in turns; of models each is timed once.
void set_original(evaluation::Evaluation& evaluation, const evaluation::Evaluation& original) {
    if (!evaluation.timing || evaluation.timing->source == evaluation::Source::measured || !original.timing) return;
    evaluation.timing->original_ms = original.timing->cold_ms;
    const double speedup = evaluation.timing->original_ms / evaluation.timing->cold_ms;
    evaluation.timing->speedup = {speedup, speedup};
}

}  // namespace

Status evaluate_stream(const StreamRequest& request, const std::function<std::optional<StreamItem>()>& next,
                       const std::function<void(const StreamItem&, const evaluation::Evaluation&)>& done, Log& log) {
    const RealDisk disk;
    const Result<task::Task> task = load_task(request.original, disk);
    if (!task) return tl::make_unexpected(task.error());
    const Result<task::Sizes> sizes = timing_sizes(*task, request.original);
    if (!sizes) return tl::make_unexpected(sizes.error());
    const auto compiler = workers::load_isolated_compiler(request.jobs);
    if (!compiler) return tl::make_unexpected(compiler.error());
    EvaluatorRequest wanted{*task, request.device, *sizes, request.thorough ? Thoroughness::final : Thoroughness::search};
    wanted.emulator_checks = request.emulator_checks;
    wanted.gpu = request.gpu;
    const auto evaluator = make_evaluator(wanted, **compiler, disk, {1, request.jobs}, log);
    if (!evaluator) return tl::make_unexpected(evaluator.error());

    const bool is_modelled = !request.device.starts_with("cuda:");
    const evaluation::Evaluation original = is_modelled ? (*evaluator)->evaluate(task::original_of(*task)) : evaluation::Evaluation{};

    std::mutex coming, going;
    const auto work = [&] {
        while (true) {
            std::optional<StreamItem> item;
            {
                const std::lock_guard lock(coming);
                item = next();
            }
            if (!item) return;
            evaluation::Evaluation evaluation = evaluate(**evaluator, *task, *item);
            set_original(evaluation, original);
            const std::lock_guard lock(going);
            done(*item, evaluation);
        }
    };
    // More than build at once, so that the next candidate waits for a worker and not a worker for a candidate: as many as a card takes
    // together are on it, and as many again wait for it.
    const std::size_t waiting = is_modelled ? 2 : 2 * workers::DeviceSettings{}.together * device_ordinals(request.device)->size();
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < request.jobs + waiting; ++i) threads.emplace_back(work);
    threads.clear();
    return {};
}

}  // namespace optiml::optimizer
