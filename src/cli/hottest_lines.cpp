#include "cli/hottest_lines.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "report/text_table.h"

namespace optiml::cli {
namespace {

constexpr std::size_t kLinesShown = 8;  // the JSON has them all

// What a line costs, as far as its counters tell.
struct LineColumn {
    const char* title;
    std::vector<const char*> counters;  // added
};
const LineColumn kLineColumns[] = {
    {"warp instructions", {"smsp__inst_executed.sum"}},
    {"global sectors", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                        "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"}},
    {"shared wavefronts", {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"}},
    {"bank conflicts", {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"}},
    {"divergent branches", {"smsp__sass_branch_targets_threads_divergent.sum"}},
};

double value_of(const evaluation::LineProfile& line, const LineColumn& column) {
    double sum = 0;
    for (const char* name : column.counters) {
        const auto found = line.counters.find(name);
        if (found != line.counters.end()) sum += found->second;
    }
    return sum;
}

struct Totals {
    std::vector<const LineColumn*> columns;  // in which something is counted
    std::vector<double> values;
};

Totals totals_of(const std::vector<evaluation::LineProfile>& lines) {
    Totals totals;
    for (const LineColumn& column : kLineColumns) {
        double total = 0;
        for (const evaluation::LineProfile& line : lines) total += value_of(line, column);
        if (total <= 0) continue;
        totals.columns.push_back(&column);
        totals.values.push_back(total);
    }
    return totals;
}

double heat(const evaluation::LineProfile& line, const Totals& totals) {
    double most = 0;
    for (std::size_t i = 0; i < totals.columns.size(); ++i) most = std::max(most, value_of(line, *totals.columns[i]) / totals.values[i]);
    return most;
}

std::vector<std::string> row_of(const evaluation::LineProfile& line, const Totals& totals) {
    std::vector<std::string> row = {fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line)};
    for (std::size_t i = 0; i < totals.columns.size(); ++i) {
        const double value = value_of(line, *totals.columns[i]);
        row.push_back(value > 0 ? fmt::format("{} ({:.0f} %)", report::number(value), 100 * value / totals.values[i]) : "-");
    }
    return row;
}

}  // namespace

std::string hottest_lines(const std::vector<evaluation::LineProfile>& lines) {
    const Totals totals = totals_of(lines);
    if (totals.columns.empty()) return "";
    std::vector<const evaluation::LineProfile*> hottest;
    for (const evaluation::LineProfile& line : lines) hottest.push_back(&line);
    std::stable_sort(hottest.begin(), hottest.end(), [&](const auto* a, const auto* b) { return heat(*a, totals) > heat(*b, totals); });
    hottest.resize(std::min(hottest.size(), kLinesShown));
    std::vector<std::vector<std::string>> rows = {{"line"}};
    for (const LineColumn* column : totals.columns) rows.front().emplace_back(column->title);
    for (const evaluation::LineProfile* line : hottest) rows.push_back(row_of(*line, totals));
    return report::table(rows);
}

}  // namespace optiml::cli
