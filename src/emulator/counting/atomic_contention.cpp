#include "emulator/counting/atomic_contention.h"

#include <algorithm>
#include <array>
#include <bit>

namespace optiml::emulator {
namespace {

struct Sector {
    std::uint64_t number = 0;
    std::uint32_t rounds = 0;
};

// The sectors of a request with the lanes on their busiest address; returns how many there are.
std::uint32_t sectors_of(const MemoryAccess& access, bool aggregated, std::array<Sector, kLanes>& sectors) {
    std::uint32_t count = 0;
    for (LaneMask rest = access.active; rest != 0;) {
        const std::uint64_t address = access.addresses[std::countr_zero(rest)];
        LaneMask same = 0;
        for (LaneMask others = rest; others != 0; others &= others - 1) {
            const int lane = std::countr_zero(others);
            if (access.addresses[lane] == address) same |= 1u << lane;
        }
        const std::uint32_t rounds = aggregated ? 1 : static_cast<std::uint32_t>(std::popcount(same));
        const auto end = sectors.begin() + count;
        const auto known = std::find_if(sectors.begin(), end, [&](const Sector& sector) { return sector.number == address / kSectorBytes; });
        if (known == end) sectors[count++] = {address / kSectorBytes, rounds};
        else known->rounds = std::max(known->rounds, rounds);
        rest &= ~same;
    }
    return count;
}

}  // namespace

AtomicRounds& AtomicRounds::operator+=(const AtomicRounds& other) {
    integer += other.integer;
    floating += other.floating;
    compare_and_swap += other.compare_and_swap;
    return *this;
}

std::uint64_t AtomicContention::add(const MemoryAccess& access, bool aggregated) {
    std::array<Sector, kLanes> sectors;
    const std::uint32_t count = sectors_of(access, aggregated, sectors);
    std::uint64_t total = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        total += sectors[i].rounds;
        AtomicRounds& line = lines_[sectors[i].number / kSectorsPerLine].rounds;
        if (access.atomic == ptx::AtomicOperation::cas) line.compare_and_swap += sectors[i].rounds;
        else if (ptx::is_float(access.type)) line.floating += sectors[i].rounds;
        else line.integer += sectors[i].rounds;
    }
    return total;
}

void AtomicContention::merge(const AtomicContention& other) {
    for (const auto& [number, theirs] : other.lines_) {
        const auto [ours, is_new] = lines_.try_emplace(number, theirs);
        if (is_new) continue;
        ours->second.rounds += theirs.rounds;
        ours->second.groups += theirs.groups;
    }
}

AtomicRounds AtomicContention::busiest(double scale, std::size_t groups) const {
    AtomicRounds most;
    for (const auto& [number, line] : lines_) {
        const double factor = groups == 1 || line.groups > 1 ? scale : 1;
        const auto scaled = [factor](std::uint64_t rounds) { return static_cast<std::uint64_t>(static_cast<double>(rounds) * factor); };
        most.integer = std::max(most.integer, scaled(line.rounds.integer));
        most.floating = std::max(most.floating, scaled(line.rounds.floating));
        most.compare_and_swap = std::max(most.compare_and_swap, scaled(line.rounds.compare_and_swap));
    }
    return most;
}

}  // namespace optiml::emulator
