#include "cli/optimize_once.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "report/explanation.h"
#include "report/result_json.h"

namespace optiml::cli {
namespace {

// Absolute, so that a run can be resumed from another folder.
std::string absolute(const std::string& path) { return path.empty() ? path : std::filesystem::absolute(path).string(); }

}  // namespace

optimizer::RunOptions run_options(const StoreOptions& store, const DeviceOptions& device, ProgressLines& lines) {
    return {store.resolved(), device.resolved_jobs(), interrupted, [&lines](const optimizer::Progress& progress) { lines.show(progress); }};
}

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

Result<optimizer::Optimization> optimize_once(const optimizer::Settings& settings, const StoreOptions& store, const DeviceOptions& device,
                                              Console& console) {
    ProgressLines lines(console);
    note_interrupts();
    return optimizer::optimize(settings, run_options(store, device, lines), console);
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
