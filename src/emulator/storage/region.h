#pragma once
// One buffer or module variable in an address region of its own.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/memory.h"
#include "emulator/storage/page.h"

namespace optiml::emulator {

// Regions lie 1 TiB apart and begin in the middle of their slot, so that an index that is wrong in either direction, even one that
// overflowed 32 bits, still names the buffer it came from.
constexpr std::uint32_t kSlotShift = 40;
constexpr std::uint64_t kRegionStart = std::uint64_t{1} << (kSlotShift - 1);

class Region {
public:
    // stagger: bytes by which the start moves within the slot, so that buffers fall on different cache sets as real allocations do.
    Region(BufferSpec spec, std::uint64_t slot, std::uint64_t stagger);
    // A view for one host thread of a launch: it holds what the original does, and has pages of its own for what the kernel may write,
    // copied at their first access. The original must outlive the view and stay as it is.
    explicit Region(Region& original);
    ~Region();

    const BufferSpec& spec() const { return spec_; }
    std::uint64_t address() const { return address_; }
    std::uint64_t bytes() const { return spec_.bytes; }
    bool contains(std::uint64_t first, std::uint64_t count) const {
        return first >= address_ && !released_ && count <= spec_.bytes && first - address_ <= spec_.bytes - count;
    }

    // The page that holds an address of the region, made if need be. Thread-safe.
    Page& page(std::uint64_t address) {
        Page* found = std::atomic_ref(pages_[page_index(address)]).load(std::memory_order_acquire);
        return found != nullptr ? *found : make_page(page_index(address));
    }
    const Page* existing_page(std::uint64_t address) const {
        return std::atomic_ref(pages_[page_index(address)]).load(std::memory_order_acquire);
    }
    // As page, for a store: the caller changes bytes.
    Page& page_to_modify(std::uint64_t address) {
        Page& found = page(address);
        found.modified = true;
        return found;
    }

    // Copies between host memory and the region; offsets in bytes from its start.
    void write(std::uint64_t offset, const std::uint8_t* bytes, std::uint64_t count);
    void read(std::uint64_t offset, std::uint8_t* bytes, std::uint64_t count) const;
    void fill(std::uint8_t value);
    void reset();
    bool is_written(std::uint64_t offset) const;

    // Nothing lies here any more (device-side free). False: it was released before.
    bool release() { return !std::exchange(released_, true); }
    bool is_released() const { return released_; }

    void release_unmodified_pages();
    std::uint64_t page_count() const { return made_.size(); }
    // Indices of the pages that were made here, in the order in which they were.
    const std::vector<std::uint64_t>& made_pages() const { return made_; }
    Page& made_page(std::uint64_t index) { return *pages_[index]; }
    // The page takes the place of the one at this index, if there is one.
    void replace_page(std::uint64_t index, std::unique_ptr<Page> page);
    // Gives away a page that was made here: no access may follow.
    std::unique_ptr<Page> take_page(std::uint64_t index) { return std::unique_ptr<Page>(std::exchange(pages_[index], nullptr)); }

    template <class Visit>
    void for_each_page(Visit visit) {
        for (const std::uint64_t index : made_)
            if (pages_[index] != nullptr) visit(*pages_[index]);
    }

    // Set for a launch: some kernel code may write it, so that reads and writes have to be remembered to find races.
    bool may_be_written = true;

private:
    std::uint64_t page_index(std::uint64_t address) const { return (address >> kPageShift) - first_page_; }
    Page& make_page(std::uint64_t index);
    std::unique_ptr<Page> new_page(std::uint64_t index) const;
    void initial_bytes(std::uint64_t page_index, std::uint8_t* bytes) const;
    bool initially_written() const { return spec_.initialized || fill_.has_value(); }
    void drop_pages();

    BufferSpec spec_;
    std::uint64_t address_;
    std::uint64_t first_page_;
    std::uint64_t page_slots_;
    Page** pages_;  // from calloc: a huge buffer's table costs memory only where it is touched
    std::vector<std::uint64_t> made_;   // indices of the pages that exist
    std::optional<std::uint8_t> fill_;  // cudaMemset of the whole buffer since it was added
    bool released_ = false;
    Region* original_ = nullptr;  // of a view
    std::mutex making_;
};

}  // namespace optiml::emulator
