#include "gpu/helper_kernels.h"

#include <algorithm>
#include <cstring>

#include "gpu/helper_kernels_source.h"

namespace optiml::gpu {
namespace {

constexpr std::uint32_t kThreads = 256;

// Mirrors struct Result of the device source.
struct DeviceComparison {
    unsigned long long mismatches;
    unsigned long long last_index_first;         // ~index of the first mismatch; 0: none
    unsigned long long largest_difference_bits;  // of a non-negative double: ordered as integers are
    unsigned long long largest_truth_bits;
    double difference_sum_of_squares;
    double truth_sum_of_squares;
    unsigned long long candidate_zeros;
    unsigned long long non_finite_mismatches;
};

// "optiml_compare_" + "f32"
std::string kernel_for(const char* prefix, ElementType type) { return std::string(prefix) + name_of(type); }

double double_of(unsigned long long bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

Comparison comparison_of(const DeviceComparison& found) {
    return {found.mismatches,
            found.mismatches == 0 ? 0 : ~found.last_index_first,
            found.non_finite_mismatches,
            double_of(found.largest_difference_bits),
            double_of(found.largest_truth_bits),
            found.difference_sum_of_squares,
            found.truth_sum_of_squares,
            found.candidate_zeros};
}

}  // namespace

Result<std::vector<std::uint8_t>> HelperKernels::compile(Compiler& compiler, std::uint32_t compute_capability,
                                                         const std::set<ElementType>& types) {
    CompileRequest request{.source = helper_kernels_source(types), .file_name = "helper_kernels.cu"};
    request.compute_capability = compute_capability;
    CompileOutcome outcome = compiler.compile(request);
    if (!outcome.compiled) return environment_error("the evaluator's own kernels do not compile: " + outcome.log);
    return std::move(outcome.cubin);
}

Result<std::unique_ptr<HelperKernels>> HelperKernels::load(Device& device, const std::vector<std::uint8_t>& cubin) {
    auto module = device.load(cubin);
    if (!module) return environment_error("the evaluator's own kernels do not load: " + module.error().text());
    std::unique_ptr<HelperKernels> kernels(new HelperKernels(device, std::move(*module)));
    kernels->flush_bytes_ = 2 * device.properties().l2_bytes;
    auto buffer = device.allocate(kernels->flush_bytes_);
    kernels->flush_buffer_ = buffer.value_or(0);
    if (!buffer) return environment_error("too little device memory for the evaluator itself", "Free memory on the card.");
    if (const auto cleared = device.fill(kernels->flush_buffer_, 0, kernels->flush_bytes_); !cleared) {
        return environment_error(cleared.error().text());
    }
    return kernels;
}

HelperKernels::~HelperKernels() {
    device_.release(flush_buffer_);
    device_.release(results_);
}

DeviceResult<void*> HelperKernels::function(const std::string& name) {
    void*& known = functions_[name];
    if (known != nullptr) return known;
    const auto found = module_.function(name);
    if (found) known = *found;
    return found;
}

DeviceStatus HelperKernels::launch(const std::string& name, std::uint64_t items, void** parameters) {
    const auto function = this->function(name);
    if (!function) return tl::make_unexpected(function.error());
    LaunchShape shape;
    shape.block[0] = kThreads;
    const std::uint64_t blocks = (items + kThreads - 1) / kThreads;
    shape.grid[0] = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(blocks, 1, 8ull * device_.properties().sm_count));
    return device_.launch(*function, shape, parameters);
}

DeviceStatus HelperKernels::flush_l2() {
    unsigned long long count = flush_bytes_ / 16;
    void* parameters[] = {&flush_buffer_, &count};
    return launch("optiml_flush", count, parameters);
}

DeviceStatus HelperKernels::flush_l2_by_fill() { return device_.fill(flush_buffer_, 0, flush_bytes_); }

DeviceStatus HelperKernels::hold(const SharedWord& word, std::uint32_t timeout_us) {
    const auto function = this->function("optiml_hold");
    if (!function) return tl::make_unexpected(function.error());
    DeviceAddress address = word.address();
    void* parameters[] = {&address, &timeout_us};
    return device_.launch(*function, {}, parameters);
}

DeviceStatus HelperKernels::begin_checks(std::size_t slots) {
    slots_ = slots;
    if (slots > capacity_) {
        const auto results = device_.allocate(slots * sizeof(DeviceComparison));
        if (!results) return tl::make_unexpected(results.error());
        device_.release(results_);
        results_ = *results;
        capacity_ = slots;
    }
    return device_.fill(results_, 0, slots * sizeof(DeviceComparison));
}

DeviceStatus HelperKernels::queue_comparison(std::size_t slot, DeviceAddress candidate, DeviceAddress truth, std::uint64_t count,
                                             ElementType type, double absolute, double relative) {
    unsigned long long elements = count;
    DeviceAddress result = address_of(slot);
    void* parameters[] = {&candidate, &truth, &elements, &absolute, &relative, &result};
    return launch(kernel_for("optiml_compare_", type), count, parameters);
}

DeviceStatus HelperKernels::queue_other_bytes(std::size_t slot, DeviceAddress address, std::uint8_t value, std::uint64_t count) {
    unsigned byte = value;
    unsigned long long bytes = count;
    DeviceAddress result = address_of(slot);
    void* parameters[] = {&address, &byte, &bytes, &result};
    return launch("optiml_other_bytes", count, parameters);
}

DeviceStatus HelperKernels::queue_differing_bytes(std::size_t slot, DeviceAddress a, DeviceAddress b, std::uint64_t count) {
    unsigned long long bytes = count;
    DeviceAddress result = address_of(slot);
    void* parameters[] = {&a, &b, &bytes, &result};
    return launch("optiml_differing_bytes", count, parameters);
}

DeviceStatus HelperKernels::queue_digest(std::size_t slot, DeviceAddress address, std::uint64_t count, std::uint64_t key, std::uint64_t expected) {
    unsigned long long bytes = count, secret = key, known = expected;
    DeviceAddress result = address_of(slot);
    void* parameters[] = {&address, &bytes, &secret, &known, &result};
    return launch("optiml_digest", count / 8, parameters);
}

DeviceResult<std::vector<Comparison>> HelperKernels::finish_checks() {
    std::vector<DeviceComparison> found(slots_);
    if (const auto read = device_.read(results_, found.data(), slots_ * sizeof(DeviceComparison)); !read) return tl::make_unexpected(read.error());
    std::vector<Comparison> comparisons;
    for (const DeviceComparison& one : found) comparisons.push_back(comparison_of(one));
    return comparisons;
}

DeviceAddress HelperKernels::address_of(std::size_t slot) const { return results_ + slot * sizeof(DeviceComparison); }

DeviceResult<Comparison> HelperKernels::compare(DeviceAddress candidate, DeviceAddress truth, std::uint64_t count, ElementType type,
                                                double absolute, double relative) {
    auto done = begin_checks(1);
    if (done) done = queue_comparison(0, candidate, truth, count, type, absolute, relative);
    if (!done) return tl::make_unexpected(done.error());
    const auto found = finish_checks();
    if (!found) return tl::make_unexpected(found.error());
    return found->front();
}

DeviceStatus HelperKernels::mask(DeviceAddress address, std::uint64_t count, std::uint64_t key) {
    if (count == 0) return {};
    unsigned long long bytes = count, secret = key;
    void* parameters[] = {&address, &bytes, &secret};
    return launch("optiml_mask", count, parameters);
}

DeviceStatus HelperKernels::widen(DeviceAddress from, DeviceAddress to, std::uint64_t count) { return convert("optiml_widen", from, to, count); }

DeviceStatus HelperKernels::narrow(DeviceAddress from, DeviceAddress to, std::uint64_t count) { return convert("optiml_narrow", from, to, count); }

DeviceStatus HelperKernels::convert(const char* kernel, DeviceAddress from, DeviceAddress to, std::uint64_t count) {
    if (count == 0) return {};
    unsigned long long elements = count;
    void* parameters[] = {&from, &to, &elements};
    return launch(kernel, count, parameters);
}

DeviceStatus HelperKernels::fill_random(DeviceAddress address, std::uint64_t count, ElementType type, double low, double high, std::uint64_t stream) {
    return fill(address, count, type, 0, low, high, stream);
}

DeviceStatus HelperKernels::fill_normal(DeviceAddress address, std::uint64_t count, ElementType type, double mean, double deviation,
                                        std::uint64_t stream) {
    return fill(address, count, type, 1, mean, deviation, stream);
}

DeviceStatus HelperKernels::fill(DeviceAddress address, std::uint64_t count, ElementType type, int normal, double first, double second,
                                 std::uint64_t stream) {
    if (count == 0) return {};
    unsigned long long elements = count, seed = stream;
    void* parameters[] = {&address, &elements, &normal, &first, &second, &seed};
    return launch(kernel_for("optiml_fill_", type), count, parameters);
}

}  // namespace optiml::gpu
