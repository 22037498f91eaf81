#include "emulator/counting/sm_observer.h"

#include <algorithm>
#include <array>
#include <bit>

#include "emulator/counting/shared_banks.h"

namespace optiml::emulator {
namespace {

// Frames lie in a region of the address space that no buffer uses.
constexpr std::uint64_t kLocalRegion = std::uint64_t{1} << 60;
constexpr std::uint32_t kWordBytes = 4;
constexpr std::uint32_t kWavefrontsPerRetry = 3;  // the load, and a compare-and-swap that reads and writes
constexpr std::uint64_t kMomentsPerBlock = std::uint64_t{1} << 32;

void add_rows(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
    into.resize(std::max(into.size(), from.size()));
    for (std::size_t i = 0; i < from.size(); ++i) into[i] += from[i];
}

std::uint32_t distinct_words(const MemoryAccess& access) {
    std::array<std::uint64_t, kLanes> words;
    std::uint32_t count = 0;
    for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
        const std::uint64_t word = access.addresses[std::countr_zero(rest)] / kWordBytes;
        if (count > 0 && words[count - 1] == word) continue;
        if (std::find(words.begin(), words.begin() + count, word) == words.begin() + count) words[count++] = word;
    }
    return count;
}

// In each round one lane of each address succeeds.
void count_retries(AccessTotals& totals, const MemoryAccess& access) {
    std::uint32_t rounds = 0;
    for (LaneMask rest = access.active; rest != 0;) {
        const std::uint64_t address = access.addresses[std::countr_zero(rest)];
        std::uint32_t lanes = 0;
        for (LaneMask others = rest; others != 0; others &= others - 1) {
            const int lane = std::countr_zero(others);
            if (access.addresses[lane] != address) continue;
            totals.retry_lanes += ++lanes;
            rest &= ~(1u << lane);
        }
        rounds = std::max(rounds, lanes);
    }
    totals.retry_rounds += rounds;
}

// Groups of four neighbouring lanes, of which some are active.
std::uint32_t active_quads(LaneMask active) {
    const LaneMask pairs = active | active >> 1;
    return static_cast<std::uint32_t>(std::popcount((pairs | pairs >> 2) & 0x11111111u));
}

// Of one quad: a texture unit filters four texels of up to 8 bytes a cycle.
std::uint32_t filter_cycles(const TextureFetch& fetch) {
    constexpr std::uint32_t kTaps = 4;
    constexpr std::uint32_t kTexelBytes = 8;
    return std::max(1u, fetch.taps / kTaps) * std::max(1u, fetch.texel_bytes / kTexelBytes);
}

}  // namespace

AccessTotals& AccessTotals::operator+=(const AccessTotals& other) {
    global_requests += other.global_requests;
    global_sectors += other.global_sectors;
    global_hits += other.global_hits;
    global_lines += other.global_lines;
    partial_sectors += other.partial_sectors;
    missing_requests += other.missing_requests;
    missed_sectors += other.missed_sectors;
    local_requests += other.local_requests;
    local_sectors += other.local_sectors;
    local_hits += other.local_hits;
    shared_requests += other.shared_requests;
    shared_wavefronts += other.shared_wavefronts;
    shared_conflicts += other.shared_conflicts;
    constant_requests += other.constant_requests;
    constant_words += other.constant_words;
    texture_requests += other.texture_requests;
    texture_sectors += other.texture_sectors;
    texture_hits += other.texture_hits;
    texture_quads += other.texture_quads;
    atomic_lanes += other.atomic_lanes;
    atomic_sectors += other.atomic_sectors;
    retry_rounds += other.retry_rounds;
    retry_lanes += other.retry_lanes;
    divergent_branches += other.divergent_branches;
    taken_lanes += other.taken_lanes;
    return *this;
}

void FunctionTotals::merge(const FunctionTotals& other) {
    accesses.resize(std::max(accesses.size(), other.accesses.size()));
    for (std::size_t i = 0; i < other.accesses.size(); ++i) accesses[i] += other.accesses[i];
    add_rows(warps, other.warps);
    add_rows(threads, other.threads);
}

void SmTotals::merge(const SmTotals& other) {
    for (const auto& [function, totals] : other.functions) functions[function].merge(totals);
    atomics.merge(other.atomics);
    blocks += other.blocks;
    warps += other.warps;
    warp_instructions += other.warp_instructions;
    longest_in_blocks += other.longest_in_blocks;
}

double SmTotals::imbalance() const { return warp_instructions > 0 ? longest_in_blocks / static_cast<double>(warp_instructions) : 1; }

SmObserver::SmObserver(const SmSettings& settings)
    : l1_(settings.l1_bytes),
      history_(settings.retention.near_sectors, settings.retention.far_sectors),
      settings_(settings),
      frame_bytes_((settings.local_bytes + kWordBytes - 1) / kWordBytes * std::uint64_t{kLineBytes}) {}

