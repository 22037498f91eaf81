#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/processors.h"
#include "cli/command.h"
#include "cli/options.h"
#include "emulator/device_model.h"
#include "gpu/environment.h"
#include "runs/store.h"

namespace optiml::cli {
namespace {

struct DoctorOptions {
    StoreOptions store;
    OutputOptions output;
};

struct Check {
    std::string name;
    bool good = false;
    bool needed = false;   // without it this version does not work
    std::string finding;
    std::string remedy;
};

template <class T, class Text>
Check check_of(std::string name, bool needed, const Result<T>& result, Text text) {
    if (result) return {std::move(name), true, needed, text(*result), {}};
    return {std::move(name), false, needed, result.error().message, result.error().remedy};
}

std::vector<Check> examine(const std::string& store_file) {
    std::vector<Check> checks;
    for (gpu::EnvironmentCheck& check : gpu::check_environment()) {
        const bool needed = check.name == "NVRTC";
        checks.push_back({std::move(check.name), check.state == gpu::CheckState::present, needed,
                          fmt::format("{} ({})", check.detail, check.needed_for), std::move(check.remedy)});
    }
    for (const char* name : {"h200", "a100", "rtx4090"}) {
        checks.push_back(check_of(fmt::format("device emulated:{}", name), true, emulator::find_device_model(name),
                                  [](const emulator::DeviceModel& model) { return model.title; }));
    }
    checks.push_back(check_of("run store", true, runs::open_store(store_file), [&](const auto&) { return store_file; }));
    checks.push_back({"processor", true, true, fmt::format("{} cores", available_processors()), {}});
    return checks;
}

Result<int> run(const DoctorOptions& options, Console& console) {
    options.output.apply(console);
    const std::vector<Check> checks = examine(options.store.resolved());
    bool ready = true;
    nlohmann::json json = nlohmann::json::array();
    std::string text;
    for (const Check& check : checks) {
        ready = ready && (check.good || !check.needed);
        json.push_back({{"name", check.name}, {"good", check.good}, {"needed", check.needed}, {"finding", check.finding},
                        {"remedy", check.remedy}});
        const char* mark = check.good ? "ok" : check.needed ? "MISSING" : "none";
        text += fmt::format("{:<8} {:<20} {}\n", mark, check.name, check.finding);
        if (!check.remedy.empty()) text += fmt::format("{:<29} {}\n", "", check.remedy);
    }
    text += ready ? "\nOptiML can work here.\n" : "\nOptiML cannot work here yet.\n";
    console.result(console.json() ? nlohmann::json{{"ready", ready}, {"checks", json}}.dump(2) : text);
    return ready ? kDone : kEnvironment;
}

}  // namespace

void add_doctor(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("doctor", "Say what this machine has and what it lacks");
    auto options = std::make_shared<DoctorOptions>();
    options->store.add_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
