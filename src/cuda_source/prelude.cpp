#include "cuda_source/prelude.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace optiml::cuda_source {
namespace {

// 64-bit types are `long long`, as in the CUDA headers' own typedefs under NVRTC: a second typedef of another type is an error.
constexpr std::string_view nvrtc_text = R"(#ifndef OPTIML_PRELUDE
#define OPTIML_PRELUDE
typedef signed char int8_t;
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
#endif
)";

// NVRTC's view of the CUDA headers (__CUDACC_RTC__ and no host compiler) spares us the host's standard library and makes them parse in
// some 40 ms instead of 1.5 s; clang must not be recognised, since they then expect its own wrapper headers.
constexpr std::string_view keywords_text = R"(
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

constexpr std::string_view types_text = R"(
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
constexpr std::string_view host_text = R"(
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

constexpr std::string_view math_text = R"(
#define OPTIML_MATH1(name) \
    extern "C" OPTIML_BOTH double name(double); extern "C" OPTIML_BOTH float name##f(float); OPTIML_BOTH float name(float);
#define OPTIML_MATH2(name) \
    extern "C" OPTIML_BOTH double name(double, double); extern "C" OPTIML_BOTH float name##f(float, float); \
    OPTIML_BOTH float name(float, float);
#define OPTIML_MATH3(name) \
    extern "C" OPTIML_BOTH double name(double, double, double); extern "C" OPTIML_BOTH float name##f(float, float, float); \
    OPTIML_BOTH float name(float, float, float);
#define OPTIML_MATH_TO(result, name) \
    extern "C" OPTIML_BOTH result name(double); extern "C" OPTIML_BOTH result name##f(float); OPTIML_BOTH result name(float);
#define OPTIML_MATH_WITH(second, name) \
    extern "C" OPTIML_BOTH double name(double, second); extern "C" OPTIML_BOTH float name##f(float, second); \
    OPTIML_BOTH float name(float, second);
