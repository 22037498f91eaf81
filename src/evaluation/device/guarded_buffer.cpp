#include "evaluation/device/guarded_buffer.h"

#include <utility>

namespace optiml::evaluation::device {

gpu::DeviceResult<GuardedBuffer> GuardedBuffer::make(gpu::Device& device, std::uint64_t bytes, std::uint32_t misalignment) {
    const auto base = device.allocate(2 * kGuardBytes + misalignment + bytes);
    if (!base) return tl::make_unexpected(base.error());
    GuardedBuffer buffer(device, *base, bytes, misalignment);
    if (const auto written = buffer.write_guards(); !written) return tl::make_unexpected(written.error());
    return buffer;
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept
    : device_(other.device_), base_(std::exchange(other.base_, 0)), bytes_(other.bytes_), misalignment_(other.misalignment_) {}

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    std::swap(misalignment_, other.misalignment_);
    return *this;
}

GuardedBuffer::~GuardedBuffer() {
    if (base_ != 0) device_->release(base_);
}

gpu::DeviceStatus GuardedBuffer::write_guards() {
    auto head = device_->fill(base_, kGuardByte, head_bytes());
    return head ? device_->fill(data() + bytes_, kGuardByte, kGuardBytes) : head;
}

gpu::DeviceStatus GuardedBuffer::queue_guard_check(gpu::HelperKernels& kernels, std::size_t slot) const {
    auto head = kernels.queue_other_bytes(slot, base_, kGuardByte, head_bytes());
    return head ? kernels.queue_other_bytes(slot, data() + bytes_, kGuardByte, kGuardBytes) : head;
}

gpu::ElementType element_type(task::ScalarType type) {
    using task::ScalarType;
    using gpu::ElementType;
    switch (type) {
        case ScalarType::i8: return ElementType::i8;
        case ScalarType::u8: return ElementType::u8;
        case ScalarType::i16: return ElementType::i16;
        case ScalarType::u16: return ElementType::u16;
        case ScalarType::i32: return ElementType::i32;
        case ScalarType::u32: return ElementType::u32;
        case ScalarType::i64: return ElementType::i64;
        case ScalarType::u64: return ElementType::u64;
        case ScalarType::f16: return ElementType::f16;
        case ScalarType::bf16: return ElementType::bf16;
        case ScalarType::f32: return ElementType::f32;
        case ScalarType::f64: return ElementType::f64;
    }
    return ElementType::u8;
}

}  // namespace optiml::evaluation::device
