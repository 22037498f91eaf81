#include "report/explanation.h"

#include <filesystem>

#include <fmt/format.h>

#include "report/text_table.h"
#include "report/unified_diff.h"

namespace optiml::report {
namespace {

constexpr std::size_t kHypothesesShown = 4;

std::string title(const Summary& summary) {
    if (summary.path.empty()) return fmt::format("# {}: nothing faster was found\n\n", summary.task);
    return fmt::format("# {}: {:.2f} times as fast ({})\n\n", summary.task, summary.speedup(), summary.source);
}

std::string sizes(const Summary& summary) {
    std::string text;
    for (const auto& [name, value] : summary.sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    return text;
}

// Atomics, branches and addresses may take their time from the data: a figure without its values says little.
std::string values(const Summary& summary) {
    if (summary.values.empty()) return {};
    std::string text;
    for (const auto& [name, fill] : summary.values) text += fmt::format("{}`{}` {}", text.empty() ? "" : ", ", name, fill);
    return fmt::format("Timed with these input values: {}. Where data decides what is done, other values take other times.\n", text);
}

std::string overview(const Summary& summary) {
    std::string text = fmt::format("`{}` on {}, {}: {} ms -> {} ms, {}, L2 cache cold before each run.\n", summary.kernel, summary.device,
                                   sizes(summary), number(summary.original_ms), number(summary.best_ms), summary.source);
    text += values(summary);
    if (summary.best_warm_ms > 0) text += fmt::format("Run again at once, with a warm L2 cache: {} ms.\n", number(summary.best_warm_ms));
    if (summary.collector == "driver") {
        text += "Hardware counters may not be read here: the diagnosis rests on the driver's figures alone (docs/gpu.md).\n";
    } else if (!summary.collector.empty()) {
        text += fmt::format("Counters by {}.\n", summary.collector);
    }
    if (!summary.kernel_file.empty()) text += fmt::format("The kernel is in `{}`.\n", summary.kernel_file);
    text += fmt::format("Run {}: {} evaluations in {:.1f} s by {} (seed {}), ended by: {}. {} rejected, {} seen before.\n\n", summary.run,
                        summary.evaluations, summary.seconds, summary.search, summary.seed, summary.stopped_by, summary.rejected,
                        summary.transpositions);
    return text;
}

std::string place(const diagnosis::Evidence& evidence) {
    if (evidence.line == 0) return {};
    return fmt::format(" ({}:{})", std::filesystem::path(evidence.file).filename().string(), evidence.line);
}

std::string parameters(const Step& step) {
    std::string text;
    for (const auto& [name, value] : step.parameters) text += fmt::format("{}{} {}", text.empty() ? " (" : ", ", name, value);
    return text.empty() ? text : text + ")";
}

std::string change(const CounterChange& moved) {
    if (moved.before == 0) return "new";
    if (moved.after == 0) return "gone";
    const double ratio = moved.after / moved.before;
    return ratio >= 1 ? fmt::format("x {:.2f}", ratio) : fmt::format("/ {:.2f}", 1 / ratio);
}

std::string told(const Step& step, std::size_t number_of_step) {
    std::string text = fmt::format("### {}. {}{}: {} ms -> {} ms, x {:.2f}\n\n", number_of_step, step.transformation, parameters(step),
                                   number(step.before_ms), number(step.after_ms), step.speedup());
    if (!step.site.empty()) text += fmt::format("Where: {}.\n", step.site);
    if (!step.summary.empty()) text += fmt::format("What: {}\n", step.summary);
    if (!step.hypothesis.empty()) {
        text += fmt::format("Why: {}{}{}\n", step.hypothesis, step.statement.empty() ? "" : ". ", step.statement);
    }
    if (step.moved.empty()) return text + "\n";
    std::vector<std::vector<std::string>> rows = {{"counter", "before", "after", "change"}};
    for (const CounterChange& moved : step.moved) {
        rows.push_back({moved.counter, number(moved.before), number(moved.after), change(moved)});
    }
    return text + "\n" + table(rows) + "\n";
}

// "dram__bytes_read.sum / 8.00"
std::string largest_change(const std::vector<CounterChange>& moved) {
    return moved.empty() ? "-" : moved.front().counter + " " + change(moved.front());
}

std::string tried(const Summary& summary) {
    std::vector<std::vector<std::string>> rows = {{"transformation", "candidates", "rejected", "faster", "best step", "best in all", "what moved most"}};
    for (const Tried& one : summary.tried) {
        const auto times = [](double speedup) { return speedup > 0 ? fmt::format("x {:.2f}", speedup) : std::string("-"); };
        rows.push_back({one.transformation, fmt::format("{}", one.candidates), fmt::format("{}", one.rejected), fmt::format("{}", one.faster),
                        times(one.best_step), times(one.best_speedup), largest_change(one.moved)});
    }
    return "A step is measured against what it was applied to; \"in all\" is against the original.\n\n" + table(rows);
}

std::string comparison(const Summary& summary) {
    std::string text = "The reward of a candidate is the sum of weight times figure; a figure is the natural logarithm of original over "
                       "candidate, so that more is better, or a penalty.\n\n";
    std::vector<std::vector<std::string>> rows = {{"figure", "weight", "winner's part"}};
    for (const auto& [name, weight] : summary.weights) {
        std::string part = "-";
        for (const auto& [part_name, value] : summary.reward_parts) {
            if (part_name == name) part = fmt::format("{:+.4f}", value);
        }
        rows.push_back({name, number(weight), part});
    }
    return text + table(rows);
}

std::string verification(const Summary& summary) {
    std::string text = "The original is kept, nothing else had to be verified.\n";
    if (!summary.verification.empty()) {
        text = summary.verification + "\n";
        // Such checks often know the right result for one size only.
        text += "The judge of every result is what the original computes at the same sizes, in its own precision or in a higher one; a check in the "
                "original's own program plays no part.\n";
    }
    if (summary.rejections.empty()) return text;
    std::string kinds;
    for (const auto& [kind, count] : summary.rejections) kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, kind);
    return text + fmt::format("Rejected on the way: {}.\n", kinds);
}

}  // namespace

std::string hypotheses_text(const std::vector<diagnosis::Hypothesis>& all) {
    if (all.empty()) return "Nothing stands out.\n";
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < kHypothesesShown; ++i) {
        text += fmt::format("{}. **{}** (weight {:.2f}): {}\n", i + 1, name_of(all[i].bottleneck), all[i].weight, all[i].statement);
        for (const diagnosis::Evidence& evidence : all[i].evidence) {
            text += fmt::format("   - {} = {}: {}{}\n", evidence.counter, number(evidence.value), evidence.meaning, place(evidence));
        }
    }
    return text;
}