OPTIML_MATH1(sqrt) OPTIML_MATH1(rsqrt) OPTIML_MATH1(cbrt) OPTIML_MATH1(rcbrt) OPTIML_MATH1(exp) OPTIML_MATH1(exp2) OPTIML_MATH1(exp10)
OPTIML_MATH1(expm1) OPTIML_MATH1(log) OPTIML_MATH1(log2) OPTIML_MATH1(log10) OPTIML_MATH1(log1p) OPTIML_MATH1(logb) OPTIML_MATH1(sin)
OPTIML_MATH1(cos) OPTIML_MATH1(tan) OPTIML_MATH1(asin) OPTIML_MATH1(acos) OPTIML_MATH1(atan) OPTIML_MATH1(sinh) OPTIML_MATH1(cosh)
OPTIML_MATH1(tanh) OPTIML_MATH1(asinh) OPTIML_MATH1(acosh) OPTIML_MATH1(atanh) OPTIML_MATH1(sinpi) OPTIML_MATH1(cospi)
OPTIML_MATH1(erf) OPTIML_MATH1(erfc) OPTIML_MATH1(erfinv) OPTIML_MATH1(erfcinv) OPTIML_MATH1(erfcx) OPTIML_MATH1(normcdf)
OPTIML_MATH1(normcdfinv) OPTIML_MATH1(tgamma) OPTIML_MATH1(lgamma) OPTIML_MATH1(fabs) OPTIML_MATH1(floor) OPTIML_MATH1(ceil)
OPTIML_MATH1(trunc) OPTIML_MATH1(round) OPTIML_MATH1(rint) OPTIML_MATH1(nearbyint) OPTIML_MATH1(j0) OPTIML_MATH1(j1)
OPTIML_MATH1(y0) OPTIML_MATH1(y1) OPTIML_MATH1(cyl_bessel_i0) OPTIML_MATH1(cyl_bessel_i1)
OPTIML_MATH2(pow) OPTIML_MATH2(atan2) OPTIML_MATH2(fmod) OPTIML_MATH2(remainder) OPTIML_MATH2(fmin) OPTIML_MATH2(fmax)
OPTIML_MATH2(fdim) OPTIML_MATH2(hypot) OPTIML_MATH2(rhypot) OPTIML_MATH2(copysign) OPTIML_MATH2(nextafter)
OPTIML_MATH3(fma) OPTIML_MATH3(norm3d) OPTIML_MATH3(rnorm3d)
OPTIML_MATH_TO(int, ilogb) OPTIML_MATH_TO(long, lrint) OPTIML_MATH_TO(long, lround) OPTIML_MATH_TO(long long, llrint)
OPTIML_MATH_TO(long long, llround)
OPTIML_MATH_WITH(int, ldexp) OPTIML_MATH_WITH(int, scalbn) OPTIML_MATH_WITH(long, scalbln) OPTIML_MATH_WITH(int*, frexp)
extern "C" OPTIML_BOTH double modf(double, double*);
extern "C" OPTIML_BOTH float modff(float, float*);
extern "C" OPTIML_BOTH double remquo(double, double, int*);
extern "C" OPTIML_BOTH float remquof(float, float, int*);
extern "C" OPTIML_BOTH double jn(int, double);
extern "C" OPTIML_BOTH float jnf(int, float);
extern "C" OPTIML_BOTH double yn(int, double);
extern "C" OPTIML_BOTH float ynf(int, float);
extern "C" OPTIML_BOTH double norm(int, const double*);
extern "C" OPTIML_BOTH float normf(int, const float*);
extern "C" OPTIML_BOTH double rnorm(int, const double*);
extern "C" OPTIML_BOTH float rnormf(int, const float*);
extern "C" OPTIML_BOTH double norm4d(double, double, double, double);
extern "C" OPTIML_BOTH float norm4df(float, float, float, float);
extern "C" OPTIML_BOTH double rnorm4d(double, double, double, double);
extern "C" OPTIML_BOTH float rnorm4df(float, float, float, float);
extern "C" OPTIML_BOTH double nan(const char*);
extern "C" OPTIML_BOTH float nanf(const char*);
extern "C" OPTIML_BOTH float fdividef(float, float);
extern "C" OPTIML_BOTH void sincos(double, double*, double*);
extern "C" OPTIML_BOTH void sincosf(float, float*, float*);
extern "C" OPTIML_BOTH void sincospi(double, double*, double*);
extern "C" OPTIML_BOTH void sincospif(float, float*, float*);
OPTIML_BOTH void sincos(float, float*, float*);
OPTIML_BOTH bool isnan(float);
OPTIML_BOTH bool isnan(double);
OPTIML_BOTH bool isinf(float);
OPTIML_BOTH bool isinf(double);
OPTIML_BOTH bool isfinite(float);
OPTIML_BOTH bool isfinite(double);
OPTIML_BOTH bool signbit(float);
OPTIML_BOTH bool signbit(double);
extern "C" OPTIML_BOTH int abs(int);
extern "C" OPTIML_BOTH long labs(long);
extern "C" OPTIML_BOTH long long llabs(long long);
OPTIML_BOTH long abs(long);
OPTIML_BOTH long long abs(long long);
OPTIML_BOTH float abs(float);
OPTIML_BOTH double abs(double);
#define OPTIML_MIN_MAX(result, first, second) OPTIML_BOTH result min(first, second); OPTIML_BOTH result max(first, second);
#define OPTIML_MIN_MAX_INTEGER(type) \
    OPTIML_MIN_MAX(type, type, type) OPTIML_MIN_MAX(unsigned type, unsigned type, unsigned type) \
    OPTIML_MIN_MAX(unsigned type, type, unsigned type) OPTIML_MIN_MAX(unsigned type, unsigned type, type)
OPTIML_MIN_MAX_INTEGER(int) OPTIML_MIN_MAX_INTEGER(long) OPTIML_MIN_MAX_INTEGER(long long)
OPTIML_MIN_MAX(float, float, float) OPTIML_MIN_MAX(double, double, double) OPTIML_MIN_MAX(double, float, double)
OPTIML_MIN_MAX(double, double, float)
OPTIML_BOTH unsigned int umin(unsigned int, unsigned int);
OPTIML_BOTH unsigned int umax(unsigned int, unsigned int);
OPTIML_BOTH long long llmin(long long, long long);
OPTIML_BOTH long long llmax(long long, long long);
OPTIML_BOTH unsigned long long ullmin(unsigned long long, unsigned long long);
OPTIML_BOTH unsigned long long ullmax(unsigned long long, unsigned long long);
)";

