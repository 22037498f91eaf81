#pragma once
// Counts what one simulated SM does: requests, sectors and L1 hits, wavefronts of shared memory, atomics by address, footprints.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/counting/access_plan.h"
#include "emulator/counting/atomic_contention.h"
#include "emulator/counting/coalescing.h"
#include "emulator/counting/memory_history.h"
#include "emulator/counting/memory_traffic.h"
#include "emulator/counting/sector_cache.h"
#include "emulator/observer.h"

namespace optiml::emulator {

// Sums over the executions of one instruction, by the space that its addresses turned out to be in.
struct AccessTotals {
    std::uint64_t global_requests = 0;
    std::uint64_t global_sectors = 0;
    std::uint64_t global_hits = 0;         // sectors found in L1
    std::uint64_t global_lines = 0;        // 128-byte lines of each request, summed
    std::uint64_t partial_sectors = 0;     // stored, but not all of their bytes by one request
    std::uint64_t missing_requests = 0;    // global, local and texture loads of which L1 lacked something, or still waited for it
    std::uint64_t missed_sectors = 0;
    std::uint64_t local_requests = 0;
    std::uint64_t local_sectors = 0;
    std::uint64_t local_hits = 0;
    std::uint64_t shared_requests = 0;
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_conflicts = 0;
    std::uint64_t constant_requests = 0;
    std::uint64_t constant_words = 0;      // different 4-byte words of each request, summed
    std::uint64_t texture_requests = 0;
    std::uint64_t texture_sectors = 0;     // of each request, each once
    std::uint64_t texture_hits = 0;        // sectors found in L1
    std::uint64_t texture_quads = 0;       // cycles of the texture units: four lanes, one filter of four texels of 8 bytes
    std::uint64_t atomic_lanes = 0;        // global atomics and reductions
    std::uint64_t atomic_sectors = 0;      // that L2 works on: a sector once for each lane on its busiest address
    std::uint64_t retry_rounds = 0;        // of shared atomics that loop: of the warp,
    std::uint64_t retry_lanes = 0;         // and lanes in all rounds
    std::uint64_t divergent_branches = 0;  // some lanes taken, some not
    std::uint64_t taken_lanes = 0;         // of conditional branches

    AccessTotals& operator+=(const AccessTotals& other);
};

struct FunctionTotals {
    std::vector<AccessTotals> accesses;  // by instruction index
    std::vector<std::uint64_t> warps;
    std::vector<std::uint64_t> threads;

    void merge(const FunctionTotals& other);
};

struct SmTotals {
    std::unordered_map<const ptx::Function*, FunctionTotals> functions;
    AtomicContention atomics;
    std::uint64_t blocks = 0;
    std::uint64_t warps = 0;
    std::uint64_t warp_instructions = 0;          // PTX
    double longest_in_blocks = 0;                 // PTX instructions of each block's longest warp times its warps, summed

    void merge(const SmTotals& other);
    // The longest warp of a block against its mean warp, over all blocks; 1: all warps do the same.
    double imbalance() const;
};

// What an observer must know of the launch.
struct SmSettings {
    std::uint64_t l1_bytes = 0;
    std::uint32_t warps_per_block = 1;
    std::uint32_t local_bytes = 0;          // a thread
    RetentionLimits retention;
    const AccessPlans* plans = nullptr;     // of all functions of the module; must outlive the observer
};

class SmObserver final : public Observer {
public:
    explicit SmObserver(const SmSettings& settings);

    void begin_block(std::uint64_t linear_block, std::uint32_t slot) override;
    void end_block(std::uint64_t linear_block, std::uint32_t slot, std::span<const std::uint64_t> warp_instructions) override;
    void access(const ptx::Function& function, std::uint32_t index, const MemoryAccess& access) override;
    void fetch(const ptx::Function& function, std::uint32_t index, const TextureFetch& fetch) override;
    void branch(const ptx::Function& function, std::uint32_t index, LaneMask taken, LaneMask not_taken) override;
    void finish(const std::vector<InstructionCounts>& counts) override;

    const SmTotals& totals() const { return totals_; }
    const MemoryHistory& history() const { return history_; }

private:
    AccessTotals& totals_of(const ptx::Function& function, std::uint32_t index);
    void access_global(AccessTotals& totals, std::uint32_t index, const MemoryAccess& access);
    void access_local(AccessTotals& totals, const MemoryAccess& access);
    void access_shared(AccessTotals& totals, std::uint32_t index, const MemoryAccess& access);
    void write(AccessTotals& totals, const MemoryAccess& access, const LineAccess* lines, std::uint32_t count);
    // How far a warp has come: the blocks that its slot held before, and its own loads.
    std::uint64_t next_moment(std::uint32_t slot, std::uint32_t warp);
    // Sectors of a line asked of L1, and of L2 where L1 lacks them.
    struct LineAnswer {
        std::uint32_t hits = 0;
        std::uint32_t missed = 0;
        bool arriving = false;
    };
    LineAnswer read_line(const LineAccess& line, std::uint64_t moment, bool bypasses_l1);

    SectorCache l1_;
    MemoryHistory history_;
    SmSettings settings_;
    std::uint64_t frame_bytes_;  // of a warp
    SmTotals totals_;
    std::vector<std::uint64_t> moments_;  // by slot and warp
    const ptx::Function* last_function_ = nullptr;
    FunctionTotals* last_totals_ = nullptr;
    const AccessPlan* last_plan_ = nullptr;
};

}  // namespace optiml::emulator
