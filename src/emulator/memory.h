#pragma once
// The device's global memory as the emulator sees it: each buffer in an address region of its own, far from the next, so that no
// overrun lands in a neighbour. Pages of 4 KiB appear when touched; a buffer with a generator is filled on demand.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/texture.h"

namespace optiml::emulator {

// Writes the initial bytes [offset, offset + count) of a buffer. Must be pure: same range, same bytes, from any thread.
using ByteGenerator = std::function<void(std::uint64_t offset, std::uint64_t count, std::uint8_t* bytes)>;

struct BufferSpec {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint32_t element_bytes = 4;
    std::uint32_t misalignment = 0;   // the buffer starts this many bytes after a 256-byte boundary
    bool initialized = false;         // false: reads before writes are uninitialised
    ByteGenerator generator;          // of initialised buffers; empty: zeros
};

using BufferId = std::uint32_t;

class Memory {
public:
    Memory();
    ~Memory();
    Memory(Memory&&) noexcept;
    Memory& operator=(Memory&&) noexcept;

    BufferId add(BufferSpec spec);
    std::uint64_t address(BufferId buffer) const;
    const BufferSpec& spec(BufferId buffer) const;
    std::size_t buffer_count() const;
    // A texture object over texels that lie in the buffer as a host holds them (TextureLayout) and that no kernel may write. Returns
    // the handle that kernels get, their cudaTextureObject_t.
    std::uint64_t add_texture(BufferId buffer, const TextureDescription& description);
    // The same for a surface object (cudaSurfaceObject_t), through which kernels read and write the texels.
    std::uint64_t add_surface(BufferId buffer, const TextureLayout& layout);

    // Host access, as by cudaMemcpy and cudaMemset; ranges must lie inside the buffer.
    void write(BufferId buffer, std::uint64_t offset, const void* bytes, std::uint64_t count);
    void read(BufferId buffer, std::uint64_t offset, void* bytes, std::uint64_t count) const;
    void fill(BufferId buffer, std::uint8_t value);
    // Forgets all writes: the buffer is again as when added.
    void reset(BufferId buffer);
    // Bytes of [offset, offset+count) that were never written (and not initialised), 1 = uninitialised, one flag a byte.
    std::vector<std::uint8_t> uninitialized(BufferId buffer, std::uint64_t offset, std::uint64_t count) const;

    // The wider shadow of the buffer's elements (after a run with ValueDomain::wider_shadow): high + low, one pair an element of
    // element_bytes 4 (f32) or 8 (f64). Elements without a shadow give their own value with low = 0.
    void read_shadow(BufferId buffer, std::uint64_t first_element, std::uint64_t count, double* high, double* low) const;

    struct Implementation;
    Implementation& implementation() { return *implementation_; }
    const Implementation& implementation() const { return *implementation_; }

private:
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace optiml::emulator
