#include "gpu/helper_kernels_source.h"

#include <fmt/format.h>

namespace optiml::gpu {
namespace {

constexpr const char* kForAnyType = R"cuda(
// Half and bfloat16 by their bits: CUDA's headers for them take longer to compile than all of this.
struct half_bits {
    unsigned short bits;
};
struct bfloat16_bits {
    unsigned short bits;
};

// All zero where nothing was found; last_index_first is ~index of the first mismatch, so that the greatest wins.
struct Result {
    unsigned long long mismatches, last_index_first, largest_difference_bits, largest_truth_bits;
    double difference_sum_of_squares, truth_sum_of_squares;
    unsigned long long candidate_zeros, non_finite_mismatches;
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
template <> __device__ double value_of<half_bits>(half_bits x) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(x.bits));
    return value;
}
template <> __device__ double value_of<bfloat16_bits>(bfloat16_bits x) { return __uint_as_float((unsigned)x.bits << 16); }
template <class T> struct is_real { static const bool value = false; };
template <> struct is_real<float> { static const bool value = true; };
template <> struct is_real<double> { static const bool value = true; };
template <> struct is_real<half_bits> { static const bool value = true; };
template <> struct is_real<bfloat16_bits> { static const bool value = true; };

__device__ void add(Result* to, const Result& mine) {
    if (mine.mismatches) {
        atomicAdd(&to->mismatches, mine.mismatches);
        atomicMax(&to->last_index_first, mine.last_index_first);
    }
    atomicMax(&to->largest_difference_bits, mine.largest_difference_bits);
    atomicMax(&to->largest_truth_bits, mine.largest_truth_bits);
    atomicAdd(&to->difference_sum_of_squares, mine.difference_sum_of_squares);
    atomicAdd(&to->truth_sum_of_squares, mine.truth_sum_of_squares);
    if (mine.candidate_zeros) atomicAdd(&to->candidate_zeros, mine.candidate_zeros);
    if (mine.non_finite_mismatches) atomicAdd(&to->non_finite_mismatches, mine.non_finite_mismatches);
}

__device__ unsigned long long greater(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

// First within the warp, then within the block: atomics of every thread on one address would cost more than the comparison.
__device__ void reduce(Result mine, Result* result) {
    for (int distance = 16; distance > 0; distance /= 2) {
        const unsigned all = 0xFFFFFFFFu;
        mine.mismatches += __shfl_down_sync(all, mine.mismatches, distance);
        mine.last_index_first = greater(mine.last_index_first, __shfl_down_sync(all, mine.last_index_first, distance));
        mine.largest_difference_bits = greater(mine.largest_difference_bits, __shfl_down_sync(all, mine.largest_difference_bits, distance));
        mine.largest_truth_bits = greater(mine.largest_truth_bits, __shfl_down_sync(all, mine.largest_truth_bits, distance));
        mine.difference_sum_of_squares += __shfl_down_sync(all, mine.difference_sum_of_squares, distance);
        mine.truth_sum_of_squares += __shfl_down_sync(all, mine.truth_sum_of_squares, distance);
        mine.candidate_zeros += __shfl_down_sync(all, mine.candidate_zeros, distance);
        mine.non_finite_mismatches += __shfl_down_sync(all, mine.non_finite_mismatches, distance);
    }
    __shared__ Result block;
    if (threadIdx.x == 0) block = Result{0, 0, 0, 0, 0, 0, 0, 0};
    __syncthreads();
    if (threadIdx.x % 32 == 0) add(&block, mine);
    __syncthreads();
    if (threadIdx.x == 0) add(result, block);
}

template <class T>
__device__ void compare(const T* candidate, const T* truth, unsigned long long count, double absolute, double relative, Result* result) {
    Result mine = {0, 0, 0, 0, 0, 0, 0, 0};
    double largest_difference = 0, largest_truth = 0;
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) {
        const T a = candidate[i], b = truth[i];
        bool wrong;
        const double x = value_of(a), y = value_of(b);
        if constexpr (is_real<T>::value) {
            const bool finite = isfinite(x) && isfinite(y);
            const double difference = fabs(x - y);
            wrong = finite ? !(difference <= absolute + relative * fabs(y)) : !(x == y || (isnan(x) && isnan(y)));
            if (wrong && !finite) ++mine.non_finite_mismatches;
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
            mine.last_index_first = greater(mine.last_index_first, ~i);
        }
    }
    mine.largest_difference_bits = (unsigned long long)__double_as_longlong(largest_difference);
    mine.largest_truth_bits = (unsigned long long)__double_as_longlong(largest_truth);
    reduce(mine, result);
}

#define COMPARE(name, type)                                                                                                    \
    extern "C" __global__ void optiml_compare_##name(const type* candidate, const type* truth, unsigned long long count,       \
                                                     double absolute, double relative, Result* result) {                       \
        compare<type>(candidate, truth, count, absolute, relative, result);                                                    \
    }

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

