// calibrate DIR OUT [FILTER] [--all-counters]: emulates the recorded kernels of DIR and writes OUT/calibration.csv and OUT/calibration.md.
// Kernels of benchmarks/calibration_kernels are added to the files of their names.

#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>

#include "base/disk.h"
#include "base/log.h"
#include "emulator/device_model.h"
#include "evaluation/calibration.h"
#include "evaluation/calibration_report.h"
#include "gpu/compiler.h"

using namespace optiml;

namespace {

class StandardErrorLog final : public Log {
public:
    void write(LogLevel, std::string_view line) override { std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data()); }
};

int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.text().c_str());
    return 2;
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: calibrate DIR OUT [FILTER] [--all-counters]\n");
        return 2;
    }
    const std::filesystem::path directory = arguments[1];
    const std::filesystem::path out = arguments[2];
    evaluation::CalibrationOptions options;
    options.host_threads = std::max(1u, std::thread::hardware_concurrency());
    bool every_counter = false;
    for (int i = 3; i < count; ++i) {
        if (std::string(arguments[i]) == "--all-counters") every_counter = true;
        else options.filter = arguments[i];
    }
    RealDisk disk;
    StandardErrorLog log;
    const auto text = disk.read(directory / "h200.jsonl");
    if (!text) return fail(text.error());
    const auto entries = evaluation::read_recordings(*text, "h200.jsonl");
    if (!entries) return fail(entries.error());
    const auto compiler = gpu::load_compiler();
    if (!compiler) return fail(compiler.error());
    const auto device = emulator::find_device_model("h200");
    if (!device) return fail(device.error());
    const auto sources = [&](const std::string& file) -> Result<std::string> {
        auto source = disk.read(directory / "kernels" / file);
        const std::filesystem::path restored = std::filesystem::path(OPTIML_SOURCE_DIR) / "benchmarks/calibration_kernels" / file;
        if (!source || !disk.exists(restored)) return source;
        const auto more = disk.read(restored);
        return more ? Result<std::string>(*source + *more) : source;
    };
    const auto results = evaluation::calibrate(*entries, sources, **compiler, *device, options, log);
    std::filesystem::create_directories(out);
    if (const auto status = disk.write(out / "calibration.csv", evaluation::calibration_csv(results, every_counter)); !status) return fail(status.error());
    const auto summary = evaluation::calibration_markdown(results, evaluation::every_second_family(*entries));
    if (const auto status = disk.write(out / "calibration.md", summary); !status) return fail(status.error());
    std::fputs(summary.c_str(), stdout);
    return 0;
}
