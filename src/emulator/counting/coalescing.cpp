#include "emulator/counting/coalescing.h"

#include <algorithm>
#include <bit>

namespace optiml::emulator {
namespace {

bool contiguous(std::uint32_t bytes, const std::uint64_t* addresses) {
    std::uint64_t difference = 0;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) difference |= addresses[lane] ^ (addresses[0] + std::uint64_t{lane} * bytes);
    return difference == 0;
}

// Sectors [first, last] of a line.
std::uint8_t sector_range(std::uint64_t first, std::uint64_t last) {
    return static_cast<std::uint8_t>((2u << last) - (1u << first));
}

std::uint32_t lines_of_range(std::uint64_t begin, std::uint64_t bytes, LineAccess* lines) {
    const std::uint64_t last_byte = begin + bytes - 1;
    std::uint32_t count = 0;
    for (std::uint64_t line = begin / kLineBytes; line <= last_byte / kLineBytes; ++line) {
        const std::uint64_t from = std::max(begin, line * kLineBytes) % kLineBytes / kSectorBytes;
        const std::uint64_t to = std::min(last_byte, line * kLineBytes + kLineBytes - 1) % kLineBytes / kSectorBytes;
        lines[count++] = {line, sector_range(from, to)};
    }
    return count;
}

// The lines gathered so far. Lanes mostly come in ascending order: then a new line is known to be new without a search.
class LineList {
public:
    explicit LineList(LineAccess* lines) : lines_(lines) {}

    void add(std::uint64_t line, std::uint8_t sectors) {
        if (count_ == 0 || line > highest_) {
            highest_ = line;
            lines_[count_++] = {line, sectors};
            return;
        }
        for (std::uint32_t at = count_; at-- > 0;) {
            if (lines_[at].line == line) {
                lines_[at].sectors |= sectors;
                return;
            }
        }
        lines_[count_++] = {line, sectors};
    }

    std::uint32_t count() const { return count_; }

private:
    LineAccess* lines_;
    std::uint32_t count_ = 0;
    std::uint64_t highest_ = 0;
};

}  // namespace

std::uint32_t coalesce(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, LineAccess* lines) {
    if (active == ~LaneMask{0} && contiguous(bytes, addresses)) {
        return lines_of_range(addresses[0], std::uint64_t{bytes} * kLanes, lines);
    }
    LineList list(lines);
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t first = addresses[std::countr_zero(rest)];
        const std::uint64_t last = first + bytes - 1;
        const std::uint64_t line = first / kLineBytes;
        if (last / kLineBytes == line) {
            list.add(line, sector_range(first % kLineBytes / kSectorBytes, last % kLineBytes / kSectorBytes));
        } else {
            list.add(line, sector_range(first % kLineBytes / kSectorBytes, kSectorsPerLine - 1));
            list.add(line + 1, sector_range(0, last % kLineBytes / kSectorBytes));
        }
    }
    return list.count();
}

void count_sector_bytes(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, const LineAccess* lines, std::uint32_t count,
                        std::array<std::uint8_t, kSectorsPerLine>* sector_bytes) {
    for (std::uint32_t i = 0; i < count; ++i) sector_bytes[i] = {};
    std::uint32_t at = 0;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const std::uint64_t first = addresses[std::countr_zero(rest)];
        for (std::uint64_t byte = first; byte < first + bytes;) {
            const std::uint64_t line = byte / kLineBytes;
            if (lines[at].line != line) {
                for (at = 0; at + 1 < count && lines[at].line != line;) ++at;
            }
            const std::uint64_t sector_end = byte / kSectorBytes * kSectorBytes + kSectorBytes;
            const std::uint64_t here = std::min(sector_end, first + bytes) - byte;
            std::uint8_t& total = sector_bytes[at][byte % kLineBytes / kSectorBytes];
            total = static_cast<std::uint8_t>(std::min<std::uint64_t>(kSectorBytes, total + here));
            byte += here;
        }
    }
}

std::vector<LineAccess> lines_of_texels(std::span<const std::uint64_t> addresses) {
    std::vector<std::uint64_t> sectors;
    for (const std::uint64_t address : addresses) sectors.push_back(address / kSectorBytes);
    std::ranges::sort(sectors);
    std::vector<LineAccess> lines;
    for (const std::uint64_t sector : sectors) {
        const std::uint64_t line = sector / kSectorsPerLine;
        if (lines.empty() || lines.back().line != line) lines.push_back({line, 0});
        lines.back().sectors |= static_cast<std::uint8_t>(1u << sector % kSectorsPerLine);
    }
    return lines;
}

std::uint32_t count_sectors(const LineAccess* lines, std::uint32_t count) {
    std::uint32_t sectors = 0;
    for (std::uint32_t i = 0; i < count; ++i) sectors += static_cast<std::uint32_t>(std::popcount(lines[i].sectors));
    return sectors;
}

}  // namespace optiml::emulator
