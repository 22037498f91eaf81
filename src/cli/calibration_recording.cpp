#include "cli/calibration_recording.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/disk.h"
#include "cli/card_model.h"
#include "cli/command.h"
#include "emulator/device_model.h"
#include "evaluation/device/entry_recorder.h"
#include "gpu/compiler.h"
#include "gpu/device_lock.h"
#include "gpu/metrics.h"

namespace optiml::cli {
namespace {

constexpr double kHangSeconds = 20, kLockSeconds = 60;

Result<std::filesystem::path> entries_file(const RecordingRequest& request, const std::string& card) {
    if (!request.entries.empty()) return std::filesystem::path(request.entries);
    std::vector<std::filesystem::path> found;
    std::error_code code;
    for (const auto& item : std::filesystem::directory_iterator(request.folder, code)) {
        if (item.path().extension() == ".jsonl") found.push_back(item.path());
    }
    for (const std::string& name : {std::string("entries"), card}) {
        const auto wanted = std::find_if(found.begin(), found.end(), [&](const auto& path) { return path.stem() == name; });
        if (wanted != found.end()) return *wanted;
    }
    if (found.size() == 1) return found.front();
    return user_error(fmt::format("{} has {} files that could say what is to be run", request.folder.string(), found.size()), {}, "Name one with --entries FILE.jsonl.");
}

std::vector<std::string> metrics_of(const evaluation::RecordedEntry& entry, const std::string& chip) {
    std::vector<std::string> names;
    for (const auto& [name, value] : entry.launches.empty() ? emulator::Counters{} : entry.launches.front().counters) {
        // Left out: CUPTI counts these by patching each kernel's code.
        const bool is_patched = name.starts_with("smsp__sass_");
        if (!is_patched && !name.starts_with("launch__")) names.push_back(name);
    }
    return names.empty() ? gpu::metrics_of(gpu::MetricTier::full, chip) : names;
}

// Compiles a file once, for as many entries as it has.
class CompiledFiles {
public:
    CompiledFiles(gpu::Compiler& compiler, const Disk& disk, std::filesystem::path folder, std::uint32_t compute_capability)
        : compiler_(compiler), disk_(disk), folder_(std::move(folder)), compute_capability_(compute_capability) {}

    Result<std::vector<std::uint8_t>> cubin(const std::string& file) {
        if (const auto known = cubins_.find(file); known != cubins_.end()) return known->second;
        auto source = disk_.read(folder_ / file);
        if (!source) return tl::make_unexpected(source.error());
        gpu::CompileRequest request{.source = std::move(*source), .file_name = file};
        request.compute_capability = compute_capability_;
        if (const std::string headers = compiler_.include_directory(); !headers.empty()) request.include_paths.push_back(headers);
        gpu::CompileOutcome outcome = compiler_.compile(request);
        if (!outcome.compiled) return user_error(fmt::format("{} does not compile: {}", file, outcome.log), {file});
        return cubins_[file] = std::move(outcome.cubin);
    }

private:
    gpu::Compiler& compiler_;
    const Disk& disk_;
    const std::filesystem::path folder_;
    const std::uint32_t compute_capability_;
    std::map<std::string, std::vector<std::uint8_t>> cubins_;
};

class Recording {
public:
    Recording(const RecordingRequest& request, Console& console) : request_(request), console_(console) {}