constexpr std::string_view intrinsics_text = R"(
extern "C" {
#define OPTIML_ROUNDED(call) call(_rn) call(_rz) call(_ru) call(_rd)
#define OPTIML_FLOAT_ARITHMETIC(mode) \
    OPTIML_DEVICE float __fadd##mode(float, float), __fsub##mode(float, float), __fmul##mode(float, float), \
        __fdiv##mode(float, float), __fmaf##mode(float, float, float), __frcp##mode(float), __fsqrt##mode(float), \
        __fmaf_ieee##mode(float, float, float); \
    OPTIML_DEVICE double __dadd##mode(double, double), __dsub##mode(double, double), __dmul##mode(double, double), \
        __ddiv##mode(double, double), __fma##mode(double, double, double), __drcp##mode(double), __dsqrt##mode(double);
OPTIML_ROUNDED(OPTIML_FLOAT_ARITHMETIC)
#define OPTIML_CONVERSIONS(mode) \
    OPTIML_DEVICE int __float2int##mode(float), __double2int##mode(double); \
    OPTIML_DEVICE unsigned int __float2uint##mode(float), __double2uint##mode(double); \
    OPTIML_DEVICE long long __float2ll##mode(float), __double2ll##mode(double); \
    OPTIML_DEVICE unsigned long long __float2ull##mode(float), __double2ull##mode(double); \
    OPTIML_DEVICE float __int2float##mode(int), __uint2float##mode(unsigned int), __ll2float##mode(long long), \
        __ull2float##mode(unsigned long long), __double2float##mode(double); \
    OPTIML_DEVICE double __ll2double##mode(long long), __ull2double##mode(unsigned long long);
OPTIML_ROUNDED(OPTIML_CONVERSIONS)
OPTIML_DEVICE double __int2double_rn(int), __uint2double_rn(unsigned int), __hiloint2double(int, int), __longlong_as_double(long long);
OPTIML_DEVICE int __double2hiint(double), __double2loint(double), __float_as_int(float);
OPTIML_DEVICE unsigned int __float_as_uint(float);
OPTIML_DEVICE long long __double_as_longlong(double);
OPTIML_DEVICE float __int_as_float(int), __uint_as_float(unsigned int);
OPTIML_DEVICE float __expf(float), __exp10f(float), __logf(float), __log2f(float), __log10f(float), __sinf(float), __cosf(float),
    __tanf(float), __tanhf(float), __powf(float, float), __fdividef(float, float), __saturatef(float), __frsqrt_rn(float);
OPTIML_DEVICE void __sincosf(float, float*, float*);
OPTIML_DEVICE int __clz(int), __clzll(long long), __ffs(int), __ffsll(long long), __popc(unsigned int), __popcll(unsigned long long);
OPTIML_DEVICE unsigned int __brev(unsigned int), __byte_perm(unsigned int, unsigned int, unsigned int);
OPTIML_DEVICE unsigned long long __brevll(unsigned long long);
OPTIML_DEVICE int __mul24(int, int), __mulhi(int, int), __hadd(int, int), __rhadd(int, int);
OPTIML_DEVICE unsigned int __umul24(unsigned int, unsigned int), __umulhi(unsigned int, unsigned int), __sad(int, int, unsigned int),
    __usad(unsigned int, unsigned int, unsigned int), __uhadd(unsigned int, unsigned int), __urhadd(unsigned int, unsigned int);
OPTIML_DEVICE long long __mul64hi(long long, long long);
OPTIML_DEVICE unsigned long long __umul64hi(unsigned long long, unsigned long long);
OPTIML_DEVICE unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int), __funnelshift_r(unsigned int, unsigned int, unsigned int),
    __funnelshift_lc(unsigned int, unsigned int, unsigned int), __funnelshift_rc(unsigned int, unsigned int, unsigned int);
OPTIML_DEVICE unsigned int __fns(unsigned int, unsigned int, int);
OPTIML_DEVICE void __syncthreads(), __threadfence(), __threadfence_block(), __threadfence_system(), __trap(), __brkpt(),
    __nanosleep(unsigned int), __prof_trigger(int), __barrier_sync(unsigned int), __barrier_sync_count(unsigned int, unsigned int);
