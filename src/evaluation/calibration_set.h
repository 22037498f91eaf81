#pragma once
// A set of recorded kernel runs: DIR/h200.jsonl, one entry a line, and the kernels in DIR/kernels. docs/calibration.md has the format.

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/disk.h"
#include "base/result.h"
#include "emulator/counters.h"
#include "emulator/memory.h"

namespace optiml::evaluation {

struct RecordedBuffer {
    std::string name;
    std::string type;                // "f32", "u8", ...
    std::uint64_t count = 0;         // elements
    std::string fill;                // "uniform", "random_mod:256", ...
    bool zero_before_each = false;
};

struct RecordedLaunch {
    std::uint32_t index = 0;         // among the launches of the entry
    std::string kernel;
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    std::uint32_t dynamic_shared = 0;
    // A buffer by its index in RecordedEntry::buffers, or the bytes of a scalar.
    std::vector<std::variant<std::uint32_t, std::vector<std::uint8_t>>> arguments;
    std::uint32_t registers = 0;     // a thread, as the compiler says
    std::uint32_t local_bytes = 0;   // a thread
    emulator::Counters counters;     // by Nsight Compute name; launch__* values too
};

struct RecordedEntry {
    std::string id;                  // family/variant@size
    std::string family;
    std::string variant;             // family/variant
    std::string size;                // "medium", "large"
    std::string file;                // in DIR/kernels
    bool affine = false;             // no address depends on data
    std::vector<RecordedBuffer> buffers;
    double cold_ms = 0;
    double warm_ms = 0;
    std::uint32_t launch_count = 0;  // of which `launches` has all, or a few
    std::vector<RecordedLaunch> launches;
    std::string no_counters_because; // of a recording of times alone; empty: there are counters
};

// Errors (user): a line that is not such an entry, with its number.
Result<std::vector<RecordedEntry>> read_recordings(std::string_view json_lines, const std::string& file);

std::uint32_t element_bytes(std::string_view type);  // 0: no such type

// Elements of the recording's fills: pure functions of buffer number and element index. Errors (user): an unknown fill or type.
Result<emulator::ByteGenerator> recorded_fill(const RecordedBuffer& buffer, std::uint32_t number);

}  // namespace optiml::evaluation
