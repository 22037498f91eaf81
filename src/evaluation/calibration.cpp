#include "evaluation/calibration.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/clock.h"
#include "emulator/emulator.h"
#include "emulator/machine_code/machine_code.h"
#include "ptx/parser.h"

namespace optiml::evaluation {
namespace {

constexpr std::uint64_t kFewestBlocks = 4;

struct CompiledFile {
    std::string failure;
    ptx::Module module;
    emulator::MachineCode machine_code;
    std::map<std::string, gpu::CompiledKernel> kernels;
};

// Compiles twice: kernels made by macros show only in the first PTX, and the compiler gives figures for kernels that are named.
CompiledFile compile_file(const std::string& file, const KernelSource& sources, gpu::Compiler& compiler, const emulator::DeviceModel& device) {
    CompiledFile compiled;
    const auto fail = [&](std::string why) {
        compiled.failure = std::move(why);
        return std::move(compiled);
    };
    const Result<std::string> source = sources(file);
    if (!source) return fail(source.error().text());
    gpu::CompileRequest request;
    request.source = *source;
    request.file_name = file;
    request.compute_capability = device.compute_capability;
    request.want_cubin = false;
    if (const std::string headers = compiler.include_directory(); !headers.empty()) request.include_paths.push_back(headers);
    const gpu::CompileOutcome first = compiler.compile(request);
    if (!first.compiled) return fail(first.log);
    const Result<ptx::Module> names = ptx::parse(first.ptx);
    if (!names) return fail(names.error().text());
    for (const ptx::Function& function : names->functions) {
        if (function.is_kernel) request.name_expressions.push_back(function.name);
    }
    request.want_cubin = true;
    const gpu::CompileOutcome outcome = compiler.compile(request);
    if (!outcome.compiled) return fail(outcome.log);
    Result<ptx::Module> module = ptx::parse(outcome.ptx);
    if (!module) return fail(module.error().text());
    Result<emulator::MachineCode> machine_code = emulator::read_cubin(outcome.cubin);
    if (!machine_code) return fail(machine_code.error().text());
    compiled.module = std::move(*module);
    compiled.machine_code = std::move(*machine_code);
    for (const gpu::CompiledKernel& kernel : outcome.kernels) compiled.kernels[kernel.lowered_name] = kernel;
    return compiled;
}

// One entry on the emulator: its buffers, then its recorded launches in order.
class EntryRun {
public:
    EntryRun(const RecordedEntry& entry, const CompiledFile& compiled, const emulator::DeviceModel& device, const CalibrationOptions& options)
        : compiled_(compiled), device_(device), options_(options) {
        result_.recorded = &entry;
    }

    CalibratedEntry run() {
        const SteadyClock clock;
        const double start = clock.now();
        result_.failure = compiled_.failure;
        if (result_.failure.empty()) add_buffers();
        for (const RecordedLaunch& launch : result_.recorded->launches) {
            if (result_.failure.empty()) run_launch(launch);
        }
        if (result_.failure.empty()) add_times();
        result_.seconds = clock.now() - start;
        return std::move(result_);
    }

private:
    void add_buffers() {
        for (std::uint32_t number = 0; number < result_.recorded->buffers.size(); ++number) {
            const RecordedBuffer& buffer = result_.recorded->buffers[number];
            Result<emulator::ByteGenerator> fill = recorded_fill(buffer, number);
            if (!fill) {
                result_.failure = fill.error().text();
                return;
            }
            emulator::BufferSpec spec;
            spec.name = buffer.name;
            spec.element_bytes = element_bytes(buffer.type);
            spec.bytes = buffer.count * spec.element_bytes;
            spec.initialized = true;
            spec.generator = std::move(*fill);
            buffers_.push_back(memory_.add(std::move(spec)));
        }
    }

    void run_launch(const RecordedLaunch& recorded) {
        const auto kernel = compiled_.kernels.find(recorded.kernel);
        if (kernel == compiled_.kernels.end()) {
            result_.failure = fmt::format("the kernel file has no kernel '{}'", recorded.kernel);
            return;
        }
        const emulator::Launch launch = make_launch(recorded, kernel->second);
        CalibratedLaunch calibrated;
        emulator::RunOptions run_options;
        run_options.checks = false;
        const std::uint64_t blocks = blocks_within_budget(recorded, launch.grid.count());
        if (blocks < launch.grid.count()) {
            calibrated.sampled = true;
            run_options.blocks.kind = emulator::BlockSelection::Kind::sample;
            run_options.blocks.sample_count = static_cast<std::uint32_t>(blocks);
        }
        const Result<emulator::LaunchResult> ran = emulator::run(launch, memory_, device_, run_options);
        if (!ran || !ran->completed) {
            result_.failure = !ran ? ran.error().text() : ran->findings.empty() ? "it did not complete" : ran->findings.front().message;
            return;
        }
        calibrated.counters = ran->counters;
        calibrated.time = emulator::model_time(calibrated.counters, device_);
        result_.launches.push_back(std::move(calibrated));
    }

