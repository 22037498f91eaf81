#include "gpu/device_texture.h"

#include <utility>

#include "gpu/driver.h"

namespace optiml::gpu {
namespace {

// Beyond it arrays cannot be gathered from (CUDA C++ Programming Guide, technical specifications by compute capability).
constexpr std::uint64_t kMostGathered = 32768;

CUarray as_array(void* handle) { return static_cast<CUarray>(handle); }
CUmipmappedArray as_mipmapped_array(void* handle) { return static_cast<CUmipmappedArray>(handle); }

CUarray_format format_of(ChannelType channel) {
    switch (channel) {
        case ChannelType::i8: return CU_AD_FORMAT_SIGNED_INT8;
        case ChannelType::u8: return CU_AD_FORMAT_UNSIGNED_INT8;
        case ChannelType::i16: return CU_AD_FORMAT_SIGNED_INT16;
        case ChannelType::u16: return CU_AD_FORMAT_UNSIGNED_INT16;
        case ChannelType::i32: return CU_AD_FORMAT_SIGNED_INT32;
        case ChannelType::u32: return CU_AD_FORMAT_UNSIGNED_INT32;
        case ChannelType::f16: return CU_AD_FORMAT_HALF;
        case ChannelType::f32: return CU_AD_FORMAT_FLOAT;
    }
    return CU_AD_FORMAT_FLOAT;
}

CUfilter_mode filter_of(TextureFilter filter) { return filter == TextureFilter::point ? CU_TR_FILTER_MODE_POINT : CU_TR_FILTER_MODE_LINEAR; }

CUaddress_mode address_of(TextureAddressMode mode) {
    switch (mode) {
        case TextureAddressMode::clamp: return CU_TR_ADDRESS_MODE_CLAMP;
        case TextureAddressMode::wrap: return CU_TR_ADDRESS_MODE_WRAP;
        case TextureAddressMode::mirror: return CU_TR_ADDRESS_MODE_MIRROR;
        case TextureAddressMode::border: return CU_TR_ADDRESS_MODE_BORDER;
    }
    return CU_TR_ADDRESS_MODE_CLAMP;
}

// Extents that a shape has not are 0 to the driver.
CUDA_ARRAY3D_DESCRIPTOR array_descriptor(const TextureLayout& layout) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    const bool one_axis = layout.shape == TextureShape::one_d || layout.shape == TextureShape::one_d_layered;
    descriptor.Width = layout.width;
    descriptor.Height = one_axis ? 0 : layout.height;
    descriptor.Depth = layout.shape == TextureShape::three_d ? layout.depth : 0;
    descriptor.Format = format_of(layout.channel);
    descriptor.NumChannels = layout.channels;
    if (is_layered(layout.shape)) descriptor.Flags |= CUDA_ARRAY3D_LAYERED;
    if (is_cube(layout.shape)) descriptor.Flags |= CUDA_ARRAY3D_CUBEMAP;
    if (is_layered(layout.shape) || is_cube(layout.shape)) descriptor.Depth = layout.layers;
    const bool gathers = layout.shape == TextureShape::two_d && layout.levels == 1 && layout.width <= kMostGathered && layout.height <= kMostGathered;
    if (gathers) descriptor.Flags |= CUDA_ARRAY3D_TEXTURE_GATHER;
    return descriptor;
}

CUDA_TEXTURE_DESC texture_descriptor(const TextureDescription& description) {
    const TextureSampling& sampling = description.sampling;
    CUDA_TEXTURE_DESC descriptor{};
    for (std::size_t axis = 0; axis < 3; ++axis) descriptor.addressMode[axis] = address_of(sampling.address[axis]);
    descriptor.filterMode = filter_of(sampling.filter);
    descriptor.mipmapFilterMode = filter_of(sampling.level_filter);
    descriptor.maxMipmapLevelClamp = static_cast<float>(description.layout.levels - 1);
    if (!is_float(description.layout.channel) && !sampling.normalized_floats) descriptor.flags |= CU_TRSF_READ_AS_INTEGER;
    if (sampling.normalized_coordinates || is_cube(description.layout.shape)) descriptor.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    return descriptor;
}

}  // namespace

DeviceResult<DeviceTexture> DeviceTexture::make(Device& device, const TextureDescription& description, DeviceAddress texels, TextureUse use) {
    const auto driver = Driver::get();
    if (!driver) return tl::make_unexpected(DeviceFailure{"cuInit", "CUDA_ERROR_NOT_INITIALIZED", driver.error().message, false});
    DeviceTexture texture(**driver, device, description, texels, use);
    auto made = description.layout.shape == TextureShape::linear ? DeviceStatus() : texture.make_array();
    if (made) made = texture.make_object();
    if (!made) return tl::make_unexpected(made.error());
    return texture;
}

