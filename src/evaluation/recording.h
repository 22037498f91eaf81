#pragma once
// Writing recordings: the lines that calibration_set reads, with figures measured anew.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "evaluation/calibration_set.h"

namespace optiml::evaluation {

struct MeasuredLaunch {
    std::uint32_t registers = 0;               // a thread, as the compiler says
    std::uint32_t local_bytes = 0;             // a thread
    std::map<std::string, double> properties;  // launch__*, of the launch and not counted
    std::map<std::string, double> counters;    // by Nsight Compute name
};

struct MeasuredEntry {
    double cold_ms = 0;                        // all launches, L2 flushed before, median
    double warm_ms = 0;                        // repeated without flush
    std::vector<MeasuredLaunch> launches;      // as the entry's
    std::string no_counters_because;           // times alone were measured; empty: counters too
};

// The lines of a file that hold something.
std::vector<std::string> filled_lines_of(std::string_view text);

// What a line says is to be run; times, registers and counters may be missing. Error (user): no such description.
Result<RecordedEntry> described_entry(const std::string& line);

// The line with the measured figures in place of those it had; all else stays as it is, in its order. Errors: (user) the line;
// (environment) a figure that is no positive time or no finite number, a launch without counters where there should be some: a capture
// that failed is no value.
Result<std::string> recorded_line(const std::string& line, const MeasuredEntry& measured);

// `lines` with each of `recorded` in the place of the line of its id, new ones behind; as the text of a file. A line with counters gives
// way to none of times alone.
std::string merged_recording(const std::vector<std::string>& lines, const std::vector<std::string>& recorded);

}  // namespace optiml::evaluation
