#pragma once
// Runs recorded kernels on the emulator and compares counters and modelled times with what the card measured.

#include <functional>
#include <string>
#include <vector>

#include "base/log.h"
#include "emulator/device_model.h"
#include "emulator/time_model.h"
#include "evaluation/calibration_set.h"
#include "gpu/compiler.h"

namespace optiml::evaluation {

struct CalibrationOptions {
    std::string filter;                          // run only entries whose id holds this text
    std::uint32_t host_threads = 1;              // entries at a time
    // Launches of large entries with more thread instructions (as recorded) are sampled: whole blocks, up to about
    // `sampled_thread_instructions`.
    std::uint64_t most_thread_instructions = 60'000'000;
    std::uint64_t sampled_thread_instructions = 30'000'000;
};

struct CalibratedLaunch {
    emulator::Counters counters;
    emulator::ModelledTime time;
    bool sampled = false;                        // not all blocks ran
};

struct CalibratedEntry {
    const RecordedEntry* recorded = nullptr;
    std::string failure;                         // why it did not run to the end; empty: it did
    std::vector<CalibratedLaunch> launches;      // as recorded->launches
    double cold_ms = 0;                          // all launches of the entry
    double warm_ms = 0;
    double seconds = 0;                          // that the emulation took
};

// Results in the order of `entries`, which must outlive them. sources: the text of an entry's kernel file.
using KernelSource = std::function<Result<std::string>(const std::string& file)>;
std::vector<CalibratedEntry> calibrate(const std::vector<RecordedEntry>& entries, const KernelSource& sources, gpu::Compiler& compiler,
                                       const emulator::DeviceModel& device, const CalibrationOptions& options, Log& log);

// Time of all launches of an entry from those that were run: others lie between their neighbours by index.
double total_over_launches(const RecordedEntry& entry, const std::vector<double>& first_to_last);

}  // namespace optiml::evaluation