DeviceTexture::DeviceTexture(DeviceTexture&& other) noexcept
    : driver_(other.driver_),
      device_(other.device_),
      description_(other.description_),
      texels_(other.texels_),
      use_(other.use_),
      array_(std::exchange(other.array_, nullptr)),
      object_(std::exchange(other.object_, 0)) {}

DeviceTexture& DeviceTexture::operator=(DeviceTexture&& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(device_, other.device_);
    std::swap(description_, other.description_);
    std::swap(texels_, other.texels_);
    std::swap(use_, other.use_);
    std::swap(array_, other.array_);
    std::swap(object_, other.object_);
    return *this;
}

DeviceTexture::~DeviceTexture() {
    if (device_->is_hung()) return;  // the driver would wait for what never ends
    if (object_ != 0) (use_ == TextureUse::texture ? driver_->TexObjectDestroy(object_) : driver_->SurfObjectDestroy(object_));
    if (array_ == nullptr) return;
    if (description_.layout.levels == 1)
        driver_->ArrayDestroy(as_array(array_));
    else
        driver_->MipmappedArrayDestroy(as_mipmapped_array(array_));
}

DeviceStatus DeviceTexture::make_array() {
    CUDA_ARRAY3D_DESCRIPTOR descriptor = array_descriptor(description_.layout);
    if (use_ == TextureUse::surface) descriptor.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
    if (description_.layout.levels == 1) {
        CUarray array = nullptr;
        const auto made = driver_->check("cuArray3DCreate", driver_->Array3DCreate(&array, &descriptor));
        array_ = array;
        return made;
    }
    CUmipmappedArray array = nullptr;
    const auto made = driver_->check("cuMipmappedArrayCreate", driver_->MipmappedArrayCreate(&array, &descriptor, description_.layout.levels));
    array_ = array;
    return made;
}

DeviceStatus DeviceTexture::make_object() {
    const TextureLayout& layout = description_.layout;
    CUDA_RESOURCE_DESC resource{};
    if (layout.shape == TextureShape::linear) {
        resource.resType = CU_RESOURCE_TYPE_LINEAR;
        resource.res.linear = {texels_, format_of(layout.channel), layout.channels, layout.bytes()};
    } else if (layout.levels == 1) {
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = as_array(array_);
    } else {
        resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        resource.res.mipmap.hMipmappedArray = as_mipmapped_array(array_);
    }
    if (use_ == TextureUse::surface) {
        CUsurfObject surface = 0;
        const auto made = driver_->check("cuSurfObjectCreate", driver_->SurfObjectCreate(&surface, &resource));
        object_ = surface;
        return made;
    }
    const CUDA_TEXTURE_DESC texture = texture_descriptor(description_);
    CUtexObject object = 0;
    const auto made = driver_->check("cuTexObjectCreate", driver_->TexObjectCreate(&object, &resource, &texture, nullptr));
    object_ = object;
    return made;
}

DeviceResult<void*> DeviceTexture::array_of(std::uint32_t level) const {
    if (description_.layout.levels == 1) return array_;
    CUarray array = nullptr;
    const auto found = driver_->check("cuMipmappedArrayGetLevel", driver_->MipmappedArrayGetLevel(&array, as_mipmapped_array(array_), level));
    if (!found) return tl::make_unexpected(found.error());
    return array;
}

DeviceStatus DeviceTexture::load() {
    if (description_.layout.shape == TextureShape::linear) return {};
    for (std::uint32_t level = 0; level < description_.layout.levels; ++level) {
        if (const auto loaded = copy_level(level, Way::to_array); !loaded) return loaded;
    }
    return {};
}

DeviceStatus DeviceTexture::store() {
    if (use_ != TextureUse::surface) return {};
    return copy_level(0, Way::from_array);
}

DeviceStatus DeviceTexture::copy_level(std::uint32_t level, Way way) {
    const TextureLayout& layout = description_.layout;
    const auto array = array_of(level);
    if (!array) return tl::make_unexpected(array.error());
    const DeviceAddress texels = texels_ + layout.first_texel_of(level) * layout.texel_bytes();
    CUDA_MEMCPY3D copy{};
    copy.WidthInBytes = layout.width_of(level) * layout.texel_bytes();
    if (way == Way::to_array) {
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = texels;
        copy.srcPitch = copy.WidthInBytes;
        copy.srcHeight = layout.height_of(level);
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = as_array(*array);
    } else {
        copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.srcArray = as_array(*array);
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice = texels;
        copy.dstPitch = copy.WidthInBytes;
        copy.dstHeight = layout.height_of(level);
    }
    copy.Height = layout.height_of(level);
    copy.Depth = layout.depth_of(level) * layout.layers;
    return driver_->check("cuMemcpy3DAsync", driver_->Memcpy3DAsync(&copy, static_cast<CUstream>(device_->stream())));
}

}  // namespace optiml::gpu
