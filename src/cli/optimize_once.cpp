#include "cli/optimize_once.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/progress_lines.h"
#include "report/explanation.h"
#include "report/result_json.h"

namespace optiml::cli {
namespace {

// Absolute, so that a run can be resumed from another folder.
std::string absolute(const std::string& path) { return path.empty() ? path : std::filesystem::absolute(path).string(); }

}  // namespace

Result<optimizer::Settings> settings_of(const optimizer::TaskChoice& choice, const DeviceOptions& device, const SearchOptions& search,
                                        const std::string& out) {
    const Result<std::string> resolved = device.resolved();
    if (!resolved) return tl::make_unexpected(resolved.error());
    const Result<optimizer::Budget> budget = optimizer::parse_budget(search.budget);
    if (!budget) return tl::make_unexpected(budget.error());
    optimizer::Settings settings;
    settings.choice = choice;
    settings.choice.kernel_file = absolute(choice.kernel_file);
    settings.choice.task_file = absolute(choice.task_file);
    settings.device = *resolved;
    settings.budget = *budget;
    settings.seed = search.seed;
    settings.search = search.search;
    settings.out = absolute(out);
    return settings;
}

Result<optimizer::Optimization> optimize_once(optimizer::World& world, const optimizer::Settings& settings, std::uint32_t jobs,
                                              Console& console) {
    ProgressLines lines(console, std::filesystem::path(settings.choice.kernel_file).stem().string(), settings.budget);
    optimizer::Services services = world.services(jobs);
    services.interrupted = interrupted;
    services.on_progress = [&](const optimizer::Progress& progress) { lines.show(progress); };
    note_interrupts();
    return optimizer::optimize(settings, services);
}

int tell(const optimizer::Optimization& optimization, Console& console) {
    const report::Summary& summary = optimization.summary;
    console.result(console.json() ? report::result_json(summary) : report::explain(summary, true));
    if (!console.json()) console.note(report::headline(summary));
    if (!optimization.interrupted) return kDone;
    console.note(fmt::format("interrupted; go on with: optiml resume {}", summary.run));
    return kInterrupted;
}

}  // namespace optiml::cli