void SmObserver::begin_block(std::uint64_t, std::uint32_t slot) {
    ++totals_.blocks;
    moments_.resize(std::max<std::size_t>(moments_.size(), (slot + std::size_t{1}) * settings_.warps_per_block));
    for (std::uint32_t warp = 0; warp < settings_.warps_per_block; ++warp) {
        std::uint64_t& moment = moments_[std::size_t{slot} * settings_.warps_per_block + warp];
        moment = (moment / kMomentsPerBlock + 1) * kMomentsPerBlock;
    }
}

std::uint64_t SmObserver::next_moment(std::uint32_t slot, std::uint32_t warp) {
    return moments_[std::size_t{slot} * settings_.warps_per_block + warp]++;
}

void SmObserver::end_block(std::uint64_t, std::uint32_t, std::span<const std::uint64_t> warp_instructions) {
    totals_.warps += warp_instructions.size();
    std::uint64_t longest = 0;
    for (const std::uint64_t instructions : warp_instructions) {
        totals_.warp_instructions += instructions;
        longest = std::max(longest, instructions);
    }
    totals_.longest_in_blocks += static_cast<double>(longest) * static_cast<double>(warp_instructions.size());
}

AccessTotals& SmObserver::totals_of(const ptx::Function& function, std::uint32_t index) {
    if (&function != last_function_) {
        last_function_ = &function;
        last_totals_ = &totals_.functions[&function];
        last_totals_->accesses.resize(function.instructions.size());
        last_plan_ = &settings_.plans->at(&function);
    }
    return last_totals_->accesses[index];
}

void SmObserver::access(const ptx::Function& function, std::uint32_t index, const MemoryAccess& access) {
    AccessTotals& totals = totals_of(function, index);
    switch (access.space) {
        case ptx::Space::shared: access_shared(totals, index, access); break;
        case ptx::Space::local: access_local(totals, access); break;
        case ptx::Space::constant:
            ++totals.constant_requests;
            totals.constant_words += distinct_words(access);
            break;
        default: access_global(totals, index, access); break;
    }
}

void SmObserver::access_shared(AccessTotals& totals, std::uint32_t index, const MemoryAccess& access) {
    const MergedAccess merged = last_plan_->merged.empty() ? MergedAccess() : last_plan_->merged[index];
    if (merged.absent) return;
    const bool atomic = access.kind == AccessKind::atomic || access.kind == AccessKind::reduction;
    BankUse use;
    if (atomic && last_plan_->aggregated[index]) {
        use = {1, 0};
    } else if (atomic) {
        use = shared_atomic_bank_use(access.active, access.bytes, access.addresses);
        if (last_plan_->retries[index]) {
            use.wavefronts *= kWavefrontsPerRetry;
            count_retries(totals, access);
        }
    } else if (merged.bytes == 0) {
        use = shared_bank_use(access.active, access.bytes, access.addresses);
    } else {
        std::array<std::uint64_t, kLanes> addresses;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane) addresses[lane] = access.addresses[lane] + static_cast<std::uint64_t>(std::int64_t{merged.displacement});
        use = shared_bank_use(access.active, merged.bytes, addresses.data());
    }
    ++totals.shared_requests;
    totals.shared_wavefronts += use.wavefronts;
    totals.shared_conflicts += use.conflicts;
}

void SmObserver::access_global(AccessTotals& totals, std::uint32_t index, const MemoryAccess& access) {
    std::array<LineAccess, kMaxLinesPerRequest> lines;
    const std::uint32_t count = coalesce(access.active, access.bytes, access.addresses, lines.data());
    ++totals.global_requests;
    totals.global_lines += count;
    totals.global_sectors += count_sectors(lines.data(), count);
    switch (access.kind) {
        case AccessKind::store: write(totals, access, lines.data(), count); return;
        case AccessKind::atomic:
        case AccessKind::reduction:
            for (std::uint32_t i = 0; i < count; ++i) history_.read(lines[i].line, lines[i].sectors);
            write(totals, access, lines.data(), count);
            totals.atomic_lanes += static_cast<std::uint64_t>(std::popcount(access.active));
            totals.atomic_sectors += totals_.atomics.add(access, last_plan_->aggregated[index]);
            return;
        case AccessKind::async_copy:
            if (access.shared_addresses != nullptr) {
                const BankUse use = shared_bank_use(access.active, access.bytes, access.shared_addresses);
                ++totals.shared_requests;
                totals.shared_wavefronts += use.wavefronts;
                totals.shared_conflicts += use.conflicts;
            }
            break;
        case AccessKind::load: break;
    }
    const bool bypasses_l1 = last_plan_->bypasses_l1[index];
    const std::uint64_t moment = next_moment(access.slot, access.warp);
    std::uint64_t missed_sectors = 0;
    bool waits = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const LineAnswer answer = read_line(lines[i], moment, bypasses_l1);
        totals.global_hits += answer.hits;
        missed_sectors += answer.missed;
        waits |= answer.arriving;
    }
    totals.missing_requests += waits || missed_sectors > 0;
    totals.missed_sectors += missed_sectors;
}

