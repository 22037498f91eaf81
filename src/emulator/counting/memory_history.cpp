#include "emulator/counting/memory_history.h"

#include <algorithm>
#include <bit>

#include "emulator/counting/coalescing.h"

namespace optiml::emulator {
namespace {

constexpr std::uint64_t kSectorPairBytes = 2 * kSectorBytes;

constexpr std::uint32_t kPageForgottenAfter = 16384;  // sectors of other traffic

std::uint32_t count(std::uint8_t sectors) { return static_cast<std::uint32_t>(std::popcount(sectors)); }

std::uint32_t count_pairs(std::uint8_t sectors) { return ((sectors & 0b0011) != 0) + ((sectors & 0b1100) != 0); }

}  // namespace

MemoryHistory::Page& MemoryHistory::page(std::uint64_t number) {
    RecentPage& recent = recent_[number % recent_.size()];
    if (recent.number != number) {
        std::unique_ptr<Page>& entry = pages_[number];
        if (!entry) entry = std::make_unique<Page>();
        recent = {number, entry.get()};
    }
    return *recent.page;
}

double MemoryHistory::touch(std::uint32_t& last, std::uint32_t sectors) {
    const double distance = now_ - last;
    now_ += sectors;
    last = now_;
    if (distance <= near_) return 0;
    return distance >= far_ ? 1 : (distance - near_) / (far_ - near_);
}

void MemoryHistory::read(std::uint64_t line, std::uint8_t sectors) {
    Page& here = page(line / kLinesPerPage);
    const std::uint64_t at = line % kLinesPerPage;
    if (here.last_touch == 0 || now_ - here.last_touch > kPageForgottenAfter) scattered_bytes_ += count_pairs(sectors) * double{kSectorPairBytes};
    const double forgotten = touch(here.last[at], count(sectors));
    here.last_touch = now_;
    forgotten_reads_ += forgotten * count(static_cast<std::uint8_t>(sectors & (here.read[at] | here.written[at])));
    here.read[at] |= sectors;
}

void MemoryHistory::write(std::uint64_t line, std::uint8_t sectors, const std::array<std::uint8_t, 4>& bytes) {
    Page& here = page(line / kLinesPerPage);
    const std::uint64_t at = line % kLinesPerPage;
    const double forgotten = touch(here.last[at], count(sectors));
    forgotten_writes_ += forgotten * count(static_cast<std::uint8_t>(sectors & here.written[at]));
    here.written[at] |= sectors;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        std::uint8_t& total = here.written_bytes[at][i];
        total = static_cast<std::uint8_t>(std::min<std::uint32_t>(kSectorBytes, std::uint32_t{total} + bytes[i]));
    }
}

void MemoryHistory::merge(const MemoryHistory& other) {
    forgotten_reads_ += other.forgotten_reads_;
    forgotten_writes_ += other.forgotten_writes_;
    scattered_bytes_ += other.scattered_bytes_;
    for (const auto& [number, theirs] : other.pages_) {
        Page& ours = page(number);
        for (std::uint32_t at = 0; at < kLinesPerPage; ++at) {
            ours.read[at] |= theirs->read[at];
            ours.written[at] |= theirs->written[at];
            for (std::size_t i = 0; i < 4; ++i) {
                const std::uint32_t sum = std::uint32_t{ours.written_bytes[at][i]} + theirs->written_bytes[at][i];
                ours.written_bytes[at][i] = static_cast<std::uint8_t>(std::min(sum, kSectorBytes));
            }
        }
    }
}

TouchedBytes MemoryHistory::touched(std::uint64_t begin, std::uint64_t end) const {
    TouchedBytes result;
    for (const auto& [number, page] : pages_) {
        const std::uint64_t first_line = number * kLinesPerPage;
        const std::uint64_t from = std::max(begin / kLineBytes, first_line);
        const std::uint64_t to = std::min((end + kLineBytes - 1) / kLineBytes, first_line + kLinesPerPage);
        for (std::uint64_t line = from; line < to; ++line) {
            const std::uint64_t at = line - first_line;
            result.read += count_pairs(page->read[at]) * kSectorPairBytes;
            result.written += std::uint64_t{count(page->written[at])} * kSectorBytes;
            result.written_pairs += count_pairs(page->written[at]) * kSectorPairBytes;
            for (const std::uint8_t bytes : page->written_bytes[at]) result.partially_written += bytes > 0 && bytes < kSectorBytes ? kSectorBytes : 0;
        }
    }
    return result;
}

}  // namespace optiml::emulator
