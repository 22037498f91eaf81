#include "evaluation/device/wider_source.h"

#include <algorithm>
#include <iterator>

namespace optiml::evaluation::device {
namespace {

// A double has other bits at other places: an index made of them would lie anywhere.
constexpr std::string_view kBitwise[] = {"__float_as_", "_as_float", "bit_cast", "union", "memcpy", "asm"};

constexpr std::string_view kTypes = R"cuda(
#define float double
#define float1 double1
#define float2 double2
#define float3 double3
#define float4 double4
#define make_float1 make_double1
#define make_float2 make_double2
#define make_float3 make_double3
#define make_float4 make_double4
#define __ldg(address) (*(address))
#define __ldca(address) (*(address))
#define __ldcg(address) (*(address))
#define __ldcs(address) (*(address))
)cuda";

// Each stands for itself without the f.
constexpr std::string_view kFunctions[] = {
    "acosf", "acoshf", "asinf", "asinhf", "atanf", "atanhf", "cbrtf", "ceilf", "cosf", "coshf", "cospif", "erff",
    "erfcf", "erfcxf", "erfinvf", "erfcinvf", "expf", "exp2f", "exp10f", "expm1f", "fabsf", "floorf",
    "frexpf", "ilogbf", "j0f", "j1f", "ldexpf", "lgammaf", "llrintf", "llroundf", "logf", "log10f", "log1pf", "log2f",
    "logbf", "lrintf", "lroundf", "modff", "nearbyintf", "norm3df", "norm4df", "normcdff", "rcbrtf", "rhypotf",
    "rintf", "roundf", "rsqrtf", "scalbnf", "sincosf", "sincospif", "sinf", "sinhf", "sinpif", "sqrtf", "tanf", "tanhf", "tgammaf",
    "truncf", "y0f", "y1f"};

// Those of several arguments with casts: a double beside a constant of f32 fits no overload.
constexpr std::string_view kIntrinsics = R"cuda(
#define atan2f(x, y) atan2((double)(x), (double)(y))
#define copysignf(x, y) copysign((double)(x), (double)(y))
#define fdimf(x, y) fdim((double)(x), (double)(y))
#define fmaxf(x, y) fmax((double)(x), (double)(y))
#define fminf(x, y) fmin((double)(x), (double)(y))
#define fmodf(x, y) fmod((double)(x), (double)(y))
#define hypotf(x, y) hypot((double)(x), (double)(y))
#define powf(x, y) pow((double)(x), (double)(y))
#define remainderf(x, y) remainder((double)(x), (double)(y))
#define fmaf(x, y, z) fma((double)(x), (double)(y), (double)(z))
#define __expf exp
#define __exp10f exp10
#define __logf log
#define __log2f log2
#define __log10f log10
#define __sinf sin
#define __cosf cos
#define __tanf tan
#define __tanhf tanh
#define __sincosf sincos
#define __powf pow
#define __fdividef(x, y) ((double)(x) / (double)(y))
#define __saturatef(x) fmin(fmax((double)(x), 0.0), 1.0)
#define __fadd_rn __dadd_rn
#define __fsub_rn __dsub_rn
#define __fmul_rn __dmul_rn
#define __fdiv_rn __ddiv_rn
#define __fmaf_rn __fma_rn
#define __fsqrt_rn __dsqrt_rn
#define __frcp_rn __drcp_rn
#define __frsqrt_rn rsqrt
#define __int2float_rn __int2double_rn
#define __uint2float_rn __uint2double_rn
#define __ll2float_rn __ll2double_rn
#define __ull2float_rn __ull2double_rn
#define __float2int_rn __double2int_rn
#define __float2int_rz __double2int_rz
#define __float2int_rd __double2int_rd
#define __float2int_ru __double2int_ru
#define __float2uint_rn __double2uint_rn
#define __float2uint_rz __double2uint_rz
#define __float2uint_rd __double2uint_rd
#define __float2uint_ru __double2uint_ru
)cuda";

std::string macros() {
    std::string text = "\n";
    text += kTypes;
    for (const std::string_view name : kFunctions) {
        text.append("#define ").append(name).append(" ").append(name.substr(0, name.size() - 1)).append("\n");
    }
    text += kIntrinsics;
    return text;
}

// Where the line of the last #include ends: headers would not stand the macros.
std::size_t end_of_includes(std::string_view source) {
    const std::size_t last = source.rfind("#include");
    if (last == std::string_view::npos) return 0;
    const std::size_t end = source.find('\n', last);
    return end == std::string_view::npos ? source.size() : end + 1;
}

}  // namespace

std::optional<std::string> wider_source(std::string_view source) {
    const bool is_bitwise = std::any_of(std::begin(kBitwise), std::end(kBitwise), [&](std::string_view word) { return source.find(word) != std::string_view::npos; });
    if (is_bitwise) return std::nullopt;
    const std::size_t head = end_of_includes(source);
    return std::string(source.substr(0, head)) + macros() + std::string(source.substr(head));
}

}  // namespace optiml::evaluation::device
