#pragma once
// The shared memory of a block.

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/execution/shared_layout.h"
#include "emulator/storage/page.h"

namespace optiml::emulator {

// In the written-map of shared memory: bit 4 + b, byte b of the granule belongs to no variable.
constexpr std::uint32_t kOutsideShift = 4;
constexpr WrittenBytes kAllOutside = kAllWritten << kOutsideShift;

class SharedMemory {
public:
    // Everything becomes uninitialised, as at the start of a block.
    void begin_block(const SharedLayout& layout, std::uint32_t dynamic_bytes);

    std::uint32_t bytes() const { return bytes_; }
    Page& page(std::uint64_t offset) { return pages_[offset >> kPageShift]; }
    // Whether [offset, offset + count) lies inside one variable.
    bool contains(std::uint64_t offset, std::uint32_t count);
    // The variable in or before which an offset lies, for messages; nullptr: there is none.
    const SharedVariable* variable_near(std::uint64_t offset) const;

private:
    void mark_variables();

    std::vector<Page> pages_;
    std::vector<SharedVariable> variables_;  // sorted by offset, the dynamic part last
    std::uint32_t bytes_ = 0;
};

}  // namespace optiml::emulator
