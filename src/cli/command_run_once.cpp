#include <memory>

#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "cli/command.h"
#include "cli/findings_text.h"
#include "optimizer/evaluators.h"
#include "workers/run_once.h"

namespace optiml::cli {
namespace {

struct RunOnceOptions {
    std::string device;
    std::string file;
};

Result<int> run(const RunOnceOptions& options, Console& console) {
    const auto ordinals = optimizer::device_ordinals(options.device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    const RealDisk disk;
    const auto request = disk.read(options.file);
    if (!request) return tl::make_unexpected(request.error());
    const auto finding = workers::run_once(ordinals->front(), *request, disk);
    if (!finding) return tl::make_unexpected(finding.error());
    nlohmann::json result{{"ok", !finding->has_value()}};
    if (*finding) result["finding"] = finding_json(**finding);
    console.result(result.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return *finding ? kNo : kDone;
}

}  // namespace

void add_run_once(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("run-once", "Run a compiled candidate once (started by the program itself, under ncu or compute-sanitizer)");
    command->group("");  // not for people
    auto options = std::make_shared<RunOnceOptions>();
    command->add_option("--device", options->device, "cuda:N")->required();
    command->add_option("RUN.json", options->file, "What to run")->required();
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
