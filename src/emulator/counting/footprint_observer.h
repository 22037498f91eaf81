#pragma once
// Which elements of which buffers the blocks of one simulated SM touch.

#include <bit>
#include <unordered_map>
#include <vector>

#include "emulator/footprint.h"
#include "emulator/observer.h"
#include "emulator/storage/memory_implementation.h"

namespace optiml::emulator {

// A set of element indices, 64 to a word.
class ElementSet {
public:
    ElementSet() = default;
    ElementSet(ElementSet&&) = default;
    ElementSet& operator=(ElementSet&&) = default;

    void add(std::uint64_t element) {
        const std::uint64_t bit = std::uint64_t{1} << element % 64;
        std::uint64_t& word = word_of(element / 64);
        size_ += (word & bit) == 0;
        word |= bit;
    }
    std::uint64_t size() const { return size_; }

private:
    // Neighbouring lanes fall into the same word.
    std::uint64_t& word_of(std::uint64_t number) {
        if (last_ == nullptr || number != last_number_) {
            last_ = &words_[number];
            last_number_ = number;
        }
        return *last_;
    }

    std::unordered_map<std::uint64_t, std::uint64_t> words_;
    std::uint64_t last_number_ = 0;
    std::uint64_t* last_ = nullptr;
    std::uint64_t size_ = 0;
};

class FootprintObserver final : public Observer {
public:
    explicit FootprintObserver(const Memory::Implementation& memory);

    void begin_block(std::uint64_t linear_block, std::uint32_t slot) override;
    void end_block(std::uint64_t linear_block, std::uint32_t slot, std::span<const std::uint64_t> warp_instructions) override;
    void access(const ptx::Function& function, std::uint32_t index, const MemoryAccess& access) override;
    void fetch(const ptx::Function& function, std::uint32_t index, const TextureFetch& fetch) override;
    void branch(const ptx::Function&, std::uint32_t, LaneMask, LaneMask) override {}
    void finish(const std::vector<InstructionCounts>&) override {}

    // Of blocks that have ended.
    const std::vector<BlockFootprint>& footprints() const { return footprints_; }

private:
    struct Buffer {
        std::uint64_t address = 0;
        std::uint32_t element_bytes = 1;
    };
    struct Touched {
        ElementSet read, written;
    };

    // The elements in [address, address + bytes), added to the sets that the kind asks for.
    void touch(std::uint32_t block_slot, std::uint64_t address, std::uint32_t bytes, bool reads, bool writes);

    std::vector<Buffer> buffers_;
    std::vector<std::size_t> buffer_of_slot_;       // of the address space; the number of buffers: none
    std::vector<std::vector<Touched>> residents_;   // by the block's slot on its SM, and by buffer
    std::vector<BlockFootprint> footprints_;
};

}  // namespace optiml::emulator
