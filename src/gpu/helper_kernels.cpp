#include "gpu/helper_kernels.h"

#include <algorithm>
#include <cstring>

namespace optiml::gpu {
namespace {

constexpr std::uint32_t kThreads = 256;

// Mirrors struct Result in the device source below.
struct DeviceComparison {
    unsigned long long mismatches;
    unsigned long long first_mismatch;
    unsigned long long largest_difference_bits;  // of a non-negative double: ordered as integers are
    unsigned long long largest_truth_bits;
    double difference_sum_of_squares;
    double truth_sum_of_squares;
    unsigned long long candidate_zeros;
};

constexpr const char* kSource = R"cuda(
#include <cuda_fp16.h>
#include <cuda_bf16.h>

struct Result {
    unsigned long long mismatches, first_mismatch, largest_difference_bits, largest_truth_bits;
    double difference_sum_of_squares, truth_sum_of_squares;
    unsigned long long candidate_zeros;
};

__device__ unsigned long long index_of_thread() { return blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; }
__device__ unsigned long long thread_count() { return gridDim.x * (unsigned long long)blockDim.x; }

extern "C" __global__ void optiml_flush(float4* buffer, unsigned long long count) {
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) {
        float4 v = buffer[i];
        v.x += 1;
        buffer[i] = v;
    }
}

__device__ unsigned long long nanoseconds() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

extern "C" __global__ void optiml_hold(volatile unsigned* word, unsigned timeout_us) {
    const unsigned long long end = nanoseconds() + 1000ull * timeout_us;
    while (*word == 0) {
        if (nanoseconds() > end) {
            *word = 2;
            return;
        }
    }
}

template <class T> __device__ double value_of(T x) { return (double)x; }
template <> __device__ double value_of<__half>(__half x) { return (double)__half2float(x); }
template <> __device__ double value_of<__nv_bfloat16>(__nv_bfloat16 x) { return (double)__bfloat162float(x); }
template <class T> struct is_real { static const bool value = false; };
template <> struct is_real<float> { static const bool value = true; };
template <> struct is_real<double> { static const bool value = true; };
template <> struct is_real<__half> { static const bool value = true; };
template <> struct is_real<__nv_bfloat16> { static const bool value = true; };

template <class T>
__device__ void compare(const T* candidate, const T* truth, unsigned long long count, double absolute, double relative, Result* result) {
    Result mine = {0, ~0ull, 0, 0, 0, 0, 0};
    double largest_difference = 0, largest_truth = 0;
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) {
        const T a = candidate[i], b = truth[i];
        bool wrong;
        const double x = value_of(a), y = value_of(b);
        if (is_real<T>::value) {
            const bool finite = isfinite(x) && isfinite(y);
            const double difference = fabs(x - y);
            wrong = finite ? !(difference <= absolute + relative * fabs(y)) : !(x == y || (isnan(x) && isnan(y)));
            if (finite) {
                largest_difference = fmax(largest_difference, difference);
                mine.difference_sum_of_squares += difference * difference;
            }
            if (isfinite(y)) {
                largest_truth = fmax(largest_truth, fabs(y));
                mine.truth_sum_of_squares += y * y;
            }
        } else {
            wrong = !(value_of(a) == value_of(b) && a == b);
            largest_difference = fmax(largest_difference, fabs(x - y));
            largest_truth = fmax(largest_truth, fabs(y));
        }
        if (x == 0) ++mine.candidate_zeros;
        if (wrong) {
            ++mine.mismatches;
            if (i < mine.first_mismatch) mine.first_mismatch = i;
        }
    }
    if (mine.mismatches) {
        atomicAdd(&result->mismatches, mine.mismatches);
        atomicMin(&result->first_mismatch, mine.first_mismatch);
    }
    atomicMax(&result->largest_difference_bits, (unsigned long long)__double_as_longlong(largest_difference));
    atomicMax(&result->largest_truth_bits, (unsigned long long)__double_as_longlong(largest_truth));
    atomicAdd(&result->difference_sum_of_squares, mine.difference_sum_of_squares);
    atomicAdd(&result->truth_sum_of_squares, mine.truth_sum_of_squares);
    if (mine.candidate_zeros) atomicAdd(&result->candidate_zeros, mine.candidate_zeros);
}

