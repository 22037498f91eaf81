#pragma once
// The set of 32-byte sectors that a launch touches: what a cold cache must fetch at least once.

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace optiml::emulator {

class Footprint {
public:
    // line: address / 128; sectors: which of its four.
    void add(std::uint64_t line, std::uint8_t sectors);
    void merge(const Footprint& other);
    void clear();
    std::uint64_t sectors() const;
    // Sectors inside the byte range [begin, end); both multiples of 128.
    std::uint64_t sectors_within(std::uint64_t begin, std::uint64_t end) const;
    // Sectors that both have.
    std::uint64_t common_with(const Footprint& other) const;

private:
    static constexpr std::uint32_t kLinesPerPage = 512;  // 64 KiB of memory, one of the emulator's pages
    struct Page {
        std::array<std::uint64_t, kLinesPerPage / 16> bits{};  // four bits a line
    };
    Page& page(std::uint64_t number);

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Page* last_page_ = nullptr;
};

}  // namespace optiml::emulator