__device__ unsigned long long noise(unsigned long long word, unsigned long long key) { return mix(word * 0x9E3779B97F4A7C15ull + key); }

// Whole words where the range allows it; what is left over by bytes.
extern "C" __global__ void optiml_mask(unsigned char* bytes, unsigned long long count, unsigned long long key) {
    const unsigned long long words = (unsigned long long)bytes % 8 == 0 ? count / 8 : 0;
    unsigned long long* as_words = (unsigned long long*)bytes;
    for (unsigned long long i = index_of_thread(); i < words; i += thread_count()) as_words[i] ^= noise(i, key);
    for (unsigned long long i = 8 * words + index_of_thread(); i < count; i += thread_count())
        bytes[i] ^= (unsigned char)(noise(i >> 3, key) >> (8 * (i & 7)));
}

// A sum over words, each mixed with its place, so that blocks may come in any order.
extern "C" __global__ void optiml_digest(const unsigned char* bytes, unsigned long long count, unsigned long long key, unsigned long long expected,
                                         Result* result) {
    const unsigned long long words = (unsigned long long)bytes % 8 == 0 ? count / 8 : 0;
    const unsigned long long* as_words = (const unsigned long long*)bytes;
    unsigned long long sum = index_of_thread() == 0 ? 0 - expected : 0;
    for (unsigned long long i = index_of_thread(); i < words; i += thread_count()) sum += mix(as_words[i] ^ noise(i, key));
    for (unsigned long long i = 8 * words + index_of_thread(); i < count; i += thread_count()) sum += mix(bytes[i] ^ noise(i, key));
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xFFFFFFFFu, sum, distance);
    if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&result->mismatches, sum);
}

extern "C" __global__ void optiml_widen(const float* from, double* to, unsigned long long count) {
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) to[i] = from[i];
}

extern "C" __global__ void optiml_narrow(const double* from, float* to, unsigned long long count) {
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) to[i] = (float)from[i];
}

template <class T> __device__ T as_element(double x) { return (T)x; }
template <> __device__ half_bits as_element<half_bits>(double x) {
    half_bits rounded;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded.bits) : "f"((float)x));
    return rounded;
}
// To the nearest, ties to even, as the upper half of a float.
template <> __device__ bfloat16_bits as_element<bfloat16_bits>(double x) {
    const unsigned bits = __float_as_uint((float)x);
    return {(unsigned short)((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16)};
}

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

extern "C" __global__ void optiml_other_bytes(const unsigned char* bytes, unsigned value, unsigned long long count, Result* result) {
    unsigned long long other = 0;
    for (unsigned long long i = index_of_thread(); i < count; i += thread_count()) other += bytes[i] != value;
    if (other) atomicAdd(&result->mismatches, other);
}

__device__ unsigned bytes_set(unsigned long long x) {
    unsigned count = 0;
    for (; x != 0; x >>= 8) count += (x & 255) != 0;
    return count;
}

extern "C" __global__ void optiml_differing_bytes(const unsigned char* a, const unsigned char* b, unsigned long long count, Result* result) {
    const bool aligned = ((unsigned long long)a | (unsigned long long)b) % 16 == 0;
    const unsigned long long pairs = aligned ? count / 16 : 0;
    const ulonglong2 *left = (const ulonglong2*)a, *right = (const ulonglong2*)b;
    unsigned long long other = 0;
    for (unsigned long long i = index_of_thread(); i < pairs; i += thread_count()) {
        const ulonglong2 x = left[i], y = right[i];
        if ((x.x ^ y.x) | (x.y ^ y.y)) other += bytes_set(x.x ^ y.x) + bytes_set(x.y ^ y.y);
    }
    for (unsigned long long i = 16 * pairs + index_of_thread(); i < count; i += thread_count()) other += a[i] != b[i];
    if (other) atomicAdd(&result->mismatches, other);
}
)cuda";

// By ElementType.
constexpr const char* kNames[] = {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "bf16", "f32", "f64"};
constexpr const char* kCudaTypes[] = {"signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long", "unsigned long long",
                                      "half_bits", "bfloat16_bits", "float", "double"};

}  // namespace

const char* name_of(ElementType type) { return kNames[static_cast<int>(type)]; }

std::string helper_kernels_source(const std::set<ElementType>& types) {
    std::string source = kForAnyType;
    for (const ElementType type : types) {
        source += fmt::format("COMPARE({0}, {1})\nFILL({0}, {1})\n", name_of(type), kCudaTypes[static_cast<int>(type)]);
    }
    return source;
}

}  // namespace optiml::gpu