#define COMPARE(name, type)                                                                                                    \
    extern "C" __global__ void optiml_compare_##name(const type* candidate, const type* truth, unsigned long long count,       \
                                                     double absolute, double relative, Result* result) {                       \
        compare<type>(candidate, truth, count, absolute, relative, result);                                                    \
    }
COMPARE(i8, signed char)
COMPARE(u8, unsigned char)
COMPARE(i16, short)
COMPARE(u16, unsigned short)
COMPARE(i32, int)
COMPARE(u32, unsigned)
COMPARE(i64, long long)
COMPARE(u64, unsigned long long)
COMPARE(f16, __half)
COMPARE(bf16, __nv_bfloat16)
COMPARE(f32, float)
COMPARE(f64, double)

// SplitMix64's finaliser, as in base/random.h.
__device__ unsigned long long mix(unsigned long long z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
__device__ unsigned random_bits(unsigned long long stream, unsigned long long element) {
    return (unsigned)(mix(element + 0x9E3779B97F4A7C15ull * (stream + 1)) >> 32);
}
__device__ double random_unit(unsigned long long stream, unsigned long long element) {
    return (double)(random_bits(stream, element) >> 8) / 16777216.0;
}

extern "C" __global__ void optiml_mask(unsigned char* bytes, unsigned long long count, unsigned long long key) {
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count())
        bytes[i] ^= (unsigned char)(mix((i >> 3) * 0x9E3779B97F4A7C15ull + key) >> (8 * (i & 7)));
}

template <class T> __device__ T as_element(double x) { return (T)x; }
template <> __device__ __half as_element<__half>(double x) { return __float2half((float)x); }
template <> __device__ __nv_bfloat16 as_element<__nv_bfloat16>(double x) { return __float2bfloat16((float)x); }

template <class T>
__device__ void fill(T* elements, unsigned long long count, int normal, double low, double high, unsigned long long stream) {
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) {
        const double u = random_unit(stream, i);
        double value = low + (high - low) * u;
        if (normal) {
            const double v = random_unit(stream ^ 0x5851F42D4C957F2Dull, i);
            value = low + high * sqrt(-2 * log(1 - u)) * cospi(2 * v);
        } else if (!is_real<T>::value) {
            value = fmin(floor(low + (high - low + 1) * u), high);
        }
        elements[i] = as_element<T>(value);
    }
}

#define FILL(name, type)                                                                                                         \
    extern "C" __global__ void optiml_fill_##name(type* elements, unsigned long long count, int normal, double low, double high, \
                                                  unsigned long long stream) {                                                   \
        fill<type>(elements, count, normal, low, high, stream);                                                                  \
    }
FILL(i8, signed char)
FILL(u8, unsigned char)
FILL(i16, short)
FILL(u16, unsigned short)
FILL(i32, int)
FILL(u32, unsigned)
FILL(i64, long long)
FILL(u64, unsigned long long)
FILL(f16, __half)
FILL(bf16, __nv_bfloat16)
FILL(f32, float)
FILL(f64, double)

extern "C" __global__ void optiml_other_bytes(const unsigned char* bytes, unsigned value, unsigned long long count, Result* result) {
    unsigned long long other = 0;
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) other += bytes[i] != value;
    if (other) atomicAdd(&result->mismatches, other);
}

extern "C" __global__ void optiml_differing_bytes(const unsigned char* a, const unsigned char* b, unsigned long long count, Result* result) {
    unsigned long long other = 0;
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) other += a[i] != b[i];
    if (other) atomicAdd(&result->mismatches, other);
}
)cuda";

