#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/findings_text.h"
#include "cli/options.h"
#include "optiml/stream.h"

namespace optiml::cli {
namespace {

using nlohmann::json;

constexpr std::size_t kMostLineBytes = std::size_t{32} << 20;

struct EvaluateOptions {
    TaskOptions task;
    DeviceOptions device;
    bool no_emulator = false;
    bool thorough = false;
    GpuOptions gpu;
    OutputOptions output;
};

// A line of any length; of one that is longer than any candidate only the beginning, so that an endless line fills no memory.
bool read_line(std::istream& input, std::string& line) {
    line.clear();
    std::streambuf& buffer = *input.rdbuf();
    for (int c = buffer.sbumpc(); c != std::char_traits<char>::eof(); c = buffer.sbumpc()) {
        if (c == '\n') return true;
        if (line.size() <= kMostLineBytes) line.push_back(static_cast<char>(c));
    }
    return !line.empty();
}

optimizer::StreamItem item_of(const std::string& line, std::uint64_t number) {
    optimizer::StreamItem item{std::to_string(number), "", "", ""};
    if (line.size() > kMostLineBytes) {
        item.problem = fmt::format("the line is longer than {} MiB", kMostLineBytes >> 20);
        return item;
    }
    const json read = json::parse(line, nullptr, false);
    if (read.is_object() && read.contains("id")) item.id = read["id"].is_string() ? read["id"].get<std::string>() : read["id"].dump(-1, ' ', false, json::error_handler_t::replace);
    if (!read.is_object() || !read.contains("source") || !read["source"].is_string()) {
        item.problem = "the line is no JSON object with a text \"source\"";
        return item;
    }
    item.source = read["source"];
    if (!read.contains("task_file") || read["task_file"].is_null()) return item;
    if (read["task_file"].is_string()) item.task_file = read["task_file"];
    else item.problem = "\"task_file\" is no text";
    return item;
}

std::optional<optimizer::StreamItem> read_item(std::istream& input, std::uint64_t& count) {
    for (std::string line; read_line(input, line);) {
        if (!line.empty()) return item_of(line, count++);
    }
    return std::nullopt;
}

json json_of_evaluation(const optimizer::StreamItem& item, const evaluation::Evaluation& evaluation) {
    json findings = json::array();
    for (const evaluation::Finding& finding : evaluation.findings) findings.push_back(finding_json(finding));
    json answer{{"id", item.id},
                {"verdict", evaluation.accepted ? "accepted" : "rejected"},
                {"level", name_of(evaluation.level)},
                {"findings", findings},
                {"ptx", evaluation.ptx.hex()},
                {"stage_seconds", evaluation.stage_seconds}};
    if (evaluation.timing) {
        const evaluation::Timing& timing = *evaluation.timing;
        answer["source"] = timing.source == evaluation::Source::measured ? "measured" : "modelled";
        answer["device"] = timing.device;
        answer["time_ms"] = timing.cold_ms;
        if (timing.warm_ms > 0) answer["warm_ms"] = timing.warm_ms;
        answer["original_ms"] = timing.original_ms;
        answer["speedup"] = timing.original_ms > 0 ? timing.original_ms / timing.cold_ms : 0;
        answer["interval"] = timing.speedup;
        answer["samples"] = timing.samples;
        answer["improved"] = timing.cold_ms < timing.original_ms && is_certain(timing);
    }
    if (!evaluation.accuracy_note.empty()) answer["accuracy_note"] = evaluation.accuracy_note;
    if (!evaluation.no_counters_because.empty()) answer["no_counters_because"] = evaluation.no_counters_because;
    if (evaluation.profile) {
        answer["counters"] = evaluation.profile->counters;
        json launches = json::array();
        for (const auto& launch : evaluation.profile->launches) launches.push_back({{"kernel", launch.kernel}, {"counters", launch.counters}});
        answer["launches"] = launches;
    }
    return answer;
}

Result<int> run(const EvaluateOptions& options, Console& console) {
    options.output.apply(console);
    const auto choice = options.task.choice();
    if (!choice) return tl::make_unexpected(choice.error());
    const auto device = options.device.resolved();
    if (!device) return tl::make_unexpected(device.error());
    if (options.no_emulator && !device->starts_with("cuda:")) {
        return user_error("--no-emulator leaves nothing to check with", {}, "It is for --device cuda:N.");
    }
    std::uint64_t count = 0;
    const optimizer::StreamRequest request{*choice, *device, options.device.resolved_jobs(), !options.no_emulator, options.thorough, options.gpu.chosen};
    const Status status = optimizer::evaluate_stream(
        request, [&] { return read_item(std::cin, count); },
        [&](const optimizer::StreamItem& item, const evaluation::Evaluation& evaluation) {
            console.result(json_of_evaluation(item, evaluation).dump(-1, ' ', false, json::error_handler_t::replace));
        },
        console);
    if (!status) return tl::make_unexpected(status.error());
    return kDone;
}

}  // namespace

void add_evaluate(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "evaluate", "Evaluate many candidates for one kernel: JSON lines {\"id\", \"source\"[, \"task_file\"]} in, one line with the evaluation out");
    auto options = std::make_shared<EvaluateOptions>();
    options->task.add_to(*command, true);
    options->device.add_to(*command);
    command->add_flag("--no-emulator", options->no_emulator, "Leave out the emulator's checks (GPU only)");
    command->add_flag("--thorough", options->thorough, "Check and measure as for a search's winner");
    options->gpu.add_profiler_to(*command);
    options->gpu.add_large_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
