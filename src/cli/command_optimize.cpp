#include <memory>

#include "cli/command.h"
#include "cli/optimize_once.h"
#include "cli/options.h"

namespace optiml::cli {
namespace {

struct OptimizeOptions {
    TaskOptions task;
    DeviceOptions device;
    SearchOptions search;
    GpuOptions gpu;
    StoreOptions store;
    OutputOptions output;
    std::string out;
};

Result<int> run(const OptimizeOptions& options, Console& console) {
    options.output.apply(console);
    const auto choice = options.task.choice();
    if (!choice) return tl::make_unexpected(choice.error());
    auto settings = settings_of(*choice, options.device, options.search, options.out);
    if (!settings) return tl::make_unexpected(settings.error());
    settings->gpu = options.gpu.chosen;
    const auto optimization = optimize_once(*settings, options.store, options.device, console);
    if (!optimization) return tl::make_unexpected(optimization.error());
    return tell(*optimization, console);
}

}  // namespace

void add_optimize(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("optimize", "Search for a faster version of a kernel, verify and explain it");
    auto options = std::make_shared<OptimizeOptions>();
    options->task.add_to(*command, true);
    options->device.add_to(*command);
    options->search.add_to(*command);
    options->gpu.add_profiler_to(*command);
    options->gpu.add_large_to(*command);
    command->add_option("-o,--out", options->out, "Folder for the kernel and its explanation; default: out/RUN");
    options->store.add_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