    Result<int> run() {
        if (Status opened = open(); !opened) return tl::make_unexpected(opened.error());
        const auto file = entries_file(request_, card_);
        if (!file) return tl::make_unexpected(file.error());
        const auto text = disk_.read(*file);
        if (!text) return tl::make_unexpected(text.error());
        const auto compiler = gpu::load_compiler();
        if (!compiler) return tl::make_unexpected(compiler.error());
        CompiledFiles files(**compiler, disk_, request_.folder / "kernels", tools_->device->properties().compute_capability);
        evaluation::device::EntryRecorder recorder(*tools_, model_ ? &*model_ : nullptr);
        for (const std::string& line : evaluation::filled_lines_of(*text)) {
            const auto entry = evaluation::described_entry(line);
            if (!entry) return tl::make_unexpected(entry.error());
            if (entry->id.find(request_.filter) == std::string::npos) continue;
            record(line, *entry, files, recorder);
            if (const Status saved = save(); !saved) return tl::make_unexpected(saved.error());
            if (const Status alive = check_card(entry->id); !alive) return tl::make_unexpected(alive.error());
        }
        return finish();
    }

private:
    Status open() {
        auto tools = evaluation::device::DeviceTools::open(request_.ordinal, {}, {});
        if (!tools) return tl::make_unexpected(tools.error());
        tools_ = std::move(*tools);
        tools_->device->set_hang_limit(kHangSeconds);
        auto lock = gpu::DeviceLock::open(tools_->device->properties().uuid);
        if (!lock) return tl::make_unexpected(lock.error());
        lock_.emplace(std::move(*lock));
        if (!lock_->acquire(kLockSeconds)) return environment_error("the card is busy with another run");
        if (tools_->profiler() == nullptr) console_.note("no counters, times alone are recorded: " + tools_->no_counters_because());
        model_ = model_of_card(tools_->device->properties().name);
        card_ = model_ ? model_->name : plain_name(tools_->device->properties().name);
        return {};
    }

    void record(const std::string& line, const evaluation::RecordedEntry& entry, CompiledFiles& files, evaluation::device::EntryRecorder& recorder) {
        console_.status(entry.id);
        const auto measured = files.cubin(entry.file).and_then([&](const std::vector<std::uint8_t>& cubin) {
            return recorder.record(entry, cubin, metrics_of(entry, chip()));
        });
        const auto recorded = measured ? evaluation::recorded_line(line, *measured) : tl::make_unexpected(measured.error());
        if (recorded) {
            recorded_.push_back(*recorded);
        } else {
            ++failed_;
            console_.note(fmt::format("{}: {}", entry.id, recorded.error().text()));
        }
    }

    std::string chip() const {
        const gpu::Profiler* const profiler = tools_->profiler();
        return profiler == nullptr ? "" : profiler->chip();
    }

    // A kernel that faults or never ends takes the card from this process: every later entry would fail, too.
    Status check_card(const std::string& id) {
        const auto alive = tools_->device->synchronize();
        if (alive || !alive.error().sticky) return {};
        (void)tools_.release();  // closing the card could wait for the kernel
        return environment_error(fmt::format("{} took the card from this process, what follows it is not recorded: {}", id, alive.error().text()), "Mend the kernel or leave it out (--entries, --filter), and record the rest.");
    }

    std::filesystem::path target() const { return request_.folder / (card_ + ".jsonl"); }

    Status save() {
        if (recorded_.empty()) return {};
        const auto before = disk_.exists(target()) ? disk_.read(target()) : Result<std::string>("");
        if (!before) return tl::make_unexpected(before.error());
        return disk_.write(target(), evaluation::merged_recording(evaluation::filled_lines_of(*before), recorded_));
    }

    Result<int> finish() {
        if (const Status saved = save(); !saved) return tl::make_unexpected(saved.error());
        if (recorded_.empty() && failed_ == 0) return user_error(fmt::format("no entry's id holds '{}'", request_.filter));
        const std::string file = target().string();
        console_.result(console_.json() ? nlohmann::json{{"recorded", recorded_.size()}, {"failed", failed_}, {"file", file}}.dump(2)
                                        : fmt::format("{} entries recorded in {}, {} failed\n", recorded_.size(), file, failed_));
        return failed_ == 0 ? kDone : kNo;
    }

    const RecordingRequest& request_;
    Console& console_;
    RealDisk disk_;
    std::unique_ptr<evaluation::device::DeviceTools> tools_;
    std::optional<gpu::DeviceLock> lock_;
    std::optional<emulator::DeviceModel> model_;
    std::string card_;
    std::vector<std::string> recorded_;
    std::size_t failed_ = 0;
};

}  // namespace

Result<int> record_calibration(const RecordingRequest& request, Console& console) { return Recording(request, console).run(); }

}  // namespace optiml::cli
