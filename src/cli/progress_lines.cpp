#include "cli/progress_lines.h"

#include <fmt/format.h>

namespace optiml::cli {

std::string ProgressLines::so_far(const optimizer::Progress& progress) const {
    const optimizer::Budget& budget = progress.budget;
    const std::string count = budget.evaluations ? fmt::format("{}/{}", progress.evaluations, *budget.evaluations)
                                                 : fmt::format("{} in {:.0f}/{:.0f} s", progress.evaluations, progress.seconds,
                                                               budget.seconds.value_or(0));
    return fmt::format("{}: {} evaluations, {:.0f} s, best x {:.2f}", progress.run, count, progress.seconds, progress.best_speedup);
}

void ProgressLines::show(const optimizer::Progress& progress) {
    if (progress.improved) {
        console_.note(fmt::format("{}; {}", so_far(progress), progress.action));
    } else if (!console_.is_terminal() && progress.evaluations >= next_line_) {
        console_.note(so_far(progress));
    }
    while (progress.evaluations >= next_line_) next_line_ += 25;
    console_.status(fmt::format("{}; {}: {}", so_far(progress), progress.action, progress.outcome));
}

}  // namespace optiml::cli
