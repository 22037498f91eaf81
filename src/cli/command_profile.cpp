#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/findings_text.h"
#include "cli/hottest_lines.h"
#include "cli/options.h"
#include "optiml/one_evaluation.h"
#include "report/explanation.h"
#include "report/text_table.h"

namespace optiml::cli {
namespace {

struct ProfileOptions {
    TaskOptions task;
    DeviceOptions device;
    GpuOptions gpu;
    bool sass = false;
    OutputOptions output;
};

const char* name_of(evaluation::Source source) { return source == evaluation::Source::modelled ? "modelled" : "measured"; }

nlohmann::json json_of(const std::vector<evaluation::LineProfile>& lines) {
    nlohmann::json json = nlohmann::json::array();
    for (const evaluation::LineProfile& line : lines) {
        nlohmann::json entry = line.counters;
        entry["file"] = line.file;
        entry["line"] = line.line;
        json.push_back(std::move(entry));
    }
    return json;
}

nlohmann::json json_of(const std::vector<evaluation::LaunchProfile>& launches) {
    nlohmann::json json = nlohmann::json::array();
    for (const evaluation::LaunchProfile& launch : launches) {
        json.push_back({{"kernel", launch.kernel},
                        {"grid", launch.grid},
                        {"block", launch.block},
                        {"repeats", launch.repeats},
                        {"time_ms", launch.time_ms},
                        {"counters", launch.counters}});
    }
    return json;
}

std::string text_of(const optimizer::Profiling& profiling) {
    const evaluation::Timing& timing = *profiling.evaluation.timing;
    const evaluation::Profile& profile = *profiling.evaluation.profile;
    const std::string warm = timing.warm_ms > 0 ? fmt::format("; {} ms with a warm one", report::number(timing.warm_ms)) : "";
    std::string text = fmt::format("{} on {}: {} ms ({}, cold L2 cache{})\n\n", profiling.kernel, timing.device,
                                   report::number(timing.cold_ms), name_of(timing.source), warm);
    if (profile.collector == "driver") {
        text += fmt::format("Without hardware counters; what follows is the driver's own (docs/gpu.md). {}\n\n", profiling.evaluation.no_counters_because);
    } else if (!profile.collector.empty()) {
        text += fmt::format("Counters by {}.\n\n", profile.collector);
    }
    std::vector<std::vector<std::string>> launches = {{"launch", "grid", "block", "times", "ms"}};
    for (const evaluation::LaunchProfile& launch : profile.launches) {
        launches.push_back({launch.kernel, fmt::format("{}", fmt::join(launch.grid, " x ")), fmt::format("{}", fmt::join(launch.block, " x ")),
                            fmt::format("{}", launch.repeats), report::number(launch.time_ms)});
    }
    text += report::table(launches) + "\n";
    std::vector<std::vector<std::string>> counters = {{"counter", "value"}};
    for (const auto& [name, value] : profile.counters) counters.push_back({name, report::number(value)});
    text += report::table(counters) + "\n";
    if (const std::string lines = hottest_lines(profile.lines); !lines.empty()) text += "The lines that cost most:\n\n" + lines + "\n";
    text += "What binds it:\n\n" + report::hypotheses_text(profiling.hypotheses);
    return text + printed_text(profiling.evaluation);
}

Result<int> run(const ProfileOptions& options, Console& console) {
    options.output.apply(console);
    const auto choice = options.task.choice();
    if (!choice) return tl::make_unexpected(choice.error());
    const auto device = options.device.resolved();
    if (!device) return tl::make_unexpected(device.error());
    const auto profiling = optimizer::profile(*choice, *device, options.device.resolved_jobs(), console, options.gpu.chosen);
    if (!profiling) return tl::make_unexpected(profiling.error());
    const Result<std::string> listing = options.sass ? optimizer::machine_listing(*choice, *device) : std::string();
    if (!listing) return tl::make_unexpected(listing.error());
    if (!console.json()) {
        console.result(text_of(*profiling) + (options.sass ? "\nMachine code:\n\n" + *listing : ""));
        return kDone;
    }
    const evaluation::Profile& profile = *profiling->evaluation.profile;
    nlohmann::json json{{"kernel", profiling->kernel},
                        {"device", profiling->evaluation.timing->device},
                        {"source", name_of(profile.source)},
                        {"collector", profile.collector},
                        {"time_ms", profiling->evaluation.timing->cold_ms},
                        {"warm_ms", profiling->evaluation.timing->warm_ms},
                        {"sizes", profiling->evaluation.timing->sizes},
                        {"counters", profile.counters},
                        {"lines", json_of(profile.lines)},
                        {"launches", json_of(profile.launches)},
                        {"printed", profiling->evaluation.printed}};
    if (options.sass) json["sass"] = *listing;
    console.result(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));  // what is printed may be any bytes
    return kDone;
}

}  // namespace

void add_profile(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("profile", "Count what a kernel does, by launch and source line, and say what binds it");
    auto options = std::make_shared<ProfileOptions>();
    options->task.add_to(*command, true);
    options->device.add_to(*command);
    options->output.add_to(*command);
    options->gpu.add_profiler_to(*command);
    options->gpu.add_tier_to(*command);
    command->add_flag("--sass", options->sass, "With the machine code, as nvdisasm lists it");
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
