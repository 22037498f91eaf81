#pragma once
// The device code that evaluation itself needs: flushing L2, holding a stream back, comparing outputs, poisoning, canaries.
// Compiled once a process by NVRTC.

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "gpu/compiler.h"
#include "gpu/device.h"

namespace optiml::gpu {

// How an output's elements are read when compared.
enum class ElementType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64 };

// What a comparison of two buffers found; order of the elements does not matter.
struct Comparison {
    std::uint64_t mismatches = 0;         // elements outside the tolerance, or NaN on one side only
    std::uint64_t first_mismatch = 0;     // smallest index of one
    double largest_difference = 0;        // |candidate - truth| over finite elements
    double largest_truth = 0;             // |truth| over finite elements
    double difference_sum_of_squares = 0;
    double truth_sum_of_squares = 0;
    std::uint64_t candidate_zeros = 0;    // bytes-zero elements: all-zero outputs show
};

class HelperKernels {
public:
    // Errors: (environment) what NVRTC or the device says.
    static Result<std::unique_ptr<HelperKernels>> load(Compiler& compiler, Device& device);
    ~HelperKernels();
    HelperKernels(const HelperKernels&) = delete;
    HelperKernels& operator=(const HelperKernels&) = delete;

    // Reads and writes twice the L2's size, so that neither data nor dirty lines of earlier work stay.
    DeviceStatus flush_l2();
    // Holds the stream until word != 0 or timeout_us has passed; then word becomes 2 if the time ran out.
    DeviceStatus hold(const SharedWord& word, std::uint32_t timeout_us);
    // Elementwise |candidate - truth| <= absolute + relative * |truth|; integers exactly. NaN equals NaN, infinities by sign.
    DeviceResult<Comparison> compare(DeviceAddress candidate, DeviceAddress truth, std::uint64_t count, ElementType type, double absolute,
                                     double relative);
    // Covers or uncovers a range with a key that only the host knows: what another kernel could read there is noise. Applying it twice
    // with the same key gives the range back. count: bytes, any.
    DeviceStatus mask(DeviceAddress address, std::uint64_t count, std::uint64_t key);
    // Fresh values for `count` elements: uniform in [low, high) for floats, whole numbers in [low, high] for integers.
    DeviceStatus fill_random(DeviceAddress address, std::uint64_t count, ElementType type, double low, double high, std::uint64_t stream);
    // Normally distributed floats.
    DeviceStatus fill_normal(DeviceAddress address, std::uint64_t count, ElementType type, double mean, double deviation, std::uint64_t stream);
    // Bytes of a range that differ from `value`.
    DeviceResult<std::uint64_t> count_other_bytes(DeviceAddress address, std::uint8_t value, std::uint64_t count);
    // Bytes at which two ranges differ.
    DeviceResult<std::uint64_t> count_differing_bytes(DeviceAddress a, DeviceAddress b, std::uint64_t count);

private:
    HelperKernels(Device& device, DeviceModule module) : device_(device), module_(std::move(module)) {}
    DeviceStatus fill(DeviceAddress address, std::uint64_t count, ElementType type, int normal, double first, double second,
                      std::uint64_t stream);
    DeviceStatus launch(const std::string& name, std::uint64_t items, void** parameters);

    Device& device_;
    DeviceModule module_;
    DeviceAddress flush_buffer_ = 0;
    std::uint64_t flush_bytes_ = 0;
    DeviceAddress result_ = 0;  // of comparisons
};

}  // namespace optiml::gpu