// "optiml_compare_" + "f32"
std::string kernel_for(const char* prefix, ElementType type) {
    constexpr const char* names[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"};
    return std::string(prefix) + names[static_cast<int>(type)];
}

double double_of(unsigned long long bits) {
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace

Result<std::unique_ptr<HelperKernels>> HelperKernels::load(Compiler& compiler, Device& device) {
    CompileRequest request{.source = kSource, .file_name = "helper_kernels.cu"};
    request.compute_capability = device.properties().compute_capability;
    const CompileOutcome outcome = compiler.compile(request);
    if (!outcome.compiled) return environment_error("the evaluator's own kernels do not compile: " + outcome.log);
    auto module = device.load(outcome.cubin);
    if (!module) return environment_error("the evaluator's own kernels do not load: " + module.error().text());
    std::unique_ptr<HelperKernels> kernels(new HelperKernels(device, std::move(*module)));
    kernels->flush_bytes_ = 2 * device.properties().l2_bytes;
    auto buffer = device.allocate(kernels->flush_bytes_);
    auto result = device.allocate(sizeof(DeviceComparison));
    kernels->flush_buffer_ = buffer.value_or(0);
    kernels->result_ = result.value_or(0);
    if (!buffer || !result) return environment_error("too little device memory for the evaluator itself", "Free memory on the card.");
    if (const auto cleared = device.fill(kernels->flush_buffer_, 0, kernels->flush_bytes_); !cleared) {
        return environment_error(cleared.error().text());
    }
    return kernels;
}

HelperKernels::~HelperKernels() {
    device_.release(flush_buffer_);
    device_.release(result_);
}

DeviceStatus HelperKernels::launch(const std::string& name, std::uint64_t items, void** parameters) {
    const auto function = module_.function(name);
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

DeviceStatus HelperKernels::hold(const SharedWord& word, std::uint32_t timeout_us) {
    const auto function = module_.function("optiml_hold");
    if (!function) return tl::make_unexpected(function.error());
    DeviceAddress address = word.address();
    void* parameters[] = {&address, &timeout_us};
    return device_.launch(*function, {}, parameters);
}

DeviceResult<Comparison> HelperKernels::compare(DeviceAddress candidate, DeviceAddress truth, std::uint64_t count, ElementType type,
                                                double absolute, double relative) {
    DeviceComparison found{0, ~0ull, 0, 0, 0, 0, 0};
    unsigned long long elements = count;
    void* parameters[] = {&candidate, &truth, &elements, &absolute, &relative, &result_};
    auto done = device_.write(result_, &found, sizeof found);
    if (done) done = launch(kernel_for("optiml_compare_", type), count, parameters);
    if (done) done = device_.read(result_, &found, sizeof found);
    if (!done) return tl::make_unexpected(done.error());
    return Comparison{found.mismatches,
                      found.mismatches == 0 ? 0 : found.first_mismatch,
                      double_of(found.largest_difference_bits),
                      double_of(found.largest_truth_bits),
                      found.difference_sum_of_squares,
                      found.truth_sum_of_squares,
                      found.candidate_zeros};
}

DeviceStatus HelperKernels::mask(DeviceAddress address, std::uint64_t count, std::uint64_t key) {
    if (count == 0) return {};
    unsigned long long bytes = count, secret = key;
    void* parameters[] = {&address, &bytes, &secret};
    return launch("optiml_mask", count, parameters);
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

DeviceResult<std::uint64_t> HelperKernels::count_other_bytes(DeviceAddress address, std::uint8_t value, std::uint64_t count) {
    DeviceComparison found{0, ~0ull, 0, 0, 0, 0, 0};
    unsigned byte = value;
    unsigned long long bytes = count;
    void* parameters[] = {&address, &byte, &bytes, &result_};
    auto done = device_.write(result_, &found, sizeof found);
    if (done) done = launch("optiml_other_bytes", count, parameters);
    if (done) done = device_.read(result_, &found, sizeof found);
    if (!done) return tl::make_unexpected(done.error());
    return found.mismatches;
}

DeviceResult<std::uint64_t> HelperKernels::count_differing_bytes(DeviceAddress a, DeviceAddress b, std::uint64_t count) {
    DeviceComparison found{0, ~0ull, 0, 0, 0, 0, 0};
    unsigned long long bytes = count;
    void* parameters[] = {&a, &b, &bytes, &result_};
    auto done = device_.write(result_, &found, sizeof found);
    if (done) done = launch("optiml_differing_bytes", count, parameters);
    if (done) done = device_.read(result_, &found, sizeof found);
    if (!done) return tl::make_unexpected(done.error());
    return found.mismatches;
}

}  // namespace optiml::gpu