SmObserver::LineAnswer SmObserver::read_line(const LineAccess& line, std::uint64_t moment, bool bypasses_l1) {
    const SectorCache::Answer answer = bypasses_l1 ? SectorCache::Answer() : l1_.access(line.line, line.sectors, moment);
    const auto missed = static_cast<std::uint8_t>(line.sectors & ~answer.present);
    if (missed != 0) history_.read(line.line, missed);
    return {static_cast<std::uint32_t>(std::popcount(answer.present)), static_cast<std::uint32_t>(std::popcount(missed)), answer.arriving};
}

void SmObserver::fetch(const ptx::Function& function, std::uint32_t index, const TextureFetch& fetch) {
    AccessTotals& totals = totals_of(function, index);
    const std::vector<LineAccess> lines = lines_of_texels(fetch.addresses);
    const std::uint64_t moment = next_moment(fetch.slot, fetch.warp);
    std::uint64_t missed_sectors = 0;
    bool waits = false;
    for (const LineAccess& line : lines) {
        const LineAnswer answer = read_line(line, moment, false);
        totals.texture_hits += answer.hits;
        missed_sectors += answer.missed;
        waits |= answer.arriving;
    }
    ++totals.texture_requests;
    totals.texture_sectors += count_sectors(lines.data(), static_cast<std::uint32_t>(lines.size()));
    totals.texture_quads += active_quads(fetch.active) * filter_cycles(fetch);
    totals.missing_requests += waits || missed_sectors > 0;
    totals.missed_sectors += missed_sectors;
}

void SmObserver::write(AccessTotals& totals, const MemoryAccess& access, const LineAccess* lines, std::uint32_t count) {
    std::array<std::array<std::uint8_t, kSectorsPerLine>, kMaxLinesPerRequest> bytes;
    count_sector_bytes(access.active, access.bytes, access.addresses, lines, count, bytes.data());
    for (std::uint32_t i = 0; i < count; ++i) {
        history_.write(lines[i].line, lines[i].sectors, bytes[i]);
        for (const std::uint8_t written : bytes[i]) totals.partial_sectors += written > 0 && written < kSectorBytes;
    }
}

void SmObserver::access_local(AccessTotals& totals, const MemoryAccess& access) {
    const std::uint64_t frame = kLocalRegion + (std::uint64_t{access.slot} * settings_.warps_per_block + access.warp) * frame_bytes_;
    const std::uint32_t words = std::max(1u, access.bytes / kWordBytes);
    const std::uint32_t bytes = std::min(access.bytes, kWordBytes);
    ++totals.local_requests;
    std::uint64_t missed_sectors = 0;
    for (std::uint32_t word = 0; word < words; ++word) {
        std::array<std::uint64_t, kLanes> addresses{};
        for (LaneMask rest = access.active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            addresses[lane] = local_address(frame, access.addresses[lane] + std::uint64_t{word} * kWordBytes, lane);
        }
        std::array<LineAccess, kMaxLinesPerRequest> lines;
        const std::uint32_t count = coalesce(access.active, bytes, addresses.data(), lines.data());
        totals.local_sectors += count_sectors(lines.data(), count);
        for (std::uint32_t i = 0; i < count; ++i) {
            const LineAnswer answer = read_line(lines[i], next_moment(access.slot, access.warp), false);
            totals.local_hits += answer.hits;
            missed_sectors += answer.missed;
        }
    }
    totals.missing_requests += missed_sectors > 0;
    totals.missed_sectors += missed_sectors;
}

void SmObserver::branch(const ptx::Function& function, std::uint32_t index, LaneMask taken, LaneMask not_taken) {
    AccessTotals& totals = totals_of(function, index);
    totals.taken_lanes += static_cast<std::uint64_t>(std::popcount(taken));
    if (taken != 0 && not_taken != 0) ++totals.divergent_branches;
}

void SmObserver::finish(const std::vector<InstructionCounts>& counts) {
    for (const InstructionCounts& count : counts) {
        FunctionTotals& totals = totals_.functions[count.function];
        totals.accesses.resize(count.function->instructions.size());
        add_rows(totals.warps, count.warps);
        add_rows(totals.threads, count.threads);
    }
}

}  // namespace optiml::emulator