std::string headline(const Summary& summary) {
    if (summary.path.empty()) {
        return fmt::format("nothing faster than the original was found: {} ms ({}, {})", number(summary.original_ms), summary.source,
                           summary.device);
    }
    return fmt::format("{:.2f} times as fast: {} ms -> {} ms ({}, {})", summary.speedup(), number(summary.original_ms),
                       number(summary.best_ms), summary.source, summary.device);
}

std::string explain(const Summary& summary, bool with_diff) {
    std::string text = title(summary) + overview(summary);
    text += "## What bound the original\n\n" + hypotheses_text(summary.original_hypotheses) + "\n";
    if (!summary.path.empty()) {
        text += "## What was done\n\n";
        for (std::size_t i = 0; i < summary.path.size(); ++i) text += told(summary.path[i], i + 1);
        text += "## What binds it now\n\n" + hypotheses_text(summary.best_hypotheses) + "\n";
    }
    if (!summary.tried.empty()) text += "## What was tried, on all branches\n\n" + tried(summary) + "\n";
    text += "## How it was verified\n\n" + verification(summary) + "\n";
    text += "## How candidates were compared\n\n" + comparison(summary);
    if (!with_diff || summary.original_source == summary.best_source) return text;
    return text + "\n## Diff\n\n```diff\n" +
           unified_diff(summary.original_source, summary.best_source, "a/" + summary.original_file, "b/" + summary.original_file) +
           "```\n";
}

}  // namespace optiml::report
