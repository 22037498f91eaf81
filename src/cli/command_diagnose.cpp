#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "cli/command.h"
#include "cli/options.h"
#include "optimizer/report_diagnosis.h"
#include "report/explanation.h"
#include "report/text_table.h"

namespace optiml::cli {
namespace {

using nlohmann::json;
using optimizer::ReportedKernel;

constexpr std::size_t kPromisesShown = 6;  // the JSON has them all

struct DiagnoseOptions {
    std::string file;
    std::string device_model;
    OutputOptions output;
};

std::string names_of(const std::vector<diagnosis::Bottleneck>& bottlenecks) {
    std::string names;
    for (const diagnosis::Bottleneck bottleneck : bottlenecks) names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(bottleneck));
    return names;
}

std::string text_of(const ReportedKernel& kernel) {
    std::string text = fmt::format("## {}\n\n", kernel.kernel);
    if (kernel.grid[0] != 0) text += fmt::format("grid {}, block {}; ", fmt::join(kernel.grid, " x "), fmt::join(kernel.block, " x "));
    text += fmt::format("{} launch{}, {} ms each\n\n", kernel.launches, kernel.launches == 1 ? "" : "es", kernel.time_ms > 0 ? report::number(kernel.time_ms) : "?");
    text += "What binds it:\n\n" + report::hypotheses_text(kernel.hypotheses);
    if (kernel.promises.empty()) return text + "\n";
    text += "\nWhat the catalogue could try, where it is legal:\n\n";
    for (std::size_t i = 0; i < std::min(kernel.promises.size(), kPromisesShown); ++i) {
        const experts::Promise& promise = kernel.promises[i];
        text += fmt::format("- {} ({}): {}\n", promise.transformation->name(), names_of(promise.relieves), promise.transformation->summary());
    }
    return text + "\n";
}

std::string text_of(const optimizer::ReportDiagnosis& diagnosis) {
    std::string text = fmt::format("{} kernel{} on {}\n\n", diagnosis.kernels.size(), diagnosis.kernels.size() == 1 ? "" : "s",
                                   diagnosis.device.empty() ? "a card that the report does not name" : diagnosis.device);
    for (const ReportedKernel& kernel : diagnosis.kernels) text += text_of(kernel);
    for (const std::string& note : diagnosis.notes) text += fmt::format("Note: {}\n", note);
    return text;
}

json json_of(const diagnosis::Hypothesis& hypothesis) {
    json evidence = json::array();
    for (const diagnosis::Evidence& item : hypothesis.evidence) evidence.push_back({{"counter", item.counter}, {"value", item.value}, {"meaning", item.meaning}});
    return {{"bottleneck", name_of(hypothesis.bottleneck)}, {"weight", hypothesis.weight}, {"statement", hypothesis.statement}, {"evidence", evidence}};
}

json json_of(const experts::Promise& promise) {
    json relieves = json::array();
    for (const diagnosis::Bottleneck bottleneck : promise.relieves) relieves.push_back(name_of(bottleneck));
    return {{"transformation", promise.transformation->name()}, {"summary", promise.transformation->summary()}, {"promise", promise.promise}, {"relieves", relieves}};
}

json json_of(const ReportedKernel& kernel) {
    json hypotheses = json::array(), promises = json::array();
    for (const diagnosis::Hypothesis& hypothesis : kernel.hypotheses) hypotheses.push_back(json_of(hypothesis));
    for (const experts::Promise& promise : kernel.promises) promises.push_back(json_of(promise));
    return {{"kernel", kernel.kernel},     {"grid", kernel.grid},         {"block", kernel.block},     {"launches", kernel.launches},
            {"time_ms", kernel.time_ms}, {"counters", kernel.counters}, {"hypotheses", hypotheses}, {"suggestions", promises}};
}

Result<int> run(const DiagnoseOptions& options, Console& console) {
    options.output.apply(console);
    const RealDisk disk;
    const auto diagnosis = optimizer::diagnose_report(options.file, options.device_model, disk);
    if (!diagnosis) return tl::make_unexpected(diagnosis.error());
    if (!console.json()) {
        console.result(text_of(*diagnosis));
        return kDone;
    }
    json kernels = json::array();
    for (const ReportedKernel& kernel : diagnosis->kernels) kernels.push_back(json_of(kernel));
    const json result{{"device", diagnosis->device}, {"source", "measured"}, {"kernels", kernels}, {"notes", diagnosis->notes}};
    // Names in a report may hold bytes that are no UTF-8.
    console.result(result.dump(2, ' ', false, json::error_handler_t::replace));
    return kDone;
}

}  // namespace

void add_diagnose(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("diagnose", "Say what binds the kernels of an Nsight Compute report, and what could be tried");
    auto options = std::make_shared<DiagnoseOptions>();
    command->add_option("REPORT", options->file, "FILE.ncu-rep, or the output of ncu --csv --page raw (or details)")->required();
    command->add_option("--device-model", options->device_model, "Card whose ceilings to measure with: h200, a100, rtx4090; default: the one that the report names");
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
