#include <filesystem>
#include <memory>

#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "cli/calibration_recording.h"
#include "cli/card_model.h"
#include "cli/command.h"
#include "cli/options.h"
#include "emulator/device_model.h"
#include "gpu/device.h"
#include "evaluation/calibration.h"
#include "evaluation/calibration_report.h"
#include "optimizer/evaluators.h"

namespace optiml::cli {
namespace {

struct CalibrateOptions {
    std::string folder;
    std::string out = "out/calibration";
    std::string filter;
    bool every_counter = false;
    bool record = false;
    std::string entries;
    DeviceOptions device;
    OutputOptions output;
};

Result<int> record(const CalibrateOptions& options, const std::string& device, Console& console) {
    if (!device.starts_with("cuda:")) return environment_error("--record measures on an NVIDIA GPU, and this machine has none", "Choose one with --device cuda:N.");
    const auto ordinals = optimizer::device_ordinals(device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    return record_calibration({options.folder, options.entries, options.filter, ordinals->front()}, console);
}

// The emulator's model to compare; of a card, the one that models it.
Result<std::string> model_named(const std::string& device) {
    if (!device.starts_with("cuda:")) return device.substr(device.find(':') + 1);
    const auto ordinals = optimizer::device_ordinals(device);
    if (!ordinals) return tl::make_unexpected(ordinals.error());
    const auto card = gpu::Device::describe(ordinals->front());
    if (!card) return tl::make_unexpected(card.error());
    if (const auto model = model_of_card(card->name)) return model->name;
    return user_error("there is no model of an " + card->name, {}, "Choose one with --device emulated:NAME.");
}

Result<int> run(const CalibrateOptions& options, Console& console) {
    options.output.apply(console);
    const auto device_name = options.device.resolved();
    if (!device_name) return tl::make_unexpected(device_name.error());
    if (options.record) return record(options, *device_name, console);
    const auto name = model_named(*device_name);
    if (!name) return tl::make_unexpected(name.error());
    const auto device = emulator::find_device_model(*name);
    if (!device) return tl::make_unexpected(device.error());
    RealDisk disk;
    const std::filesystem::path folder = options.folder;
    const std::string recording = (folder / (*name + ".jsonl")).string();
    const auto text = disk.read(recording);
    if (!text) return tl::make_unexpected(text.error());
    const auto entries = evaluation::read_recordings(*text, recording);
    if (!entries) return tl::make_unexpected(entries.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());

    evaluation::CalibrationOptions calibration;
    calibration.filter = options.filter;
    calibration.host_threads = options.device.resolved_jobs();
    const auto sources = [&](const std::string& file) { return disk.read(folder / "kernels" / file); };
    const auto results = evaluation::calibrate(*entries, sources, **compiler, *device, calibration, console);
    const std::filesystem::path csv = std::filesystem::path(options.out) / "calibration.csv";
    const std::filesystem::path markdown = std::filesystem::path(options.out) / "calibration.md";
    const std::string summary = evaluation::calibration_markdown(results, evaluation::every_second_family(*entries));
    if (Status status = disk.write(csv, evaluation::calibration_csv(results, options.every_counter)); !status) {
        return tl::make_unexpected(status.error());
    }
    if (Status status = disk.write(markdown, summary); !status) return tl::make_unexpected(status.error());
    console.result(console.json() ? nlohmann::json{{"entries", results.size()}, {"csv", csv}, {"markdown", markdown}}.dump(2) : summary);
    return kDone;
}

}  // namespace

void add_calibrate(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand("calibrate", "Compare the emulator with recordings of a card (docs/calibration.md)");
    auto options = std::make_shared<CalibrateOptions>();
    command->add_option("DIR", options->folder, "Folder with DEVICE.jsonl and kernels/")->required();
    command->add_option("-o,--out", options->out, "Folder for calibration.csv and calibration.md")->capture_default_str();
    command->add_option("--filter", options->filter, "Run only entries whose id holds this text");
    command->add_flag("--all-counters", options->every_counter, "Also counters that only the emulator has");
    command->add_flag("--record", options->record, "Measure instead: run the kernels on a GPU, and write their times and counters into DIR/CARD.jsonl");
    command->add_option("--entries", options->entries, "With --record: the file that says what is to be run; default: entries.jsonl, or the one in DIR");
    options->device.add_to(*command);
    options->output.add_to(*command);
    command->callback([options, &chosen] { chosen = [options](Console& console) { return run(*options, console); }; });
}

}  // namespace optiml::cli
