#include <algorithm>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/optimize_once.h"
#include "report/explanation.h"
#include "report/result_json.h"
#include "report/text_table.h"

namespace optiml::cli {
namespace {

namespace fs = std::filesystem;

struct SuiteOptions {
    std::vector<std::string> names;
    std::string folder;
    std::string out;
    std::string size_set;
    DeviceOptions device;
    SearchOptions search;
    StoreOptions store;
    OutputOptions output;
};

struct Entry {
    std::string name;
    std::string status;  // "improved", "unchanged", "failed" or "interrupted"
    std::optional<report::Summary> summary;
    std::string error;
};

// examples/suite here, or of the checkout that the program was built in.
fs::path default_folder() {
    std::error_code code;
    const fs::path program = fs::read_symlink("/proc/self/exe", code);
    for (fs::path root = fs::current_path(); !root.empty(); root = root == root.parent_path() ? fs::path() : root.parent_path()) {
        if (fs::exists(root / "examples/suite", code)) return root / "examples/suite";
    }
    for (fs::path root = program.parent_path(); root != root.parent_path(); root = root.parent_path()) {
        if (fs::exists(root / "examples/suite", code)) return root / "examples/suite";
    }
    return "examples/suite";
}

Result<std::vector<fs::path>> kernel_files(const SuiteOptions& options) {
    const fs::path folder = options.folder.empty() ? default_folder() : fs::path(options.folder);
    std::error_code code;
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder, code)) {
        if (entry.path().extension() == ".cu" && fs::exists(fs::path(entry.path()).replace_extension(".toml"))) all.push_back(entry.path());
    }
    if (all.empty()) return user_error(fmt::format("no kernels with task files in {}", folder.string()), {}, "Name the folder with --from.");
    std::sort(all.begin(), all.end());
    if (options.names.empty()) return all;
    std::vector<fs::path> chosen;
    for (const std::string& name : options.names) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const fs::path& path) { return path.stem() == name; });
        if (found != all.end()) {
            chosen.push_back(*found);
            continue;
        }
        std::string known;
        for (const fs::path& path : all) known += " " + path.stem().string();
        return user_error(fmt::format("the suite has no kernel '{}'", name), {}, "It has:" + known);
    }
    return chosen;
}

Entry optimize_entry(const fs::path& file, const SuiteOptions& options, Console& console) {
    Entry entry{file.stem().string(), "failed", {}, {}};
    const optimizer::TaskChoice choice{file.string(), {}, {}, options.size_set, {}, {}};
    const std::string out = options.out.empty() ? "" : (fs::path(options.out) / entry.name).string();
    const auto settings = settings_of(choice, options.device, options.search, out);
    const auto optimization = settings ? optimize_once(*settings, options.store, options.device, console)
                                       : Result<optimizer::Optimization>(tl::make_unexpected(settings.error()));
    if (!optimization) {
        entry.error = optimization.error().text();
        console.note(fmt::format("{}: {}", entry.name, entry.error));
        return entry;
    }
    entry.summary = optimization->summary;
    entry.status = optimization->interrupted ? "interrupted" : entry.summary->path.empty() ? "unchanged" : "improved";
    console.note(fmt::format("{}: {}", entry.name, report::headline(*entry.summary)));
    return entry;
}

nlohmann::json json_of(const Entry& entry) {
    nlohmann::json json = entry.summary ? nlohmann::json::parse(report::result_json(*entry.summary)) : nlohmann::json::object();
    json["name"] = entry.name;
    json["status"] = entry.status;
    if (!entry.error.empty()) json["error"] = entry.error;
    return json;
}

std::string text_of(const std::vector<Entry>& entries) {
    std::vector<std::vector<std::string>> rows = {{"kernel", "status", "original ms", "best ms", "speed-up", "evaluations", "seconds"}};
    for (const Entry& entry : entries) {
        if (!entry.summary) {
            rows.push_back({entry.name, entry.status, "-", "-", "-", "-", "-"});
            continue;
        }
        const report::Summary& summary = *entry.summary;
        rows.push_back({entry.name, entry.status, report::number(summary.original_ms), report::number(summary.best_ms),
                        fmt::format("{:.2f}", summary.speedup()), fmt::format("{}", summary.evaluations),
                        fmt::format("{:.1f}", summary.seconds)});
    }
    return report::table(rows);
}

Result<int> run(const SuiteOptions& options, Console& console) {
    options.output.apply(console);
    const auto files = kernel_files(options);
    if (!files) return tl::make_unexpected(files.error());
    std::vector<Entry> entries;
    for (const fs::path& file : *files) {
        entries.push_back(optimize_entry(file, options, console));
        if (interrupted()) break;
    }
    nlohmann::json kernels = nlohmann::json::array();
    for (const Entry& entry : entries) kernels.push_back(json_of(entry));
    console.result(console.json() ? nlohmann::json{{"kernels", kernels}}.dump(2) : text_of(entries));
    if (interrupted()) return kInterrupted;
    return std::any_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.status == "failed"; }) ? kNo : kDone;
}

}  // namespace

void add_suite(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("suite", "Optimize the kernels of a suite one after the other");
    auto options = std::make_shared<SuiteOptions>();
    command->add_option("NAMES", options->names, "Kernels of the suite; default: all");
    command->add_option("--from", options->folder, "Folder of the suite: .cu files with task files; default: examples/suite");
    command->add_option("--size", options->size_set, "Set of sizes to time at: small or large (default)");
    options->device.add_to(*command);
    options->search.add_to(*command);
    command->add_option("-o,--out", options->out, "Folder for a folder a kernel; default: out/RUN");
    options->store.add_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
