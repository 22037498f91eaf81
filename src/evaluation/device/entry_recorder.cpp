#include "evaluation/device/entry_recorder.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/statistics.h"
#include "emulator/occupancy.h"
#include "evaluation/calibration.h"

namespace optiml::evaluation::device {
namespace {

constexpr double kHalfWidth = 0.01, kSeconds = 10;
constexpr std::size_t kLeastSamples = 5;

tl::unexpected<Error> device_error(const gpu::DeviceFailure& failure) { return environment_error(failure.text()); }

}  // namespace

// One entry on the device; frees its memory.
struct EntryRecorder::Run {
    explicit Run(gpu::Device& on) : device(on) {}
    ~Run() {
        for (const auto& buffers : {pristine, working}) {
            for (const gpu::DeviceAddress address : buffers) device.release(address);
        }
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    struct Launch {
        void* function = nullptr;
        gpu::LaunchShape shape;
        std::vector<std::vector<std::uint8_t>> arguments;
    };
    gpu::Device& device;
    const RecordedEntry* entry = nullptr;
    std::optional<gpu::DeviceModule> module;
    std::vector<gpu::DeviceAddress> pristine, working;  // by buffer
    std::vector<std::uint64_t> bytes;
    std::vector<Launch> launches;
};

Result<MeasuredEntry> EntryRecorder::record(const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin,
                                            const std::vector<std::string>& metrics) {
    auto run = std::make_unique<Run>(*tools_.device);
    auto measured = record(*run, entry, cubin, metrics);
    if (tools_.device->is_hung()) (void)run.release();  // giving memory back would wait for the kernel that never ends
    return measured;
}

Result<MeasuredEntry> EntryRecorder::record(Run& run, const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin, const std::vector<std::string>& metrics) {
    if (const Status ready = make_ready(run, entry, cubin); !ready) return tl::make_unexpected(ready.error());
    MeasuredEntry measured;
    if (const Status timed = time(run, measured); !timed) return tl::make_unexpected(timed.error());
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        auto launch = measure(run, i, metrics);
        if (!launch) return tl::make_unexpected(launch.error());
        measured.launches.push_back(std::move(*launch));
    }
    if (tools_.profiler() == nullptr) measured.no_counters_because = tools_.no_counters_because();
    return measured;
}

Status EntryRecorder::make_ready(Run& run, const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin) {
    run.entry = &entry;
    auto module = tools_.device->load(cubin);
    if (!module) return device_error(module.error());
    run.module = std::move(*module);
    for (std::uint32_t number = 0; number < entry.buffers.size(); ++number) {
        const RecordedBuffer& buffer = entry.buffers[number];
        run.bytes.push_back(buffer.count * element_bytes(buffer.type));
        for (auto* buffers : {&run.pristine, &run.working}) {
            const auto address = tools_.device->allocate(run.bytes.back());
            if (!address) return device_error(address.error());
            buffers->push_back(*address);
        }
        if (const Status written = write_values(buffer, number, run.pristine.back()); !written) return written;
    }
    for (const RecordedLaunch& recorded : entry.launches) {
        const auto function = run.module->function(recorded.kernel);
        if (!function) return user_error(fmt::format("the kernel file has no kernel '{}'", recorded.kernel), {entry.file});
        Run::Launch& launch = run.launches.emplace_back(Run::Launch{*function, {recorded.grid, recorded.block, recorded.dynamic_shared}, {}});
        for (const auto& argument : recorded.arguments) {
            if (const auto* bytes = std::get_if<std::vector<std::uint8_t>>(&argument)) {
                launch.arguments.push_back(*bytes);
                continue;
            }
            const gpu::DeviceAddress address = run.working[std::get<std::uint32_t>(argument)];
            std::memcpy(launch.arguments.emplace_back(sizeof address).data(), &address, sizeof address);
        }
    }
    return {};
}

Status EntryRecorder::write_values(const RecordedBuffer& buffer, std::uint32_t number, gpu::DeviceAddress address) {
    const auto generator = recorded_fill(buffer, number);
    if (!generator) return tl::make_unexpected(generator.error());
    const std::uint64_t total = buffer.count * element_bytes(buffer.type);
    constexpr std::uint64_t kChunk = 64 << 20;
    std::vector<std::uint8_t> chunk;
    for (std::uint64_t at = 0; at < total; at += kChunk) {
        chunk.resize(std::min(kChunk, total - at));
        (*generator)(at, chunk.size(), chunk.data());
        auto written = tools_.device->write(address + at, chunk.data(), chunk.size());
        if (written) written = tools_.device->synchronize();
        if (!written) return device_error(written.error());
    }
    return {};
}

gpu::DeviceStatus EntryRecorder::restore(Run& run) {
    for (std::size_t i = 0; i < run.bytes.size(); ++i) {
        if (const auto copied = tools_.device->copy(run.working[i], run.pristine[i], run.bytes[i]); !copied) return copied;
    }
    return {};
}

gpu::DeviceStatus EntryRecorder::clear(Run& run) {
    for (std::size_t i = 0; i < run.bytes.size(); ++i) {
        if (!run.entry->buffers[i].zero_before_each) continue;
        if (const auto cleared = tools_.device->fill(run.working[i], 0, run.bytes[i]); !cleared) return cleared;
    }
    return {};
}

gpu::DeviceStatus EntryRecorder::launch(Run& run, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        std::vector<void*> parameters;
        for (std::vector<std::uint8_t>& argument : run.launches[i].arguments) parameters.push_back(argument.data());
        const auto launched = tools_.device->launch(run.launches[i].function, run.launches[i].shape, parameters.data());
        if (!launched) return launched;
    }
    return {};
}

