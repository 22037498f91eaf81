#pragma once
// A texture or surface object on the device, over texels that lie in plain device memory as a host holds them (base/texture.h).

#include <cstdint>
#include <vector>

#include "base/texture.h"
#include "gpu/device.h"

namespace optiml::gpu {

enum class TextureUse : std::uint8_t { texture, surface };

class DeviceTexture {
public:
    // texels: must stay allocated as long as the texture. All shapes but linear have an array of their own, which load() fills.
    static DeviceResult<DeviceTexture> make(Device& device, const TextureDescription& description, DeviceAddress texels,
                                            TextureUse use = TextureUse::texture);
    DeviceTexture(DeviceTexture&& other) noexcept;
    DeviceTexture& operator=(DeviceTexture&& other) noexcept;
    ~DeviceTexture();

    // Copies the texels as they are then, in the order of the device's stream.
    DeviceStatus load();
    // Copies a surface's texels back, in that order.
    DeviceStatus store();
    // The cudaTextureObject_t or cudaSurfaceObject_t that kernels get.
    std::uint64_t handle() const { return object_; }

private:
    DeviceTexture(const Driver& driver, Device& device, const TextureDescription& description, DeviceAddress texels, TextureUse use)
        : driver_(&driver), device_(&device), description_(description), texels_(texels), use_(use) {}

    DeviceStatus make_array();
    DeviceStatus make_object();
    DeviceResult<void*> array_of(std::uint32_t level) const;
    enum class Way : std::uint8_t { to_array, from_array };
    DeviceStatus copy_level(std::uint32_t level, Way way);

    const Driver* driver_;
    Device* device_;
    TextureDescription description_;
    DeviceAddress texels_;
    TextureUse use_;
    void* array_ = nullptr;    // CUarray, or CUmipmappedArray where there are several levels
    std::uint64_t object_ = 0;
};

}  // namespace optiml::gpu
