#include "evaluation/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/statistics.h"
#include "evaluation/calibration_conflicts.h"
#include "evaluation/statistics.h"

namespace optiml::evaluation {
namespace {

using EntryList = std::vector<const CalibratedEntry*>;

double value_of(const emulator::Counters& counters, const std::string& name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;  // a counter that the model never touched is zero
}

template <class Predicate>
EntryList select(const std::vector<CalibratedEntry>& entries, Predicate predicate) {
    EntryList list;
    for (const CalibratedEntry& entry : entries) {
        if (entry.failure.empty() && predicate(*entry.recorded)) list.push_back(&entry);
    }
    return list;
}

void append_launch(const CalibratedEntry& entry, std::size_t i, bool every_counter, std::string& csv) {
    const RecordedLaunch& recorded = entry.recorded->launches[i];
    const CalibratedLaunch& modelled = entry.launches[i];
    const auto row = [&](const std::string& counter, const std::string& card, double value) {
        csv += fmt::format("{},{},{},{},{},{:.12g}\n", entry.recorded->id, recorded.index, modelled.sampled ? 1 : 0, counter, card, value);
    };
    for (const auto& [name, value] : recorded.counters) {
        const auto ours = modelled.counters.find(name);
        if (ours != modelled.counters.end() || every_counter) row(name, fmt::format("{:.12g}", value), value_of(modelled.counters, name));
    }
    if (!every_counter) return;
    for (const auto& [name, value] : modelled.counters) {
        if (!recorded.counters.contains(name)) row(name, "", value);
    }
    for (const auto& [name, value] : modelled.time.terms) row(name, "", value);
}

struct CounterRow {
    const char* counter;
    double tolerance;
    const char* meaning;
};

constexpr CounterRow kCounterRows[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 0, "equal"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 0, "equal"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", 0, "equal"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", 0, "equal"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", 0, "equal"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", 0, "equal"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", 0, "equal"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", 0, "equal"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_red.sum", 0, "equal"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", 0, "equal"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum", 0.1, "within 10 %"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", 0.1, "within 10 %"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", 0.1, "within 10 %"},
    {"smsp__inst_executed.sum", 0.15, "within 15 %"},
    {"smsp__thread_inst_executed.sum", 0.15, "within 15 %"},
    {"smsp__inst_executed_op_branch.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_alu.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_fma.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_fp64.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_lsu.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_xu.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_tensor.sum", 0.15, "within 15 %"},
    {"sm__inst_executed_pipe_uniform.sum", 0.15, "within 15 %"},
    {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 0.15, "within 15 %"},
    {"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 0.15, "within 15 %"},
    {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 0.15, "within 15 %"},
    {"lts__t_sectors_op_read.sum", 0.25, "within 25 %"},
    {"lts__t_sectors_op_write.sum", 0.25, "within 25 %"},
    {"dram__bytes_read.sum", 0.25, "within 25 %"},
    {"launch__occupancy_limit_registers", 0, "equal"},
    {"launch__occupancy_limit_warps", 0, "equal"},
};

void append_counters(const std::vector<CalibratedEntry>& entries, std::string& text) {
    text += "## Counters\n\nEntries on all of whose launches the model agrees with the card; those where both are zero are left out.\n\n"
            "| counter | agreement | affine, medium | all, medium | all, large |\n|---|---|---|---|---|\n";
    const auto affine = select(entries, [](const RecordedEntry& e) { return e.affine && e.size == "medium"; });
    const auto medium = select(entries, [](const RecordedEntry& e) { return e.size == "medium"; });
    const auto large = select(entries, [](const RecordedEntry& e) { return e.size == "large"; });
    for (const CounterRow& row : kCounterRows) {
        text += fmt::format("| {} | {} | {} | {} | {} |\n", row.counter, row.meaning, share(counter_agreement(affine, row.counter, row.tolerance)),
                            share(counter_agreement(medium, row.counter, row.tolerance)), share(counter_agreement(large, row.counter, row.tolerance)));
    }
}

void append_time_row(const std::string& name, const EntryList& entries, std::string& text) {
    std::vector<double> measured;
    std::vector<double> modelled;
    std::vector<double> errors;
    for (const CalibratedEntry* entry : entries) {
        measured.push_back(entry->recorded->cold_ms);
        modelled.push_back(entry->cold_ms);
        errors.push_back(std::abs(entry->cold_ms / entry->recorded->cold_ms - 1));
    }
    text += fmt::format("| {} | {} | {:.3f} | {:.0f} % |\n", name, entries.size(), spearman(measured, modelled), 100 * median(errors));
}

void append_times(const std::vector<CalibratedEntry>& entries, const std::vector<std::string>& fitted, std::string& text) {
    const auto is_fitted = [&](const RecordedEntry& e) { return std::find(fitted.begin(), fitted.end(), e.family) != fitted.end(); };
    text += "\n## Times (cold)\n\n| entries | number | Spearman | median error |\n|---|---|---|---|\n";
    append_time_row("all", select(entries, [](const RecordedEntry&) { return true; }), text);
    for (const std::string size : {"large", "medium"}) {
        append_time_row(size, select(entries, [&](const RecordedEntry& e) { return e.size == size; }), text);
    }
    append_time_row("fitted families", select(entries, is_fitted), text);
    append_time_row("held-out families", select(entries, [&](const RecordedEntry& e) { return !is_fitted(e); }), text);
    for (const std::string size : {"large", "medium"}) {
        text += fmt::format("\nFamilies whose fastest variant ({}) is among the model's first two: {}\n", size,
                            share(fastest_variant_found(entries, size)));
    }
}

void append_worst(const std::vector<CalibratedEntry>& entries, std::string& text) {
    EntryList list = select(entries, [](const RecordedEntry&) { return true; });
    const auto error = [](const CalibratedEntry* entry) { return std::abs(std::log(entry->cold_ms / entry->recorded->cold_ms)); };
    std::sort(list.begin(), list.end(), [&](const auto* a, const auto* b) { return error(a) > error(b); });
    text += "\n## Furthest from the card\n\n| entry | measured ms | modelled ms |\n|---|---|---|\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(25, list.size()); ++i) {
        text += fmt::format("| {} | {:.4f} | {:.4f} |\n", list[i]->recorded->id, list[i]->recorded->cold_ms, list[i]->cold_ms);
    }
}

}  // namespace

std::string share(const Agreement& agreement) {
    if (agreement.compared == 0) return "-";
    return fmt::format("{} / {} ({:.0f} %)", agreement.agreeing, agreement.compared,
                       100.0 * static_cast<double>(agreement.agreeing) / static_cast<double>(agreement.compared));
}

std::string calibration_csv(const std::vector<CalibratedEntry>& entries, bool every_counter) {
    std::string csv = "id,launch,sampled,counter,recorded,modelled\n";
    for (const CalibratedEntry& entry : entries) {
        if (!entry.failure.empty()) continue;
        csv += fmt::format("{},,,cold_ms,{:.6g},{:.6g}\n", entry.recorded->id, entry.recorded->cold_ms, entry.cold_ms);
        csv += fmt::format("{},,,warm_ms,{:.6g},{:.6g}\n", entry.recorded->id, entry.recorded->warm_ms, entry.warm_ms);
        for (std::size_t i = 0; i < entry.launches.size(); ++i) append_launch(entry, i, every_counter, csv);
    }
    return csv;
}

std::vector<std::string> every_second_family(const std::vector<RecordedEntry>& entries) {
    std::set<std::string> families;
    for (const RecordedEntry& entry : entries) families.insert(entry.family);
    std::vector<std::string> chosen;
    std::size_t place = 0;
    for (const std::string& family : families) {
        if (place++ % 2 == 0) chosen.push_back(family);
    }
    return chosen;
}

std::string calibration_markdown(const std::vector<CalibratedEntry>& entries, const std::vector<std::string>& fitted_families) {
    std::string text = "# Calibration\n\n";
    double seconds = 0;
    std::size_t failed = 0;
    for (const CalibratedEntry& entry : entries) {
        seconds += entry.seconds;
        failed += !entry.failure.empty();
    }
    text += fmt::format("{} entries, {} ran, {:.0f} s of emulation.\n\n", entries.size(), entries.size() - failed, seconds);
    append_counters(entries, text);
    text += bank_conflicts_markdown(entries);
    append_times(entries, fitted_families, text);
    append_worst(entries, text);
    if (failed > 0) text += "\n## Did not run\n\n";
    for (const CalibratedEntry& entry : entries) {
        if (!entry.failure.empty()) text += fmt::format("- {}: {}\n", entry.recorded->id, entry.failure.substr(0, entry.failure.find('\n')));
    }
    return text;
}

Agreement counter_agreement(const std::vector<const CalibratedEntry*>& entries, const std::string& counter, double tolerance) {
    Agreement agreement;
    for (const CalibratedEntry* entry : entries) {
        if (!entry->recorded->no_counters_because.empty()) continue;
        bool occurs = false;
        bool agrees = true;
        for (std::size_t i = 0; i < entry->launches.size(); ++i) {
            const double recorded = value_of(entry->recorded->launches[i].counters, counter);
            const double modelled = value_of(entry->launches[i].counters, counter);
            occurs |= recorded != 0 || modelled != 0;
            agrees &= std::abs(modelled - recorded) <= tolerance * std::abs(recorded);
        }
        agreement.compared += occurs;
        agreement.both_zero += !occurs;
        agreement.agreeing += occurs && agrees;
    }
    return agreement;
}

Agreement fastest_variant_found(const std::vector<CalibratedEntry>& entries, const std::string& size) {
    std::map<std::string, EntryList> families;
    for (const CalibratedEntry* entry : select(entries, [&](const RecordedEntry& e) { return e.size == size && e.family != "micro"; })) {
        families[entry->recorded->family].push_back(entry);
    }
    Agreement agreement;
    for (auto& [family, list] : families) {
        const auto fastest = *std::min_element(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->recorded->cold_ms < b->recorded->cold_ms; });
        std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->cold_ms < b->cold_ms; });
        const auto place = std::find(list.begin(), list.end(), fastest) - list.begin();
        ++agreement.compared;
        agreement.agreeing += place < 2;
    }
    return agreement;
}

}  // namespace optiml::evaluation
