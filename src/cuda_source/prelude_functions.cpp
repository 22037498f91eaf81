#include "cuda_source/prelude_parts.h"

namespace optiml::cuda_source {

const std::string_view math_text = R"(
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
OPTIML_MATH1(sqrt) OPTIML_MATH1(rsqrt) OPTIML_MATH1(cbrt) OPTIML_MATH1(rcbrt) OPTIML_MATH1(exp) OPTIML_MATH1(exp2)
OPTIML_MATH1(exp10)
OPTIML_MATH1(expm1) OPTIML_MATH1(log) OPTIML_MATH1(log2) OPTIML_MATH1(log10) OPTIML_MATH1(log1p) OPTIML_MATH1(logb)
OPTIML_MATH1(sin)
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

const std::string_view intrinsics_text = R"(
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
OPTIML_DEVICE double __int2double_rn(int), __uint2double_rn(unsigned int), __hiloint2double(int, int),
    __longlong_as_double(long long);
OPTIML_DEVICE int __double2hiint(double), __double2loint(double), __float_as_int(float);
OPTIML_DEVICE unsigned int __float_as_uint(float);
OPTIML_DEVICE long long __double_as_longlong(double);
OPTIML_DEVICE float __int_as_float(int), __uint_as_float(unsigned int);
OPTIML_DEVICE float __expf(float), __exp10f(float), __logf(float), __log2f(float), __log10f(float), __sinf(float), __cosf(float),
    __tanf(float), __tanhf(float), __powf(float, float), __fdividef(float, float), __saturatef(float), __frsqrt_rn(float);
OPTIML_DEVICE void __sincosf(float, float*, float*);
OPTIML_DEVICE int __clz(int), __clzll(long long), __ffs(int), __ffsll(long long), __popc(unsigned int),
    __popcll(unsigned long long);
OPTIML_DEVICE unsigned int __brev(unsigned int), __byte_perm(unsigned int, unsigned int, unsigned int);
OPTIML_DEVICE unsigned long long __brevll(unsigned long long);
OPTIML_DEVICE int __mul24(int, int), __mulhi(int, int), __hadd(int, int), __rhadd(int, int);
OPTIML_DEVICE unsigned int __umul24(unsigned int, unsigned int), __umulhi(unsigned int, unsigned int), __sad(int, int,
    unsigned int),
    __usad(unsigned int, unsigned int, unsigned int), __uhadd(unsigned int, unsigned int), __urhadd(unsigned int, unsigned int);
OPTIML_DEVICE long long __mul64hi(long long, long long);
OPTIML_DEVICE unsigned long long __umul64hi(unsigned long long, unsigned long long);
OPTIML_DEVICE unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int), __funnelshift_r(unsigned int,
    unsigned int, unsigned int),
    __funnelshift_lc(unsigned int, unsigned int, unsigned int), __funnelshift_rc(unsigned int, unsigned int, unsigned int);
OPTIML_DEVICE unsigned int __fns(unsigned int, unsigned int, int);
OPTIML_DEVICE void __syncthreads(), __threadfence(), __threadfence_block(), __threadfence_system(), __trap(), __brkpt(),
    __nanosleep(unsigned int), __prof_trigger(int), __barrier_sync(unsigned int), __barrier_sync_count(unsigned int,
    unsigned int);
OPTIML_DEVICE void __syncwarp(unsigned int mask = 0xffffffffu);
OPTIML_DEVICE int __syncthreads_count(int), __syncthreads_and(int), __syncthreads_or(int);
OPTIML_DEVICE int __all_sync(unsigned int, int), __any_sync(unsigned int, int), __uni_sync(unsigned int, int);
OPTIML_DEVICE unsigned int __ballot_sync(unsigned int, int), __activemask();
OPTIML_DEVICE unsigned int __isClusterShared(const void*), __isCtaShared(const void*), __isGridConstant(const void*),
    __cluster_query_shared_rank(const void*), __clusterRelativeBlockRank(), __clusterSizeInBlocks(), __clusterDimIsSpecified();
OPTIML_DEVICE dim3 __clusterDim(), __clusterRelativeBlockIdx(), __clusterGridDimInClusters(), __clusterIdx();
OPTIML_DEVICE void* __cluster_map_shared_rank(const void*, unsigned int);
OPTIML_DEVICE void __cluster_barrier_arrive(), __cluster_barrier_arrive_relaxed(), __cluster_barrier_wait(),
    __threadfence_cluster();
OPTIML_DEVICE unsigned int __isGlobal(const void*), __isShared(const void*), __isConstant(const void*), __isLocal(const void*);
OPTIML_DEVICE size_t __cvta_generic_to_shared(const void*), __cvta_generic_to_global(const void*),
    __cvta_generic_to_local(const void*),
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
#define OPTIML_FETCH(name, ...) \
    template <class Result> OPTIML_DEVICE Result name(cudaTextureObject_t, __VA_ARGS__); \
    template <class Result> OPTIML_DEVICE void name(Result*, cudaTextureObject_t, __VA_ARGS__);
