// faster FILE.cu EVALUATIONS FOLDER: profiles a kernel, searches for a faster one, and verifies that one once more.

#include <cstdlib>
#include <iostream>

#include "optiml/optiml.h"

using namespace optiml;

namespace {

class Warnings final : public Log {
public:
    void write(LogLevel level, std::string_view line) override {
        if (level == LogLevel::warning) std::cerr << line << '\n';
    }
};

int fail(const Error& error) {
    std::cerr << error.text() << '\n';
    return 1;
}

}  // namespace

int main(int argument_count, char** arguments) {
    if (argument_count != 4) {
        std::cerr << "faster FILE.cu EVALUATIONS FOLDER\n";
        return 2;
    }
    Warnings log;
    optimizer::Settings settings;
    settings.choice.kernel_file = arguments[1];
    settings.choice.size_set = "small";
    settings.out = arguments[3];
    const auto budget = optimizer::parse_budget(arguments[2]);
    if (!budget) return fail(budget.error());
    settings.budget = *budget;

    const auto profiling = optimizer::profile(settings.choice, settings.device, 1, log);
    if (!profiling) return fail(profiling.error());
    std::cout << profiling->kernel << ": " << profiling->evaluation.timing->cold_ms << " ms\n";
    for (const diagnosis::Hypothesis& hypothesis : profiling->hypotheses) std::cout << "  " << hypothesis.statement << '\n';

    optimizer::RunOptions options;
    options.store = ":memory:";
    options.on_progress = [](const optimizer::Progress& progress) {
        if (progress.improved) std::cout << progress.action << ": " << progress.outcome << '\n';
    };
    const auto found = optimizer::optimize(settings, options, log);
    if (!found) return fail(found.error());
    std::cout << found->summary.speedup() << " times as fast: " << found->summary.kernel_file << '\n';

    const auto verdict = optimizer::verify({settings.choice, found->summary.kernel_file, "", settings.device, 1}, log);
    if (!verdict) return fail(verdict.error());
    for (const evaluation::Finding& finding : verdict->findings) std::cout << finding.line << ": " << finding.message << '\n';
    std::cout << (verdict->accepted ? "accepted" : "rejected") << " (passed " << name_of(verdict->level) << ")\n";
    return verdict->accepted ? EXIT_SUCCESS : EXIT_FAILURE;
}
