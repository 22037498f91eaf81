#include "evaluation/calibration_conflicts.h"

#include <fmt/format.h>

#include "evaluation/calibration_report.h"

namespace optiml::evaluation {
namespace {

const std::string kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared";

double counter_of(const emulator::Counters& counters, const std::string& name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
}

struct Kind {
    const char* name;
    const char* suffix;
};
constexpr Kind kKinds[] = {{"loads", "_op_ld.sum"}, {"stores", "_op_st.sum"}};

std::string figures(const std::vector<const CalibratedEntry*>& entries, const std::string& counter) {
    const Agreement agreement = counter_agreement(entries, counter, 0);
    return fmt::format("{} | {}", share(agreement), share({agreement.compared + agreement.both_zero, agreement.agreeing + agreement.both_zero}));
}

void append_differences(const CalibratedEntry& entry, const Kind& kind, std::string& text) {
    for (std::size_t i = 0; i < entry.launches.size(); ++i) {
        const emulator::Counters& card = entry.recorded->launches[i].counters;
        const double recorded = counter_of(card, kConflicts + kind.suffix);
        const double modelled = counter_of(entry.launches[i].counters, kConflicts + kind.suffix);
        if (recorded == modelled) continue;
        const double parts = counter_of(card, kConflicts + "_op_ld.sum") + counter_of(card, kConflicts + "_op_st.sum");
        text += fmt::format("| {} | {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} |\n", entry.recorded->id, kind.name, recorded, modelled, parts,
                            counter_of(card, kConflicts + ".sum"));
    }
}

}  // namespace

bool repeats_itself(const RecordedEntry& entry) {
    for (const RecordedLaunch& launch : entry.launches) {
        const double parts = counter_of(launch.counters, kConflicts + "_op_ld.sum") + counter_of(launch.counters, kConflicts + "_op_st.sum");
        const bool atomics = counter_of(launch.counters, "smsp__inst_executed_op_shared_atom.sum") > 0;
        if (!atomics && counter_of(launch.counters, kConflicts + ".sum") != parts) return false;
    }
    return true;
}

std::string bank_conflicts_markdown(const std::vector<CalibratedEntry>& entries) {
    std::vector<const CalibratedEntry*> affine;
    std::vector<const CalibratedEntry*> repeated;
    for (const CalibratedEntry& entry : entries) {
        if (!entry.failure.empty() || !entry.recorded->no_counters_because.empty() || !entry.recorded->affine || entry.recorded->size != "medium") continue;
        affine.push_back(&entry);
        if (repeats_itself(*entry.recorded)) repeated.push_back(&entry);
    }
    std::string text = "\n## Shared-memory bank conflicts (affine, medium)\n\n"
                       "Equal to the card's. In the second pair of columns without the entries in which the card itself counted\n"
                       "differently from one run to the next: all conflicts, from one run, are not those of loads and stores, from another.\n\n"
                       "| | not zero on both sides | all | card repeats itself, not zero | card repeats itself, all |\n|---|---|---|---|---|\n";
    for (const Kind& kind : kKinds)
        text += fmt::format("| {} | {} | {} |\n", kind.name, figures(affine, kConflicts + kind.suffix), figures(repeated, kConflicts + kind.suffix));
    text += "\nWhere they differ:\n\n| entry | of | card | model | card: loads + stores | card: all, another run |\n|---|---|---|---|---|---|\n";
    for (const Kind& kind : kKinds)
        for (const CalibratedEntry* entry : affine) append_differences(*entry, kind, text);
    return text;
}

}  // namespace optiml::evaluation
