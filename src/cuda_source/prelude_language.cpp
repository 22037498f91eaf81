#include "cuda_source/prelude_parts.h"

namespace optiml::cuda_source {

// 64-bit types are `long long`, as in the CUDA headers' own typedefs under NVRTC: a second typedef of another type is an error.
const std::string_view nvrtc_text = R"(typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295u
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX ULONG_MAX
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define FLT_MIN 1.17549435e-38f
#define FLT_MAX 3.40282347e+38f
#define FLT_EPSILON 1.19209290e-07f
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#define DBL_EPSILON 2.2204460492503131e-16
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#define HUGE_VALF INFINITY
#define HUGE_VAL __longlong_as_double(0x7ff0000000000000LL)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define CUDART_INF_F INFINITY
#define CUDART_NAN_F NAN
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_PI_F 3.141592654f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_INF HUGE_VAL
#define CUDART_NAN __longlong_as_double(0xfff8000000000000ULL)
#define CUDART_PI M_PI
)";

// NVRTC's view of the CUDA headers (__CUDACC_RTC__ and no host compiler) spares us the host's standard library and makes them parse
// in some 40 ms instead of 1.5 s; clang must not be recognised, since they then expect its own wrapper headers.
const std::string_view keywords_text = R"(
#undef __clang__
#undef __GNUC__
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDA_API_VER_MAJOR__ 13
#define __CUDA_API_VER_MINOR__ 0
#define CUDA_VERSION 13000
#define CUDART_VERSION 13000
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __grid_constant__ __attribute__((grid_constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __nv_pure__ __attribute__((pure))
#define __NV_SILENCE_DEPRECATION_BEGIN
#define __NV_SILENCE_DEPRECATION_END
#define assert(condition) ((condition) ? (void)0 : __assert_fail())
#define NULL 0
#define offsetof(type, member) __builtin_offsetof(type, member)
#define OPTIML_BOTH __attribute__((host)) __attribute__((device))
#define OPTIML_DEVICE __attribute__((device))
typedef unsigned long size_t;
typedef long ptrdiff_t;
typedef long clock_t;
typedef decltype(nullptr) nullptr_t;
typedef __builtin_va_list va_list;
)";

const std::string_view types_text = R"(
#define OPTIML_VECTOR(name, scalar, align2, align4) \
    struct name##1 { scalar x; }; \
    struct alignas(align2) name##2 { scalar x, y; }; \
    struct name##3 { scalar x, y, z; }; \
    struct alignas(align4) name##4 { scalar x, y, z, w; }; \
    OPTIML_BOTH name##1 make_##name##1(scalar x); \
    OPTIML_BOTH name##2 make_##name##2(scalar x, scalar y); \
    OPTIML_BOTH name##3 make_##name##3(scalar x, scalar y, scalar z); \
    OPTIML_BOTH name##4 make_##name##4(scalar x, scalar y, scalar z, scalar w);
OPTIML_VECTOR(char, signed char, 2, 4)
OPTIML_VECTOR(uchar, unsigned char, 2, 4)
OPTIML_VECTOR(short, short, 4, 8)
OPTIML_VECTOR(ushort, unsigned short, 4, 8)
OPTIML_VECTOR(int, int, 8, 16)
OPTIML_VECTOR(uint, unsigned int, 8, 16)
OPTIML_VECTOR(long, long, 16, 16)
OPTIML_VECTOR(ulong, unsigned long, 16, 16)
OPTIML_VECTOR(longlong, long long, 16, 16)
OPTIML_VECTOR(ulonglong, unsigned long long, 16, 16)
OPTIML_VECTOR(float, float, 8, 16)
OPTIML_VECTOR(double, double, 16, 16)
#define OPTIML_ALIGNED_VECTOR(name, scalar) \
    struct alignas(16) name##_16a { scalar x, y, z, w; }; \
    struct alignas(32) name##_32a { scalar x, y, z, w; }; \
    OPTIML_BOTH name##_16a make_##name##_16a(scalar, scalar, scalar, scalar); \
    OPTIML_BOTH name##_32a make_##name##_32a(scalar, scalar, scalar, scalar);
OPTIML_ALIGNED_VECTOR(long4, long)
OPTIML_ALIGNED_VECTOR(ulong4, unsigned long)
OPTIML_ALIGNED_VECTOR(longlong4, long long)
OPTIML_ALIGNED_VECTOR(ulonglong4, unsigned long long)
OPTIML_ALIGNED_VECTOR(double4, double)
struct dim3 {
    unsigned int x, y, z;
    OPTIML_BOTH constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    OPTIML_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    OPTIML_BOTH constexpr operator uint3() const { return uint3{x, y, z}; }
};
extern const OPTIML_DEVICE uint3 threadIdx, blockIdx;
extern const OPTIML_DEVICE dim3 blockDim, gridDim;
extern const OPTIML_DEVICE int warpSize;
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
enum cudaError { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 };
typedef cudaError cudaError_t;
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
extern "C" unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
)";

// Host calls that stand beside kernels in whole programs; they only have to parse.
const std::string_view host_text = R"(
#define OPTIML_HOST_CALL(name) template <class... Arguments> cudaError_t name(Arguments&&...);
OPTIML_HOST_CALL(cudaFree) OPTIML_HOST_CALL(cudaMallocHost) OPTIML_HOST_CALL(cudaFreeHost) OPTIML_HOST_CALL(cudaMallocManaged)
OPTIML_HOST_CALL(cudaMallocAsync) OPTIML_HOST_CALL(cudaFreeAsync) OPTIML_HOST_CALL(cudaMemcpy) OPTIML_HOST_CALL(cudaMemcpyAsync)
OPTIML_HOST_CALL(cudaMemset) OPTIML_HOST_CALL(cudaMemsetAsync) OPTIML_HOST_CALL(cudaMemcpyToSymbol)
OPTIML_HOST_CALL(cudaMemcpyFromSymbol) OPTIML_HOST_CALL(cudaDeviceSynchronize) OPTIML_HOST_CALL(cudaGetLastError)
OPTIML_HOST_CALL(cudaPeekAtLastError) OPTIML_HOST_CALL(cudaSetDevice) OPTIML_HOST_CALL(cudaDeviceReset)
OPTIML_HOST_CALL(cudaEventCreate) OPTIML_HOST_CALL(cudaEventRecord) OPTIML_HOST_CALL(cudaEventSynchronize)
OPTIML_HOST_CALL(cudaEventElapsedTime) OPTIML_HOST_CALL(cudaEventDestroy) OPTIML_HOST_CALL(cudaStreamCreate)
OPTIML_HOST_CALL(cudaStreamSynchronize) OPTIML_HOST_CALL(cudaStreamDestroy) OPTIML_HOST_CALL(cudaFuncSetAttribute)
template <class T> cudaError_t cudaMalloc(T** pointer, size_t bytes);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);
extern "C" {
void exit(int);
int atoi(const char*);
double atof(const char*);
int rand();
void srand(unsigned int);
void* calloc(size_t, size_t);
int puts(const char*);
int fprintf(void*, const char*, ...);
int strcmp(const char*, const char*);
}
extern void *stdin, *stdout, *stderr;
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
)";

}  // namespace optiml::cuda_source
