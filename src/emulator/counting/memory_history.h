#pragma once
// What one SM asked L2 for: which sectors, when last, and how many bytes it wrote: from it follows what L2 must fetch from DRAM.

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace optiml::emulator {

// Bytes of a range of memory that were touched at least once.
struct TouchedBytes {
    std::uint64_t read = 0;               // in pairs of sectors, as DRAM delivers them
    std::uint64_t written = 0;            // in sectors
    std::uint64_t written_pairs = 0;      // in pairs of sectors
    std::uint64_t partially_written = 0;  // sectors (as bytes) not all of whose bytes were written: they must be read before they go out
};

class MemoryHistory {
public:
    // A sector that comes back after less than `near_sectors` of other traffic of this SM is still in L2; after `far_sectors` it never is.
    MemoryHistory(double near_sectors, double far_sectors) : near_(near_sectors), far_(far_sectors) {}

    // line: address / 128; sectors: bit mask. Reads are those that L1 could not serve.
    void read(std::uint64_t line, std::uint8_t sectors);
    // bytes: written in each of the four sectors.
    void write(std::uint64_t line, std::uint8_t sectors, const std::array<std::uint8_t, 4>& bytes);
    void merge(const MemoryHistory& other);

    // [begin, end): byte addresses, multiples of 128.
    TouchedBytes touched(std::uint64_t begin, std::uint64_t end) const;
    // Sectors read or written again after L2 had probably forgotten them: an expected number.
    double forgotten_reads() const { return forgotten_reads_; }
    double forgotten_writes() const { return forgotten_writes_; }
    // Bytes (in pairs of sectors) read from pages that this SM had not touched for long: DRAM must open a row for each.
    double scattered_bytes() const { return scattered_bytes_; }

private:
    static constexpr std::uint32_t kLinesPerPage = 128;  // 16 KiB: scattered accesses touch many pages a little
    struct Page {
        std::uint32_t last_touch = 0;
        std::array<std::uint32_t, kLinesPerPage> last{};            // time of the last touch of a line: sectors of traffic, from 1
        std::array<std::uint8_t, kLinesPerPage> read{};             // sector masks
        std::array<std::uint8_t, kLinesPerPage> written{};
        std::array<std::array<std::uint8_t, 4>, kLinesPerPage> written_bytes{};  // saturating at 32
    };
    struct RecentPage {
        std::uint64_t number = ~std::uint64_t{0};
        Page* page = nullptr;
    };

    Page& page(std::uint64_t number);
    // Probability that L2 has forgotten a line, which is then touched now.
    double touch(std::uint32_t& last, std::uint32_t sectors);

    double near_;
    double far_;
    std::uint32_t now_ = 0;
    double forgotten_reads_ = 0;
    double forgotten_writes_ = 0;
    double scattered_bytes_ = 0;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    std::array<RecentPage, 16> recent_{};
};

}  // namespace optiml::emulator
