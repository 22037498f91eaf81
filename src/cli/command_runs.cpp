// runs, explain and resume: what the run store knows.

#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/optimize_once.h"
#include "cli/options.h"
#include "report/explanation.h"
#include "report/result_json.h"
#include "report/text_table.h"
#include "runs/store.h"

namespace optiml::cli {
namespace {

struct RunsOptions {
    std::string run;
    DeviceOptions device;  // jobs alone: the device is the run's
    bool no_diff = false;
    StoreOptions store;
    OutputOptions output;
};

std::string speedup_of(const runs::RunRecord& run) {
    if (run.result.empty()) return "";
    const auto summary = report::summary_from_json(run.result);
    return summary ? fmt::format("{:.2f}", summary->speedup()) : "";
}

nlohmann::json json_of(const runs::RunRecord& run) {
    nlohmann::json json = {{"run", run.name}, {"created", run.created}, {"state", run.state}, {"seconds", run.seconds}};
    if (const std::string speedup = speedup_of(run); !speedup.empty()) json["speedup"] = std::stod(speedup);
    return json;
}

Result<int> list_runs(const RunsOptions& options, Console& console) {
    options.output.apply(console);
    const auto store = runs::open_store(options.store.resolved());
    if (!store) return tl::make_unexpected(store.error());
    const auto all = (*store)->list_runs();
    if (!all) return tl::make_unexpected(all.error());
    nlohmann::json json = nlohmann::json::array();
    std::vector<std::vector<std::string>> rows = {{"run", "created", "state", "seconds", "speed-up"}};
    for (const runs::RunRecord& run : *all) {
        json.push_back(json_of(run));
        rows.push_back({run.name, run.created, run.state, fmt::format("{:.1f}", run.seconds), speedup_of(run)});
    }
    if (console.json()) {
        console.result(nlohmann::json{{"runs", json}}.dump(2));
    } else {
        console.result(all->empty() ? "There are no runs yet: start one with optiml optimize FILE.cu." : report::table(rows));
    }
    return kDone;
}

// A run without a result is at work, or was killed: what its nodes tell.
std::string unfinished(const runs::RunRecord& run, const std::vector<runs::NodeRecord>& nodes) {
    double best = 0;
    std::string action = "nothing better yet";
    for (const runs::NodeRecord& node : nodes) {
        if (node.reward <= best) continue;
        best = node.reward;
        action = node.action;
    }
    std::string text = fmt::format("Run {} is {} after {} states in {:.1f} s; the best reward so far is {:.3f} ({}).\n", run.name, run.state,
                                   nodes.size(), run.seconds, best, action);
    if (run.state == "interrupted") text += fmt::format("Go on with: optiml resume {}\n", run.name);
    return text;
}

Result<int> explain_run(const RunsOptions& options, Console& console) {
    options.output.apply(console);
    const auto store = runs::open_store(options.store.resolved());
    if (!store) return tl::make_unexpected(store.error());
    const auto run = (*store)->find_run(options.run);
    if (!run) return tl::make_unexpected(run.error());
    if (run->result.empty()) {
        const auto nodes = (*store)->nodes(run->id);
        if (!nodes) return tl::make_unexpected(nodes.error());
        console.result(console.json() ? json_of(*run).dump(2) : unfinished(*run, *nodes));
        return kDone;
    }
    const auto summary = report::summary_from_json(run->result);
    if (!summary) return tl::make_unexpected(summary.error());
    console.result(console.json() ? report::result_json(*summary) : report::explain(*summary, !options.no_diff));
    return kDone;
}

Result<int> resume_run(const RunsOptions& options, Console& console) {
    options.output.apply(console);
    ProgressLines lines(console);
    note_interrupts();
    const auto optimization = optimizer::resume(options.run, run_options(options.store, options.device, lines), console);
    if (!optimization) return tl::make_unexpected(optimization.error());
    return tell(*optimization, console);
}

void add(CLI::App& app, Action& chosen, const char* name, const char* title, bool with_run,
         Result<int> (*run)(const RunsOptions&, Console&)) {
    CLI::App* command = app.add_subcommand(name, title);
    auto options = std::make_shared<RunsOptions>();
    if (with_run) command->add_option("RUN", options->run, "Its name (softmax-3) or number; see optiml runs")->required();
    if (run == resume_run) options->device.add_jobs_to(*command);
    if (run == explain_run) command->add_flag("--no-diff", options->no_diff, "Leave out the diff");
    options->store.add_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen, run] { chosen = [options, run](Console& console) { return run(*options, console); }; });
}

}  // namespace

void add_runs(CLI::App& app, Action& chosen) { add(app, chosen, "runs", "List the runs so far", false, list_runs); }
void add_explain(CLI::App& app, Action& chosen) {
    add(app, chosen, "explain", "Tell a run step by step: what was tried for which reason, and what it brought", true, explain_run);
}
void add_resume(CLI::App& app, Action& chosen) {
    add(app, chosen, "resume", "Go on with a run that was interrupted or killed", true, resume_run);
}

}  // namespace optiml::cli