OPTIML_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu);
OPTIML_DEVICE int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);
OPTIML_DEVICE int __all_sync(unsigned int, int), __any_sync(unsigned int, int), __uni_sync(unsigned int, int);
OPTIML_DEVICE unsigned int __ballot_sync(unsigned int, int), __activemask();
OPTIML_DEVICE unsigned int __isClusterShared(const void*), __isCtaShared(const void*), __isGridConstant(const void*),
    __cluster_query_shared_rank(const void*), __clusterRelativeBlockRank(), __clusterSizeInBlocks(), __clusterDimIsSpecified();
OPTIML_DEVICE dim3 __clusterDim(), __clusterRelativeBlockIdx(), __clusterGridDimInClusters(), __clusterIdx();
OPTIML_DEVICE void* __cluster_map_shared_rank(const void*, unsigned int);
OPTIML_DEVICE void __cluster_barrier_arrive(), __cluster_barrier_arrive_relaxed(), __cluster_barrier_wait(), __threadfence_cluster();
OPTIML_DEVICE unsigned int __isGlobal(const void*), __isShared(const void*), __isConstant(const void*), __isLocal(const void*);
OPTIML_DEVICE size_t __cvta_generic_to_shared(const void*), __cvta_generic_to_global(const void*), __cvta_generic_to_local(const void*),
    __cvta_generic_to_constant(const void*);
OPTIML_DEVICE void *__cvta_shared_to_generic(size_t), *__cvta_global_to_generic(size_t), *__cvta_local_to_generic(size_t),
    *__cvta_constant_to_generic(size_t);
OPTIML_DEVICE clock_t clock();
OPTIML_DEVICE long long clock64();
OPTIML_BOTH int printf(const char*, ...);
OPTIML_BOTH void* malloc(size_t);
OPTIML_BOTH void free(void*);
OPTIML_BOTH void* memcpy(void*, const void*, size_t);
OPTIML_BOTH void* memset(void*, int, size_t);
OPTIML_BOTH void __assert_fail();
#define OPTIML_SIMD(size) \
    OPTIML_DEVICE unsigned int __vabs##size(unsigned int), __vabsss##size(unsigned int), __vneg##size(unsigned int), \
        __vnegss##size(unsigned int), __vadd##size(unsigned int, unsigned int), __vsub##size(unsigned int, unsigned int), \
        __vaddss##size(unsigned int, unsigned int), __vaddus##size(unsigned int, unsigned int), \
        __vsubss##size(unsigned int, unsigned int), __vsubus##size(unsigned int, unsigned int), \
        __vavgs##size(unsigned int, unsigned int), __vavgu##size(unsigned int, unsigned int), \
        __vhaddu##size(unsigned int, unsigned int), __vabsdiffs##size(unsigned int, unsigned int), \
        __vabsdiffu##size(unsigned int, unsigned int), __vsads##size(unsigned int, unsigned int), \
        __vsadu##size(unsigned int, unsigned int), __vmaxs##size(unsigned int, unsigned int), \
        __vmaxu##size(unsigned int, unsigned int), __vmins##size(unsigned int, unsigned int), \
        __vminu##size(unsigned int, unsigned int); \
    OPTIML_SIMD_COMPARE(__vcmp, size) OPTIML_SIMD_COMPARE(__vset, size)
#define OPTIML_SIMD_COMPARE(prefix, size) \
    OPTIML_DEVICE unsigned int prefix##eq##size(unsigned int, unsigned int), prefix##ne##size(unsigned int, unsigned int), \
        prefix##ges##size(unsigned int, unsigned int), prefix##geu##size(unsigned int, unsigned int), \
        prefix##gts##size(unsigned int, unsigned int), prefix##gtu##size(unsigned int, unsigned int), \
        prefix##les##size(unsigned int, unsigned int), prefix##leu##size(unsigned int, unsigned int), \
        prefix##lts##size(unsigned int, unsigned int), prefix##ltu##size(unsigned int, unsigned int);
OPTIML_SIMD(2) OPTIML_SIMD(4)
}
OPTIML_BOTH void* operator new(size_t, void*) noexcept;
OPTIML_DEVICE int __dp4a(int, int, int), __dp4a(char4, char4, int), __dp2a_lo(int, int, int), __dp2a_hi(int, int, int),
    __dp2a_lo(short2, char4, int), __dp2a_hi(short2, char4, int);
