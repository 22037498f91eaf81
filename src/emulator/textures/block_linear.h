#pragma once
// Where the texels of a CUDA array lie in memory. Arrays are block-linear: neighbours along x and y share sectors, so that what a
// fetch costs depends on both axes.

#include <cstdint>

#include "base/texture.h"
#include "emulator/textures/sampler.h"

namespace optiml::emulator {

class BlockLinear {
public:
    explicit BlockLinear(const TextureLayout& layout) : layout_(layout) {}

    // Bytes from the array's start. Linear shapes lie as a host has them.
    std::uint64_t offset_of(const Tap& tap) const;
    // Of the whole array, with what rounds its rows and columns up to whole blocks.
    std::uint64_t bytes() const;

private:
    std::uint64_t slice_bytes(std::uint32_t level) const;
    std::uint64_t level_bytes(std::uint32_t level) const { return slice_bytes(level) * layout_.depth_of(level) * layout_.layers; }

    const TextureLayout& layout_;
};

}  // namespace optiml::emulator
