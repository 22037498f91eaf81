#include "emulator/counting/footprint.h"

#include <bit>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kBitsPerLine = 4;
constexpr std::uint32_t kLinesPerWord = 64 / kBitsPerLine;

}  // namespace

Footprint::Page& Footprint::page(std::uint64_t number) {
    if (number != last_number_) {
        std::unique_ptr<Page>& entry = pages_[number];
        if (!entry) entry = std::make_unique<Page>();
        last_number_ = number;
        last_page_ = entry.get();
    }
    return *last_page_;
}

void Footprint::add(std::uint64_t line, std::uint8_t sectors) {
    const std::uint64_t within = line % kLinesPerPage;
    page(line / kLinesPerPage).bits[within / kLinesPerWord] |= std::uint64_t{sectors} << (within % kLinesPerWord * kBitsPerLine);
}

void Footprint::merge(const Footprint& other) {
    for (const auto& [number, theirs] : other.pages_) {
        Page& ours = page(number);
        for (std::size_t i = 0; i < ours.bits.size(); ++i) ours.bits[i] |= theirs->bits[i];
    }
}

void Footprint::clear() {
    pages_.clear();
    last_number_ = ~std::uint64_t{0};
    last_page_ = nullptr;
}

std::uint64_t Footprint::sectors() const {
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_) {
        for (const std::uint64_t word : page->bits) count += static_cast<std::uint64_t>(std::popcount(word));
    }
    return count;
}

std::uint64_t Footprint::sectors_within(std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_) {
        for (std::uint32_t line = 0; line < kLinesPerPage; ++line) {
            const std::uint64_t address = (number * kLinesPerPage + line) * kLineBytes;
            if (address < begin || address >= end) continue;
            const std::uint64_t bits = page->bits[line / kLinesPerWord] >> (line % kLinesPerWord * kBitsPerLine) & 0xf;
            count += static_cast<std::uint64_t>(std::popcount(bits));
        }
    }
    return count;
}

std::uint64_t Footprint::common_with(const Footprint& other) const {
    std::uint64_t count = 0;
    for (const auto& [number, page] : pages_) {
        const auto theirs = other.pages_.find(number);
        if (theirs == other.pages_.end()) continue;
        for (std::size_t i = 0; i < page->bits.size(); ++i) {
            count += static_cast<std::uint64_t>(std::popcount(page->bits[i] & theirs->second->bits[i]));
        }
    }
    return count;
}

}  // namespace optiml::emulator
