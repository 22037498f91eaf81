#pragma once
// How much of each buffer a block touches.

#include <cstdint>
#include <vector>

namespace optiml::emulator {

// Different elements (BufferSpec::element_bytes); atomics read and write, reductions too.
struct BufferFootprint {
    std::uint64_t read = 0;
    std::uint64_t written = 0;
};

struct BlockFootprint {
    std::uint64_t block = 0;               // linear index in the grid
    std::vector<BufferFootprint> buffers;  // by BufferId
};

}  // namespace optiml::emulator
