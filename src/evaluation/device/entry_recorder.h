#pragma once
// Runs the entries of a calibration set on a GPU: times and counters of each launch, as the set's format wants them.

#include <string>
#include <vector>

#include "emulator/device_model.h"
#include "evaluation/device/device_tools.h"
#include "evaluation/recording.h"

namespace optiml::evaluation::device {

class EntryRecorder {
public:
    // model: the card's, for occupancy limits; null: there is none, and they are left out. tools must outlive this.
    EntryRecorder(DeviceTools& tools, const emulator::DeviceModel* model) : tools_(tools), model_(model) {}

    // cubin: the entry's file, compiled. metrics: what to count; those the card does not have are left out. L2 is flushed before each
    // pass, and memory is as it was before the launch. Where no counters may be read, times alone are measured, and the entry says why.
    // Errors: (user) the file has no such kernel, a fill that is not known; (environment) memory, a launch that fails.
    Result<MeasuredEntry> record(const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin, const std::vector<std::string>& metrics);

private:
    struct Run;
    Result<MeasuredEntry> record(Run& run, const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin, const std::vector<std::string>& metrics);
    Status make_ready(Run& run, const RecordedEntry& entry, const std::vector<std::uint8_t>& cubin);
    Status write_values(const RecordedBuffer& buffer, std::uint32_t number, gpu::DeviceAddress address);
    gpu::DeviceStatus restore(Run& run);
    gpu::DeviceStatus clear(Run& run);
    gpu::DeviceStatus launch(Run& run, std::size_t first, std::size_t last);
    Status time(Run& run, MeasuredEntry& measured);
    Result<double> median_time(Run& run, std::size_t first, std::size_t last, bool cold);
    Result<MeasuredLaunch> measure(Run& run, std::size_t number, const std::vector<std::string>& metrics);
    std::map<std::string, double> properties_of(const RecordedLaunch& launch, const gpu::FunctionAttributes& attributes) const;

    DeviceTools& tools_;
    const emulator::DeviceModel* model_;
};

}  // namespace optiml::evaluation::device