OPTIML_DEVICE unsigned int __dp4a(unsigned int, unsigned int, unsigned int), __dp4a(uchar4, uchar4, unsigned int),
    __dp2a_lo(unsigned int, unsigned int, unsigned int), __dp2a_hi(unsigned int, unsigned int, unsigned int),
    __dp2a_lo(ushort2, uchar4, unsigned int), __dp2a_hi(ushort2, uchar4, unsigned int);
template <class Result, class T> OPTIML_DEVICE Result tex1Dfetch(cudaTextureObject_t, T);
template <class Result> OPTIML_DEVICE Result tex1D(cudaTextureObject_t, float);
template <class Result> OPTIML_DEVICE Result tex2D(cudaTextureObject_t, float, float);
template <class Result> OPTIML_DEVICE Result tex3D(cudaTextureObject_t, float, float, float);
)";

constexpr std::string_view memory_text = R"(
#define OPTIML_CACHED(type) \
    OPTIML_DEVICE type __ldg(const type*), __ldcg(const type*), __ldca(const type*), __ldcs(const type*), __ldlu(const type*), \
        __ldcv(const type*); \
    OPTIML_DEVICE void __stwb(type*, type), __stcg(type*, type), __stcs(type*, type), __stwt(type*, type);
OPTIML_CACHED(char) OPTIML_CACHED(signed char) OPTIML_CACHED(unsigned char) OPTIML_CACHED(short) OPTIML_CACHED(unsigned short)
OPTIML_CACHED(int) OPTIML_CACHED(unsigned int) OPTIML_CACHED(long) OPTIML_CACHED(unsigned long) OPTIML_CACHED(long long)
OPTIML_CACHED(unsigned long long) OPTIML_CACHED(float) OPTIML_CACHED(double) OPTIML_CACHED(char2) OPTIML_CACHED(char4)
OPTIML_CACHED(uchar2) OPTIML_CACHED(uchar4) OPTIML_CACHED(short2) OPTIML_CACHED(short4) OPTIML_CACHED(ushort2) OPTIML_CACHED(ushort4)
OPTIML_CACHED(int2) OPTIML_CACHED(int4) OPTIML_CACHED(uint2) OPTIML_CACHED(uint4) OPTIML_CACHED(longlong2) OPTIML_CACHED(ulonglong2)
OPTIML_CACHED(float2) OPTIML_CACHED(float4) OPTIML_CACHED(double2)
#define OPTIML_ATOMIC(name, type) OPTIML_DEVICE type name(type*, type), name##_block(type*, type), name##_system(type*, type);
#define OPTIML_ATOMIC_INTEGER(type) \
    OPTIML_ATOMIC(atomicAdd, type) OPTIML_ATOMIC(atomicExch, type) OPTIML_ATOMIC(atomicMin, type) OPTIML_ATOMIC(atomicMax, type) \
    OPTIML_ATOMIC(atomicAnd, type) OPTIML_ATOMIC(atomicOr, type) OPTIML_ATOMIC(atomicXor, type)
#define OPTIML_ATOMIC_CAS(type) \
    OPTIML_DEVICE type atomicCAS(type*, type, type), atomicCAS_block(type*, type, type), atomicCAS_system(type*, type, type);
OPTIML_ATOMIC_INTEGER(int) OPTIML_ATOMIC_INTEGER(unsigned int) OPTIML_ATOMIC_INTEGER(unsigned long long)
OPTIML_ATOMIC(atomicSub, int) OPTIML_ATOMIC(atomicSub, unsigned int) OPTIML_ATOMIC(atomicInc, unsigned int)
OPTIML_ATOMIC(atomicDec, unsigned int) OPTIML_ATOMIC(atomicMin, long long) OPTIML_ATOMIC(atomicMax, long long)
OPTIML_ATOMIC(atomicAnd, long long) OPTIML_ATOMIC(atomicOr, long long) OPTIML_ATOMIC(atomicXor, long long)
OPTIML_ATOMIC(atomicAdd, float) OPTIML_ATOMIC(atomicAdd, double) OPTIML_ATOMIC(atomicExch, float) OPTIML_ATOMIC(atomicAdd, float2)
OPTIML_ATOMIC(atomicAdd, float4)
OPTIML_ATOMIC_CAS(int) OPTIML_ATOMIC_CAS(unsigned int) OPTIML_ATOMIC_CAS(unsigned long long) OPTIML_ATOMIC_CAS(unsigned short)
#define OPTIML_WARP(type) \
    OPTIML_DEVICE type __shfl_sync(unsigned int mask, type, int, int = 32), __shfl_up_sync(unsigned int mask, type, unsigned int, int = 32), \
        __shfl_down_sync(unsigned int mask, type, unsigned int, int = 32), __shfl_xor_sync(unsigned int mask, type, int, int = 32); \
    OPTIML_DEVICE unsigned int __match_any_sync(unsigned int mask, type), __match_all_sync(unsigned int mask, type, int*);
