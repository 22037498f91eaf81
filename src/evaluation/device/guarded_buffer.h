#pragma once
// A device buffer between two guard bands, as the plan wants it aligned.

#include <cstdint>

#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "task/resolved.h"

namespace optiml::evaluation::device {

constexpr std::uint8_t kGuardByte = 0xC5;
constexpr std::uint8_t kPoisonByte = 0xFF;  // NaN in every float type
constexpr std::uint64_t kGuardBytes = 64 * 1024;

// Owns [guard][bytes][guard]; data() begins `misalignment` bytes after a 256-byte boundary.
class GuardedBuffer {
public:
    static gpu::DeviceResult<GuardedBuffer> make(gpu::Device& device, std::uint64_t bytes, std::uint32_t misalignment);
    GuardedBuffer(GuardedBuffer&& other) noexcept;
    GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;
    ~GuardedBuffer();

    gpu::DeviceAddress data() const { return base_ + kGuardBytes + misalignment_; }
    std::uint64_t bytes() const { return bytes_; }
    gpu::DeviceStatus poison() { return device_->fill(data(), kPoisonByte, bytes_); }
    gpu::DeviceStatus write_guards();
    // Counts into the slot how many bytes of the two guards something has overwritten.
    gpu::DeviceStatus queue_guard_check(gpu::HelperKernels& kernels, std::size_t slot) const;

private:
    GuardedBuffer(gpu::Device& device, gpu::DeviceAddress base, std::uint64_t bytes, std::uint32_t misalignment)
        : device_(&device), base_(base), bytes_(bytes), misalignment_(misalignment) {}
    std::uint64_t head_bytes() const { return kGuardBytes + misalignment_; }

    gpu::Device* device_;
    gpu::DeviceAddress base_;
    std::uint64_t bytes_;
    std::uint32_t misalignment_;
};

gpu::ElementType element_type(task::ScalarType type);

}  // namespace optiml::evaluation::device
