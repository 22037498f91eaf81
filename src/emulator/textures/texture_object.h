#pragma once
// Texture and surface objects of a memory, and the handles by which kernels name them.

#include <cstddef>
#include <cstdint>

#include "base/texture.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator {

struct TextureObject {
    TextureDescription description;
    std::size_t region = 0;   // index of the region with the texels, as a host holds them
    bool is_surface = false;  // accessed by suld and sust; else fetched from
};

constexpr std::uint64_t handle_of_texture(std::size_t number) { return kTextureWindow + number; }

}  // namespace optiml::emulator
