#include "optimizer/world.h"

#include <algorithm>

#include "base/processors.h"
#include "experts/catalogue_expert.h"
#include "optimizer/evaluators.h"
#include "optimizer/machine_listing.h"
#include "optimizer/pipeline.h"
#include "optimizer/task_loading.h"
#include "workers/isolated_compiler.h"

namespace optiml::optimizer {
namespace {

cuda_source::ParseOptions parse_options(const task::Task& task, const gpu::Compiler& compiler) {
    cuda_source::ParseOptions options;
    options.file_name = task.source_file;
    options.defines = task.compile.defines;
    options.include_paths = task.compile.include_paths;
    options.standard = task.compile.standard;
    options.cuda_include = compiler.include_directory();
    return options;
}

}  // namespace

Result<std::unique_ptr<World>> World::open(const RunOptions& options, Log& log) {
    auto store = runs::open_store(options.store);
    if (!store) return tl::make_unexpected(store.error());
    auto compiler = workers::load_isolated_compiler(std::max(1u, options.jobs));
    if (!compiler) return tl::make_unexpected(compiler.error());
    return std::unique_ptr<World>(new World(std::move(*store), std::move(*compiler), log));
}

Services World::services(const RunOptions& options) {
    const std::uint32_t jobs = std::max(1u, options.jobs);
    Services services{disk_, clock_, log_, *store_};
    services.jobs = jobs;
    services.interrupted = options.interrupted;
    services.on_progress = options.on_progress;
    services.load_task = load_task;
    const std::uint32_t host_threads = std::max(1u, available_processors() / jobs);
    services.make_evaluator = [this, host_threads, jobs](const EvaluatorRequest& request) {
        return make_evaluator(request, *compiler_, disk_, {host_threads, jobs}, log_);
    };
    services.machine_listing = [this](const task::Task& task, const task::Candidate& candidate, const std::string& device) {
        return compute_capability_of(device)
            .and_then([&](std::uint32_t compute_capability) { return list_machine_code(*compiler_, task, candidate, compute_capability); })
            .value_or("");
    };
    services.make_expert = [this](const task::Task& task, std::int64_t multiprocessors) -> Result<std::unique_ptr<experts::Expert>> {
        return experts::make_catalogue_expert(task, parse_options(task, *compiler_), multiprocessors);
    };
    return services;
}

Result<Optimization> optimize(const Settings& settings, const RunOptions& options, Log& log) {
    return World::open(options, log).and_then([&](const std::unique_ptr<World>& world) {
        return optimize(settings, world->services(options));
    });
}

Result<Optimization> resume(std::string_view run, const RunOptions& options, Log& log) {
    return World::open(options, log).and_then([&](const std::unique_ptr<World>& world) {
        const Services services = world->services(options);
        return services.store.find_run(run).and_then([&](const runs::RunRecord& record) { return resume(record, services); });
    });
}

}  // namespace optiml::optimizer