// Of an entry that describes only some of its launches each is timed alone; the others lie between them.
Status EntryRecorder::time(Run& run, MeasuredEntry& measured) {
    const bool is_whole = run.launches.size() == run.entry->launch_count;
    const std::size_t parts = is_whole ? 1 : run.launches.size(), length = is_whole ? run.launches.size() : 1;
    std::vector<double> cold, warm;
    for (std::size_t part = 0; part < parts; ++part) {
        for (const bool is_cold : {true, false}) {
            auto restored = restore(run);
            if (restored) restored = tools_.device->synchronize();
            if (!restored) return device_error(restored.error());
            const auto milliseconds = median_time(run, part * length, (part + 1) * length, is_cold);
            if (!milliseconds) return tl::make_unexpected(milliseconds.error());
            (is_cold ? cold : warm).push_back(*milliseconds);
        }
    }
    measured.cold_ms = is_whole ? cold.front() : total_over_launches(*run.entry, cold);
    measured.warm_ms = is_whole ? warm.front() : total_over_launches(*run.entry, warm);
    return {};
}

Result<double> EntryRecorder::median_time(Run& run, std::size_t first, std::size_t last, bool cold) {
    const gpu::Timed timed{[&] { return clear(run); }, [&, first, last] { return launch(run, first, last); }, static_cast<std::uint32_t>(last - first)};
    const gpu::TimingOptions options{.cold = cold, .maximum_seconds = kSeconds};
    const auto times = tools_.timer->measure(timed, *gpu::interval_rule(kHalfWidth, kLeastSamples), options);
    if (!times) return device_error(times.error());
    if (times->candidate_ms.empty()) return environment_error("no sample was fit: the card throttles, or the kernel takes too long");
    return median(times->candidate_ms);
}

Result<MeasuredLaunch> EntryRecorder::measure(Run& run, std::size_t number, const std::vector<std::string>& metrics) {
    const RecordedLaunch& recorded = run.entry->launches[number];
    MeasuredLaunch measured;
    const std::uint32_t threads = recorded.block[0] * recorded.block[1] * recorded.block[2];
    const auto attributes = tools_.device->attributes(run.launches[number].function, threads, recorded.dynamic_shared);
    if (!attributes) return device_error(attributes.error());
    measured.registers = attributes->registers;
    measured.local_bytes = attributes->local_bytes;
    measured.properties = properties_of(recorded, *attributes);
    gpu::Profiler* const profiler = tools_.profiler();
    if (profiler == nullptr) return measured;
    // Memory as the launches before leave it.
    const auto prepare = [&] {
        auto done = restore(run);
        if (done) done = clear(run);
        if (done) done = launch(run, 0, number);
        return done ? tools_.kernels->flush_l2() : done;
    };
    const auto counters = profiler->collect(profiler->available(metrics), {{1, prepare, [&] { return launch(run, number, number + 1); }}});
    if (!counters) return tl::make_unexpected(counters.error());
    measured.counters = counters->front();
    return measured;
}

std::map<std::string, double> EntryRecorder::properties_of(const RecordedLaunch& launch, const gpu::FunctionAttributes& attributes) const {
    const std::uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    std::map<std::string, double> properties = {{"launch__shared_mem_per_block_static", attributes.static_shared},
                                                {"launch__shared_mem_per_block_dynamic", launch.dynamic_shared}};
    const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    const double resident = static_cast<double>(attributes.blocks_per_sm) * tools_.device->properties().sm_count;
    if (resident > 0) properties["launch__waves_per_multiprocessor"] = blocks / resident;
    if (model_ == nullptr) return properties;
    const emulator::Occupancy occupancy = emulator::occupancy_of(*model_, threads, attributes.registers, attributes.static_shared + launch.dynamic_shared);
    properties["launch__occupancy_limit_registers"] = occupancy.limit_registers;
    properties["launch__occupancy_limit_shared_mem"] = occupancy.limit_shared;
    properties["launch__occupancy_limit_warps"] = occupancy.limit_warps;
    properties["launch__occupancy_limit_blocks"] = occupancy.limit_blocks;
    return properties;
}

}  // namespace optiml::evaluation::device