    emulator::Launch make_launch(const RecordedLaunch& recorded, const gpu::CompiledKernel& kernel) const {
        emulator::Launch launch;
        launch.module = &compiled_.module;
        launch.machine_code = &compiled_.machine_code;
        launch.kernel = recorded.kernel;
        launch.grid = {recorded.grid[0], recorded.grid[1], recorded.grid[2]};
        launch.block = {recorded.block[0], recorded.block[1], recorded.block[2]};
        launch.dynamic_shared = recorded.dynamic_shared;
        launch.resources.registers = kernel.registers;
        launch.resources.static_shared = kernel.static_shared;
        launch.resources.local_bytes = kernel.local_bytes;
        launch.resources.spill_load_bytes = kernel.spill_load_bytes;
        launch.resources.spill_store_bytes = kernel.spill_store_bytes;
        for (const auto& argument : recorded.arguments) {
            if (const auto* buffer = std::get_if<std::uint32_t>(&argument)) {
                launch.arguments.emplace_back(emulator::BufferArgument{buffers_[*buffer], 0});
            } else {
                launch.arguments.emplace_back(std::get<std::vector<std::uint8_t>>(argument));
            }
        }
        return launch;
    }

    // Blocks to run so that the launch stays within the budget; all of them where it does.
    std::uint64_t blocks_within_budget(const RecordedLaunch& recorded, std::uint64_t blocks) const {
        const auto executed = recorded.counters.find("smsp__thread_inst_executed.sum");
        const double instructions = executed == recorded.counters.end() ? 0 : executed->second;
        const bool small = result_.recorded->size != "large" || instructions <= static_cast<double>(options_.most_thread_instructions);
        if (small) return blocks;
        const double share = static_cast<double>(options_.sampled_thread_instructions) / instructions;
        return std::max(kFewestBlocks, static_cast<std::uint64_t>(share * static_cast<double>(blocks)));
    }

    void add_times() {
        std::vector<double> cold;
        std::vector<double> warm;
        for (const CalibratedLaunch& launch : result_.launches) {
            warm.push_back(launch.time.warm_ms);
            cold.push_back(launch.time.cold_ms);
        }
        result_.cold_ms = total_over_launches(*result_.recorded, cold) + emulator::first_launch_ms(device_);
        result_.warm_ms = total_over_launches(*result_.recorded, warm) + emulator::first_launch_ms(device_);
    }

    const CompiledFile& compiled_;
    const emulator::DeviceModel& device_;
    const CalibrationOptions& options_;
    CalibratedEntry result_;
    emulator::Memory memory_;
    std::vector<emulator::BufferId> buffers_;
};

// Calls task(0) ... task(count - 1), `threads` at a time.
void in_parallel(std::size_t count, std::uint32_t threads, const std::function<void(std::size_t)>& task) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) task(i);
    };
    std::vector<std::thread> workers;
    for (std::uint32_t i = 1; i < threads; ++i) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
}

}  // namespace

double total_over_launches(const RecordedEntry& entry, const std::vector<double>& first_to_last) {
    double total = 0;
    std::size_t next = 0;  // the first launch that was run and is not before `index`
    for (std::uint32_t index = 0; index < entry.launch_count; ++index) {
        while (next + 1 < entry.launches.size() && entry.launches[next].index < index) ++next;
        const std::uint32_t there = entry.launches[next].index;
        if (there <= index || next == 0) {
            total += first_to_last[next];
            continue;
        }
        const std::uint32_t before = entry.launches[next - 1].index;
        const double share = static_cast<double>(index - before) / (there - before);
        total += first_to_last[next - 1] * (1 - share) + first_to_last[next] * share;
    }
    return total;
}

std::vector<CalibratedEntry> calibrate(const std::vector<RecordedEntry>& entries, const KernelSource& sources, gpu::Compiler& compiler,
                                       const emulator::DeviceModel& device, const CalibrationOptions& options, Log& log) {
    std::vector<const RecordedEntry*> wanted;
    std::map<std::string, CompiledFile> compiled;
    for (const RecordedEntry& entry : entries) {
        if (entry.id.find(options.filter) == std::string::npos) continue;
        wanted.push_back(&entry);
        compiled.try_emplace(entry.file);
    }
    std::vector<std::pair<const std::string, CompiledFile>*> files;
    for (auto& file : compiled) files.push_back(&file);
    in_parallel(files.size(), options.host_threads, [&](std::size_t i) {
        files[i]->second = compile_file(files[i]->first, sources, compiler, device);
    });

    std::vector<CalibratedEntry> results(wanted.size());
    std::mutex log_mutex;
    in_parallel(wanted.size(), options.host_threads, [&](std::size_t i) {
        results[i] = EntryRun(*wanted[i], compiled.at(wanted[i]->file), device, options).run();
        const std::lock_guard lock(log_mutex);
        log.write(LogLevel::info, fmt::format("{} {:.2f} s {}", wanted[i]->id, results[i].seconds, results[i].failure));
    });
    return results;
}

}  // namespace optiml::evaluation
