#pragma once
// The device code that evaluation itself needs: flushing L2, holding a stream back, comparing outputs, poisoning, canaries.
// Compiled once by NVRTC; other workers on the same kind of card take over the cubin.

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

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
    std::uint64_t non_finite_mismatches = 0;  // of the mismatches: NaN or infinite on a side, as what was never written is
    double largest_difference = 0;        // |candidate - truth| over finite elements
    double largest_truth = 0;             // |truth| over finite elements
    double difference_sum_of_squares = 0;
    double truth_sum_of_squares = 0;
    std::uint64_t candidate_zeros = 0;    // bytes-zero elements: all-zero outputs show
};

class HelperKernels {
public:
    // The cubin, which can compare and fill elements of these types. Errors: (environment) what NVRTC says.
    static Result<std::vector<std::uint8_t>> compile(Compiler& compiler, std::uint32_t compute_capability, const std::set<ElementType>& types);
    // Errors: (environment) what the device says.
    static Result<std::unique_ptr<HelperKernels>> load(Device& device, const std::vector<std::uint8_t>& cubin);
    ~HelperKernels();
    HelperKernels(const HelperKernels&) = delete;
    HelperKernels& operator=(const HelperKernels&) = delete;

    // Reads and writes twice the L2's size, so that neither data nor dirty lines of earlier work stay.
    DeviceStatus flush_l2();
    // The same by writing alone and without a kernel, which a profiler's session would count.
    DeviceStatus flush_l2_by_fill();
    // Holds the stream until word != 0 or timeout_us has passed; then word becomes 2 if the time ran out.
    DeviceStatus hold(const SharedWord& word, std::uint32_t timeout_us);
    // Checks are queued on the stream, each into a slot of its own, and read back together: a round trip costs more than most of them.
    // Queueing into one slot again adds to it. A new begin forgets the last.
    DeviceStatus begin_checks(std::size_t slots);
    // As compare().
    DeviceStatus queue_comparison(std::size_t slot, DeviceAddress candidate, DeviceAddress truth, std::uint64_t count, ElementType type,
                                  double absolute, double relative);
    // Comparison::mismatches: bytes of a range that differ from `value`.
    DeviceStatus queue_other_bytes(std::size_t slot, DeviceAddress address, std::uint8_t value, std::uint64_t count);
    // Comparison::mismatches: bytes at which two ranges differ.
    DeviceStatus queue_differing_bytes(std::size_t slot, DeviceAddress a, DeviceAddress b, std::uint64_t count);
    // Comparison::mismatches: 0 if a digest of the range, under a key that only the host knows, is the expected one; how far it is from it
    // otherwise, so that of none (0) it is the digest itself.
    DeviceStatus queue_digest(std::size_t slot, DeviceAddress address, std::uint64_t count, std::uint64_t key, std::uint64_t expected);
    // By slot, once everything before on the stream is done.
    DeviceResult<std::vector<Comparison>> finish_checks();

    // Elementwise |candidate - truth| <= absolute + relative * |truth|; integers exactly. NaN equals NaN, infinities by sign.
    DeviceResult<Comparison> compare(DeviceAddress candidate, DeviceAddress truth, std::uint64_t count, ElementType type, double absolute,
                                     double relative);
    // Covers or uncovers a range with a key that only the host knows: what another kernel could read there is noise. Applying it twice
    // with the same key gives the range back. count: bytes, any.
    DeviceStatus mask(DeviceAddress address, std::uint64_t count, std::uint64_t key);
    // f32 elements as f64, and f64 elements rounded to f32.
    DeviceStatus widen(DeviceAddress from, DeviceAddress to, std::uint64_t count);
    DeviceStatus narrow(DeviceAddress from, DeviceAddress to, std::uint64_t count);
    // Fresh values for `count` elements: uniform in [low, high) for floats, whole numbers in [low, high] for integers.
    DeviceStatus fill_random(DeviceAddress address, std::uint64_t count, ElementType type, double low, double high, std::uint64_t stream);
    // Normally distributed floats.
    DeviceStatus fill_normal(DeviceAddress address, std::uint64_t count, ElementType type, double mean, double deviation, std::uint64_t stream);

private:
    HelperKernels(Device& device, DeviceModule module) : device_(device), module_(std::move(module)) {}
    DeviceStatus fill(DeviceAddress address, std::uint64_t count, ElementType type, int normal, double first, double second,
                      std::uint64_t stream);
    DeviceStatus convert(const char* kernel, DeviceAddress from, DeviceAddress to, std::uint64_t count);
    DeviceResult<void*> function(const std::string& name);
    DeviceAddress address_of(std::size_t slot) const;
    DeviceStatus launch(const std::string& name, std::uint64_t items, void** parameters);

    Device& device_;
    DeviceModule module_;
    DeviceAddress flush_buffer_ = 0;
    std::uint64_t flush_bytes_ = 0;
    std::unordered_map<std::string, void*> functions_;
    DeviceAddress results_ = 0;  // of checks, by slot
    std::size_t capacity_ = 0;
    std::size_t slots_ = 0;
};

}  // namespace optiml::gpu