OPTIML_WARP(int) OPTIML_WARP(unsigned int) OPTIML_WARP(long) OPTIML_WARP(unsigned long) OPTIML_WARP(long long)
OPTIML_WARP(unsigned long long) OPTIML_WARP(float) OPTIML_WARP(double)
#define OPTIML_REDUCE(type) \
    OPTIML_DEVICE type __reduce_add_sync(unsigned int mask, type), __reduce_min_sync(unsigned int mask, type), \
        __reduce_max_sync(unsigned int mask, type);
OPTIML_REDUCE(int) OPTIML_REDUCE(unsigned int)
OPTIML_DEVICE unsigned int __reduce_and_sync(unsigned int, unsigned int), __reduce_or_sync(unsigned int, unsigned int),
    __reduce_xor_sync(unsigned int, unsigned int);
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10;
using ::log1p; using ::pow; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh;
using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::fmod; using ::fma;
using ::fmin; using ::fmax; using ::hypot; using ::erf; using ::erfc; using ::isnan; using ::isinf; using ::isfinite;
using ::size_t; using ::ptrdiff_t; using ::nullptr_t; using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t;
using ::uint32_t; using ::int64_t; using ::uint64_t;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> OPTIML_BOTH constexpr typename remove_reference<T>::type&& move(T&& value) {
    return static_cast<typename remove_reference<T>::type&&>(value);
}
template <class T> OPTIML_BOTH constexpr T&& forward(typename remove_reference<T>::type& value) { return static_cast<T&&>(value); }
template <class E> class initializer_list {
    const E* first_;
    size_t size_;
public:
    OPTIML_BOTH constexpr initializer_list() : first_(nullptr), size_(0) {}
    OPTIML_BOTH constexpr size_t size() const { return size_; }
    OPTIML_BOTH constexpr const E* begin() const { return first_; }
    OPTIML_BOTH constexpr const E* end() const { return first_ + size_; }
};
template <class T> OPTIML_BOTH constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> OPTIML_BOTH constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
}
#if __has_include(<nv/target>)
#include <nv/target>
#endif
)";

std::string join_clang_prelude() {
    std::string text = "#pragma GCC system_header\n";
    for (const std::string_view part :
         {keywords_text, types_text, nvrtc_text, math_text, intrinsics_text, memory_text, host_text}) {
        text += part;
    }
    return text;
}

constexpr std::string_view covered_headers[] = {
    "algorithm",  "array",         "assert.h",       "cassert",      "cfloat",        "chrono",
    "climits",    "cmath",         "cstddef",        "cstdint",      "cstdio",        "cstdlib",
    "cstring",    "cuda.h",        "cuda_runtime.h", "cuda_runtime_api.h", "device_launch_parameters.h", "cuda_device_runtime_api.h",
    "float.h",    "fstream",       "functional",     "iomanip",      "iostream",      "limits",
    "limits.h",   "math.h",        "math_constants.h", "memory",     "numeric",       "random",
    "sstream",    "stdbool.h",     "stddef.h",       "stdexcept",    "stdint.h",      "stdio.h",
    "stdlib.h",   "string",        "string.h",       "time.h",       "tuple",         "type_traits",
    "utility",    "vector",        "vector_functions.h", "vector_types.h", "sys/time.h", "ctime",
};

}  // namespace

std::string_view nvrtc_prelude() { return nvrtc_text; }

std::string_view clang_prelude() {
    static const std::string text = join_clang_prelude();
    return text;
}

bool is_covered_header(std::string_view name) {
    return std::find(std::begin(covered_headers), std::end(covered_headers), name) != std::end(covered_headers);
}

}  // namespace optiml::cuda_source
