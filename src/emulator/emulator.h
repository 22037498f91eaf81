#pragma once
// Runs one kernel launch of a PTX module on the CPU, checking and counting as it goes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "emulator/counters.h"
#include "emulator/device_model.h"
#include "emulator/finding.h"
#include "emulator/footprint.h"
#include "emulator/machine_code/machine_code.h"
#include "emulator/memory.h"
#include "ptx/module.h"

namespace optiml::emulator {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    bool operator==(const Dim3&) const = default;
};

// A kernel argument: a buffer's address (plus bytes), or the raw bytes of a scalar or struct.
struct BufferArgument {
    BufferId buffer = 0;
    std::int64_t offset = 0;
};
using KernelArgument = std::variant<BufferArgument, std::vector<std::uint8_t>>;

// What the compiler's back end says about a kernel (NVRTC's cubin); not derivable from PTX.
struct KernelResources {
    std::uint32_t registers = 0;        // a thread; 0: unknown, estimated from PTX
    std::uint32_t static_shared = 0;    // bytes a block
    std::uint32_t local_bytes = 0;      // a thread: stack and spills
    std::uint32_t spill_store_bytes = 0;
    std::uint32_t spill_load_bytes = 0;
};

struct Launch {
    const ptx::Module* module = nullptr;  // must stay alive and unchanged as long as the memory that it ran in
    std::string kernel;
    Dim3 grid;
    Dim3 block;
    std::uint32_t dynamic_shared = 0;
    std::vector<KernelArgument> arguments;
    KernelResources resources;
    const MachineCode* machine_code = nullptr;  // of the same compilation (read_cubin); null: instruction counts are estimated from PTX
};

enum class ValueDomain : std::uint8_t { bits, wider_shadow };

// Which blocks of the grid execute. Sampling runs whole blocks; counters are scaled to the grid.
struct BlockSelection {
    enum class Kind : std::uint8_t { all, sample, list } kind = Kind::all;
    std::uint32_t sample_count = 0;           // sample: blocks to run, in groups as an SM would hold them together
    std::uint64_t seed = 0;
    std::vector<std::uint64_t> linear_indices; // list
};

struct RunOptions {
    ValueDomain domain = ValueDomain::bits;
    bool checks = true;
    bool counters = true;
    bool footprints = false;           // of every block, instead of counters
    BlockSelection blocks;
    std::uint64_t schedule_seed = 0;   // another seed: another order of blocks and warps, other clocks, multiprocessors and warp slots
    std::uint32_t most_resident = 0;   // blocks at once, on the whole device; 0: as many as it holds
    std::uint32_t host_threads = 1;       // at most; nothing in the result depends on it
    // Warp instructions, about 2 ms, before more than one thread is started.
    std::uint64_t instructions_alone = 20'000;
    std::uint64_t instruction_limit = 0;  // warp instructions over all blocks; 0: none. Deterministic, unlike the deadline
    Deadline deadline;
    std::uint32_t max_findings = 100;
};

struct LaunchResult {
    std::vector<Finding> findings;  // sorted by kind, file, line; empty: clean
    Counters counters;              // for the whole grid, also where blocks were sampled
    std::vector<LineCounters> lines;
    std::vector<BlockFootprint> footprints;  // of blocks that ended, in the order of the grid; only where they are asked for
    std::string printed;            // by the kernel (printf), at most the last MiB
    bool completed = false;         // false: stopped by a fault, the deadline or an instruction that is not emulated
    bool blocks_communicate = false;  // within the launch: some may wait for others, or use what they wrote
    std::uint64_t blocks_run = 0;
    std::uint64_t thread_instructions = 0;  // PTX thread instructions really executed here
};

// Errors (never findings): module without that kernel, argument count or sizes that do not fit its parameters.
Result<LaunchResult> run(const Launch& launch, Memory& memory, const DeviceModel& device, const RunOptions& options);

}  // namespace optiml::emulator