OPTIML_FETCH(tex1D, float) OPTIML_FETCH(tex1DLod, float, float) OPTIML_FETCH(tex1DGrad, float, float, float)
OPTIML_FETCH(tex1DLayered, float, int) OPTIML_FETCH(tex1DLayeredLod, float, int, float)
OPTIML_FETCH(tex2D, float, float) OPTIML_FETCH(tex2DLod, float, float, float) OPTIML_FETCH(tex2DGrad, float, float, float2, float2)
OPTIML_FETCH(tex2DLayered, float, float, int) OPTIML_FETCH(tex2DLayeredLod, float, float, int, float)
OPTIML_FETCH(tex2Dgather, float, float, int component = 0)
OPTIML_FETCH(tex3D, float, float, float) OPTIML_FETCH(tex3DLod, float, float, float, float)
OPTIML_FETCH(tex3DGrad, float, float, float, float4, float4)
OPTIML_FETCH(texCubemap, float, float, float) OPTIML_FETCH(texCubemapLod, float, float, float, float)
OPTIML_FETCH(texCubemapLayered, float, float, float, int) OPTIML_FETCH(texCubemapLayeredLod, float, float, float, int, float)
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
#define OPTIML_SURFACE(name, ...) \
    template <class Texel> OPTIML_DEVICE Texel name##read(cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap); \
    template <class Texel> OPTIML_DEVICE void name##read(Texel*, cudaSurfaceObject_t, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap); \
    template <class Texel> OPTIML_DEVICE void name##write(Texel, cudaSurfaceObject_t, __VA_ARGS__, \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap);
OPTIML_SURFACE(surf1D, int) OPTIML_SURFACE(surf2D, int, int) OPTIML_SURFACE(surf3D, int, int, int)
OPTIML_SURFACE(surf1DLayered, int, int) OPTIML_SURFACE(surf2DLayered, int, int, int)
)";

const std::string_view memory_text = R"(
#define OPTIML_CACHED(type) \
    OPTIML_DEVICE type __ldg(const type*), __ldcg(const type*), __ldca(const type*), __ldcs(const type*), __ldlu(const type*), \
        __ldcv(const type*); \
    OPTIML_DEVICE void __stwb(type*, type), __stcg(type*, type), __stcs(type*, type), __stwt(type*, type);
OPTIML_CACHED(char) OPTIML_CACHED(signed char) OPTIML_CACHED(unsigned char) OPTIML_CACHED(short) OPTIML_CACHED(unsigned short)
OPTIML_CACHED(int) OPTIML_CACHED(unsigned int) OPTIML_CACHED(long) OPTIML_CACHED(unsigned long) OPTIML_CACHED(long long)
OPTIML_CACHED(unsigned long long) OPTIML_CACHED(float) OPTIML_CACHED(double) OPTIML_CACHED(char2) OPTIML_CACHED(char4)
OPTIML_CACHED(uchar2) OPTIML_CACHED(uchar4) OPTIML_CACHED(short2) OPTIML_CACHED(short4) OPTIML_CACHED(ushort2)
OPTIML_CACHED(ushort4)
OPTIML_CACHED(int2) OPTIML_CACHED(int4) OPTIML_CACHED(uint2) OPTIML_CACHED(uint4) OPTIML_CACHED(longlong2)
OPTIML_CACHED(ulonglong2)
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
    OPTIML_DEVICE type __shfl_sync(unsigned int mask, type, int, int = 32), __shfl_up_sync(unsigned int mask, type, \
    unsigned int, int = 32), \
        __shfl_down_sync(unsigned int mask, type, unsigned int, int = 32), __shfl_xor_sync(unsigned int mask, type, int, \
        int = 32); \
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
using ::size_t; using ::ptrdiff_t; using ::nullptr_t;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> OPTIML_BOTH constexpr typename remove_reference<T>::type&& move(T&& value) {
    return static_cast<typename remove_reference<T>::type&&>(value);
}
template <class T> OPTIML_BOTH constexpr T&& forward(typename remove_reference<T>::type& value)
    { return static_cast<T&&>(value); }
template <class E> class initializer_list {
    const E* first_;
    size_t size_;
public:
    OPTIML_BOTH constexpr initializer_list() : first_(nullptr), size_(0) {}
    OPTIML_BOTH constexpr size_t size() const { return size_; }
    OPTIML_BOTH constexpr const E* begin() const { return first_; }
    OPTIML_BOTH constexpr const E* end() const { return first_ + size_; }
};
}
#if __has_include(<nv/target>)
#include <nv/target>
#endif
)";

const std::string_view std_text = R"(namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::exp; using ::exp2; using ::expm1; using ::log;
using ::log2; using ::log10;
using ::log1p; using ::pow; using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::atan2; using ::sinh;
using ::cosh; using ::tanh; using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::fmod; using ::fma;
using ::fmin; using ::fmax; using ::hypot; using ::erf; using ::erfc; using ::isnan; using ::isinf; using ::isfinite;
using ::int8_t; using ::uint8_t; using ::int16_t; using ::uint16_t; using ::int32_t;
using ::uint32_t; using ::int64_t; using ::uint64_t;
template <class T> __host__ __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __host__ __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
}
)";

}  // namespace optiml::cuda_source
