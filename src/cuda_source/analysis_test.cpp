#include "cuda_source/analysis.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

using testing::expression_at;
using testing::only_kernel;
using testing::parsed;

std::string written(const SourceFile& source, const Symbol& symbol) {
    static constexpr const char* builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"};
    switch (symbol.kind) {
        case Symbol::Kind::builtin:
            return fmt::format("{}.{}", builtins[static_cast<int>(symbol.builtin)], "xyz"[symbol.axis]);
        case Symbol::Kind::variable:
            return source.variables[symbol.variable].name;
        case Symbol::Kind::opaque:
            return fmt::format("[{}]", source.text_of(symbol.expression));
    }
    return "";
}

// "2*n*threadIdx.x + 1", terms sorted by their text.
std::string written(const SourceFile& source, const Polynomial& polynomial) {
    std::vector<std::string> terms;
    for (const auto& [product, coefficient] : polynomial.terms) {
        std::vector<std::string> factors;
        for (const Symbol& symbol : product) factors.push_back(written(source, symbol));
        std::sort(factors.begin(), factors.end());
        std::string term = coefficient == 1 && !factors.empty() ? "" : fmt::format("{}", coefficient);
        for (const std::string& factor : factors) term += (term.empty() ? "" : "*") + factor;
        terms.push_back(term);
    }
    std::sort(terms.begin(), terms.end());
    std::string text;
    for (const std::string& term : terms) text += (text.empty() ? "" : " + ") + term;
    return text.empty() ? "0" : text;
}

std::string kernel_with(const std::string& body) {
    return "__device__ float total;\n__constant__ float table[64];\n"
           "__global__ void f(const float* x, float* y, int n, int m, const int* idx) {\n" +
           body + "\n}\n";
}

TEST(Polynomial, Algebra) {
    const Polynomial a(Symbol::of_variable(1)), b(Symbol::of_variable(2));
    EXPECT_EQ((a + b) * (a - b), a * a - b * b);
    EXPECT_EQ(a - a, Polynomial());
    EXPECT_TRUE((a - a + Polynomial(3)).is_constant());
    EXPECT_EQ(((a + Polynomial(2)) * b).coefficient_of(Symbol::of_variable(1)), b);
    EXPECT_EQ((a * a).coefficient_of(Symbol::of_variable(1)), std::nullopt);
    EXPECT_EQ((a * b + b + Polynomial(1)).without(Symbol::of_variable(1)), b + Polynomial(1));
    EXPECT_TRUE((a * b).depends_on(Symbol::of_variable(2)));
}

TEST(Polynomial, OverflowIsInvalidAndStaysSo) {
    const Polynomial a(Symbol::of_variable(1)), huge(INT64_MAX);
    EXPECT_FALSE((huge + Polynomial(1)).is_valid());
    EXPECT_FALSE((huge * Polynomial(2) * Polynomial(0)).is_valid());
    const Polynomial bad = huge * a * Polynomial(2);
    EXPECT_FALSE((bad - bad).is_valid());
    EXPECT_NE(bad, bad);
    Polynomial power = a;
    for (int i = 0; i < 20; ++i) power = power * a;
    EXPECT_FALSE(power.is_valid());
}

struct ValueCase {
    const char* body;
    const char* expression;
    const char* value;
};
class Value : public ::testing::TestWithParam<ValueCase> {};

TEST_P(Value, IsAPolynomial) {
    const SourceFile source = parsed(kernel_with(GetParam().body));
    const ExpressionId expression = expression_at(source, GetParam().expression);
    EXPECT_EQ(written(source, polynomial_of(source, only_kernel(source), expression)), GetParam().value);
}

const ValueCase value_cases[] = {
    {"int i = blockIdx.x * blockDim.x + threadIdx.x; y[i + 1] = 0;", "i + 1", "1 + blockDim.x*blockIdx.x + threadIdx.x"},
    {"int r = threadIdx.y; int o = r * n; y[o + r] = 0;", "o + r", "n*threadIdx.y + threadIdx.y"},
    {"int i; i = threadIdx.x; y[i * 2] = 0;", "i * 2", "2*threadIdx.x"},
    {"int i; if (n) i = 1; y[i * 2] = 0;", "i * 2", "2*[i]"},
    {"int i = 0; i += n; y[i * 2] = 0;", "i * 2", "2*[i]"},
    {"for (int k = 0; k < n; ++k) y[k * m] = 0;", "k * m", "k*m"},
    {"for (int k = 0; k < n; ++k) { y[k * m] = 0; ++k; }", "k * m", "[k]*m"},
    {"int k; for (k = 0; k < n; ++k) y[k * m] = 0; y[k + 2] = 1;", "k + 2", "2 + [k]"},
    {"int k; for (k = 0; k < n; ++k) y[k + 2] = 0;", "k + 2", "2 + k"},
    {"y[(n << 3) - -m] = 0;", "(n << 3) - -m", "8*n + m"},
    {"const int W = 4; y[W * W * n] = 0;", "W * W * n", "16*n"},
    {"size_t i = (size_t)n * m; y[i] = 0;", "i", "m*n"},
    {"unsigned char c = n; y[c + 1] = 0;", "c + 1", "1 + [n]"},
    {"y[n / 4 + n / 4] = 0;", "n / 4 + n / 4", "2*[n / 4]"},
    {"int q = threadIdx.x >> 5; y[q - (threadIdx.x >> 5)] = 0;", "q - (threadIdx.x >> 5)", "0"},
    {"y[n % m] = 0;", "n % m", "[n % m]"},
    {"y[idx[n] + idx[n]] = 0;", "idx[n] + idx[n]", "[idx[n]] + [idx[n]]"},
    {"y[warpSize * n] = 0;", "warpSize * n", "32*n"},
    {"n = n + 1; y[n * m] = 0;", "n * m", "[n]*m"},
    {"int* p = &n; *p = 3; y[n * m] = 0;", "n * m", "[n]*m"},
    {"int i = n; int j = i; int k = j; y[k] = 0;", "k", "n"},
    {"y[true ? n : m] = 0;", "true ? n : m", "[true ? n : m]"},
};
INSTANTIATE_TEST_SUITE_P(Table, Value, ::testing::ValuesIn(value_cases));

// "reads x[...]" lines of all accesses, in order.
std::vector<std::string> accesses_of(const SourceFile& source, const KernelFacts& facts) {
    std::vector<std::string> lines;
    for (const Access& access : facts.accesses) {
        std::string line = access.atomic                   ? "atomic "
                           : access.reads && access.writes ? "updates "
                           : access.reads                  ? "reads "
                                                           : "writes ";
        line += access.base == none ? "?" : source.variables[access.base].name;
        line += access.index_known ? fmt::format("[{}]", written(source, access.index)) : "[?]";
        if (access.elements != 1) line += fmt::format(" x{}", access.elements);
        if (!access.loops.empty()) line += fmt::format(" loops {}", access.loops.size());
        for (std::size_t i = 0; i < access.conditions.size(); ++i) {
            line += fmt::format(" {}({})", access.negated[i] ? "not " : "if ", source.text_of(access.conditions[i]));
        }
        lines.push_back(line);
    }
    return lines;
}

struct AccessCase {
    const char* name;
    const char* body;
    std::vector<std::string> accesses;
};
class Accesses : public ::testing::TestWithParam<AccessCase> {};

TEST_P(Accesses, InProgramOrder) {
    const SourceFile source = parsed(kernel_with(GetParam().body));
    EXPECT_EQ(accesses_of(source, analyze(source, only_kernel(source))), GetParam().accesses) << GetParam().name;
}

const AccessCase access_cases[] = {
    {"read before write", "y[n] = x[m];", {"reads x[m]", "writes y[n]"}},
    {"compound assignment updates", "y[n] += x[m]; y[0]++;", {"reads x[m]", "updates y[n]", "updates y[0]"}},
    {"dereference", "*y = *(x + n);", {"reads x[n]", "writes y[0]"}},
    {"derived pointers", "const float* p = x + n * m; const float* q = &p[2]; y[0] = q[1];", {"reads x[3 + m*n]", "writes y[0]"}},
    {"pointers going down", "const float* p = x + n; y[0] = *(p - m);", {"reads x[-1*m + n]", "writes y[0]"}},
    {"references", "float& r = y[n]; r = x[0];", {"reads x[0]", "writes y[n]"}},
    {"vectors through casts",
     "float4 v = *reinterpret_cast<const float4*>(&x[4 * n]); ((float2*)y)[m] = make_float2(v.x, v.y);",
     {"reads x[4*n] x4", "writes y[2*m] x2"}},
    {"a walking pointer has no index",
     "const float* p = x; for (int i = 0; i < n; ++i) y[i] = *p++;",
     {"reads x[?] loops 1", "writes y[i] loops 1"}},
    {"a pointer of two origins has no base", "const float* p = n ? x : y; y[0] = p[1];", {"reads ?[?]", "writes y[0]"}},
    {"data-dependent index", "y[idx[n]] = 0;", {"reads idx[n]", "writes y[?]"}},
    {"arrays of arrays",
     "__shared__ float t[4][8]; t[n][m] = 1; y[0] = t[1][2];",
     {"writes t[8*n + m]", "reads t[10]", "writes y[0]"}},
    {"rows of arrays", "__shared__ float t[4][8]; float* row = t[n]; row[m] = 1;", {"writes t[8*n + m]"}},
    {"scalars in device memory", "total = total + table[3];", {"reads total[0]", "reads table[3]", "writes total[0]"}},
    {"a shared scalar", "__shared__ float s; s = 1; __syncthreads(); y[0] = s;", {"writes s[0]", "reads s[0]", "writes y[0]"}},
    {"private scalars are no accesses", "float a = 1; a += n; y[0] = a;", {"writes y[0]"}},
    {"atomics", "atomicAdd(&y[n], x[0]); atomicMax((int*)y + m, 3);", {"reads x[0]", "atomic y[n]", "atomic y[m]"}},
    {"read-only loads and cached stores", "__stcs(&y[n], __ldg(&x[m]));", {"reads x[m]", "writes y[n]"}},
    {"loops and conditions",
     "for (int i = 0; i < n; ++i) if (i > m) y[i] = x[i]; else y[0] = 1;",
     {"reads x[i] loops 1 if (i > m)", "writes y[i] loops 1 if (i > m)", "writes y[0] loops 1 not (i > m)"}},
    {"early return", "int i = threadIdx.x; if (i >= n) return; y[i] = 0;", {"writes y[threadIdx.x] not (i >= n)"}},
    {"continue",
     "for (int i = 0; i < n; ++i) { if (i == m) continue; y[i] = 0; } y[0] = 1;",
     {"writes y[i] loops 1 not (i == m)", "writes y[0]"}},
    {"conditional expressions and short circuits",
     "y[0] = n < m ? x[n] : 0; if (n > 0 && x[n - 1] > 0) y[1] = 0;",
     {"reads x[n] if (n < m)", "writes y[0]", "reads x[-1 + n] if (n > 0)", "writes y[1] if (n > 0 && x[n - 1] > 0)"}},
    {"an address is no access", "const float* p = &x[n]; y[0] = 0;", {"writes y[0]"}},
    {"sizeof reads nothing", "y[0] = sizeof(x[n]);", {"writes y[0]"}},
};
INSTANTIATE_TEST_SUITE_P(Table, Accesses, ::testing::ValuesIn(access_cases));

TEST(Accesses, SubscriptsOfArraysOfArrays) {
    const SourceFile source = parsed(kernel_with("__shared__ float t[4][8]; t[n][m + 1] = 1;"));
    const KernelFacts facts = analyze(source, only_kernel(source));
    ASSERT_EQ(facts.accesses[0].subscripts.size(), 2u);
    EXPECT_EQ(written(source, facts.accesses[0].subscripts[0]), "n");
    EXPECT_EQ(written(source, facts.accesses[0].subscripts[1]), "1 + m");
}

TEST(Accesses, GoThroughDeviceFunctions) {
    const SourceFile source = parsed(R"(__device__ float sums[4];
__device__ void inner(float* p, const float* q) { p[0] = q[1]; sums[0] = 1; __syncthreads(); }
__device__ void outer(float* p, const float* q) { inner(p, q); }
__device__ float pure(const float* q) { return q[2]; }
__global__ void f(float* a, const float* b, float* c) { outer(a + 1, b); c[0] = pure(b); }
)");
    const KernelFacts facts = analyze(source, only_kernel(source));
    EXPECT_EQ(accesses_of(source, facts),
              (std::vector<std::string>{"writes a[?]", "reads b[?]", "writes sums[?]", "reads b[?]", "writes c[0]"}));
    EXPECT_TRUE(facts.has_barrier);
    EXPECT_FALSE(facts.calls_unknown);
}

struct LoopCase {
    const char* header;
    const char* facts;  // "variable comparison step trips", or "" where it is not canonical
};
class Loops : public ::testing::TestWithParam<LoopCase> {};

TEST_P(Loops, CanonicalOnes) {
    const SourceFile source = parsed(kernel_with(std::string("int j = 5, s = n; ") + GetParam().header + " y[0] += 1;"));
    const KernelFacts facts = analyze(source, only_kernel(source));
    std::string found;
    for (const CanonicalLoop& loop : facts.loops) {
        const std::string step = loop.step ? std::to_string(*loop.step) : std::string(source.text_of(loop.step_expression));
        found = fmt::format("{} {} {} {}", source.variables[loop.variable].name, loop.comparison, step,
                            loop.trip_count ? std::to_string(*loop.trip_count) : "?");
    }
    EXPECT_EQ(found, GetParam().facts);
    EXPECT_EQ(facts.loops.size() + facts.other_loops.size(), 1u);
}

const LoopCase loop_cases[] = {
    {"for (int i = 0; i < n; ++i)", "i < 1 ?"},
    {"for (int i = 0; i < 10; i++)", "i < 1 10"},
    {"for (int i = 0; i <= 10; i += 3)", "i <= 3 4"},
    {"for (int i = 10; i > 0; --i)", "i > -1 10"},
    {"for (int i = 10; i >= 0; i -= 4)", "i >= -4 3"},
    {"for (int i = 0; 10 > i; i = i + 2)", "i < 2 5"},
    {"for (int i = 0; i != 8; i = 1 + i)", "i != 1 8"},
    {"for (unsigned i = threadIdx.x; i < n; i += blockDim.x)", "i < blockDim.x ?"},
    {"for (j = 0; j < n; ++j)", "j < 1 ?"},
    {"for (int i = n; i < n + 7; ++i)", "i < 1 7"},
    {"for (int i = 5; i < 3; ++i)", "i < 1 0"},
    {"for (int i = 0; i < n; i += s)", "i < s ?"},
    {"for (int i = 0; i < idx[0]; ++i)", "i < 1 ?"},
    {"for (int i = 0; i < n; --i)", ""},
    {"for (int i = 0; i < n; i *= 2)", ""},
    {"for (int i = 0; i < n; i += i)", ""},
    {"for (int i = 0; i < n && j; ++i)", ""},
    {"for (int i = 0, k = 1; i < n; ++i)", ""},
    {"for (float v = 0; v < 1; v += 0.5f)", ""},
    {"for (int i = 0; i < y[0]; ++i)", ""},
    {"for (int i = 0; i < n; ++i, --n)", ""},
    {"while (j < n)", ""},
    {"for (;;)", ""},
};
INSTANTIATE_TEST_SUITE_P(Table, Loops, ::testing::ValuesIn(loop_cases));

TEST(Loops, BoundsThatTheBodyChangesAreNotCanonical) {
    const SourceFile source = parsed(kernel_with(R"(
        for (int i = 0; i < n; ++i) n = i;
        for (int i = 0; i < m; ++i) { int* p = &i; *p = 3; }
    )"));
    EXPECT_TRUE(analyze(source, only_kernel(source)).loops.empty());
}

TEST(Loops, BreaksAndBarriers) {
    const SourceFile source = parsed("__device__ void sync() { __syncthreads(); }\n" + kernel_with(R"(
        for (int a = 0; a < n; ++a) { if (a == m) break; }
        for (int b = 0; b < n; ++b) { for (int c = 0; c < n; ++c) break; }
        for (int d = 0; d < n; ++d) { switch (d) { case 1: break; } }
        for (int e = 0; e < n; ++e) { sync(); if (e) return; }
    )"));
    const KernelFacts facts = analyze(source, only_kernel(source));
    const auto loop = [&](const char* name) {
        const auto found = std::find_if(facts.loops.begin(), facts.loops.end(),
                                        [&](const CanonicalLoop& it) { return source.variables[it.variable].name == name; });
        return std::pair(found->has_break, found->has_barrier);
    };
    EXPECT_EQ(loop("a"), std::pair(true, false));
    EXPECT_EQ(loop("b"), std::pair(false, false));
    EXPECT_EQ(loop("c"), std::pair(true, false));
    EXPECT_EQ(loop("d"), std::pair(false, false));
    EXPECT_EQ(loop("e"), std::pair(true, true));
}

TEST(Loops, GeometricOnes) {
    const SourceFile source = parsed(kernel_with(R"(
        for (int d = 16; d > 0; d >>= 1) y[d] = 0;
        for (int d = 1; d < 256; d *= 2) y[d] = 0;
        for (int d = n; d > 1; d /= 4) y[d] = 0;
        for (int d = 16; d > 0; d >>= 1) { y[d] = 0; --d; }
    )"));
    const KernelFacts facts = analyze(source, only_kernel(source));
    EXPECT_EQ(facts.other_loops.size(), 4u);
    ASSERT_EQ(facts.geometric_loops.size(), 3u);
    EXPECT_EQ(facts.geometric_loops[0].trip_count, 5);
    EXPECT_TRUE(facts.geometric_loops[0].divides);
    EXPECT_EQ(facts.geometric_loops[1].trip_count, 8);
    EXPECT_FALSE(facts.geometric_loops[1].divides);
    EXPECT_EQ(facts.geometric_loops[2].factor, 4);
    EXPECT_EQ(facts.geometric_loops[2].trip_count, std::nullopt);
}

struct EffectCase {
    const char* body;
    bool barrier, warp, atomics, assembly, unknown, dynamic_shared;
};
class EffectsOf : public ::testing::TestWithParam<EffectCase> {};

TEST_P(EffectsOf, Kernels) {
    const EffectCase& expected = GetParam();
    const SourceFile source = parsed("__device__ void again(int n) { if (n) again(n - 1); }\n" + kernel_with(expected.body));
    const KernelFacts facts = analyze(source, only_kernel(source));
    EXPECT_EQ(facts.has_barrier, expected.barrier) << expected.body;
    EXPECT_EQ(facts.has_warp_primitives, expected.warp) << expected.body;
    EXPECT_EQ(facts.has_atomics, expected.atomics) << expected.body;
    EXPECT_EQ(facts.has_inline_assembly, expected.assembly) << expected.body;
    EXPECT_EQ(facts.calls_unknown, expected.unknown) << expected.body;
    EXPECT_EQ(facts.uses_dynamic_shared, expected.dynamic_shared) << expected.body;
}

const EffectCase effect_cases[] = {
    {"y[0] = expf(x[0]) + __fdividef(x[1], 2) + max(n, m) + rsqrtf(x[2]) + __int_as_float(n);", false, false, false, false, false,
     false},
    {"__syncthreads();", true, false, false, false, false, false},
    {"y[0] = __syncthreads_or(n);", true, false, false, false, false, false},
    {"__threadfence();", true, false, false, false, false, false},
    {"y[0] = __shfl_xor_sync(~0u, x[0], 1);", false, true, false, false, false, false},
    {"y[0] = __ballot_sync(~0u, n);", false, true, false, false, false, false},
    {"atomicCAS((int*)y, 1, 2);", false, false, true, false, false, false},
    {"asm volatile(\"\");", false, false, false, true, false, false},
    {"printf(\"%d\", n);", false, false, false, false, true, false},
    {"again(n);", false, false, false, false, true, false},
    {"void (*g)(int) = nullptr; g(n);", false, false, false, false, true, false},
    {"auto g = [&](int i) { y[i] = 0; }; g(n);", false, false, false, false, true, false},
    {"float s, c; sincosf(x[0], &s, &c); y[0] = s + c;", false, false, false, false, false, false},
    {"extern __shared__ float buffer[]; buffer[0] = 1;", false, false, false, false, false, true},
    {"float** p = (float**)y; p[0][1] = 0;", false, false, false, false, true, false},
};
INSTANTIATE_TEST_SUITE_P(Table, EffectsOf, ::testing::ValuesIn(effect_cases));

struct GuardCase {
    const char* body;
    std::vector<std::string> guards;
};
class Guards : public ::testing::TestWithParam<GuardCase> {};

TEST_P(Guards, AreFound) {
    const SourceFile source = parsed(kernel_with(GetParam().body));
    std::vector<std::string> found;
    for (const BoundsGuard& guard : bounds_guards(source, only_kernel(source))) {
        found.push_back(fmt::format("{} {} {} {}", guard.returns ? "return unless" : "if", source.text_of(guard.index_expression),
                                    std::string(guard.is_lower ? ">" : "<") + (guard.inclusive ? "=" : ""),
                                    source.text_of(guard.bound)));
        EXPECT_EQ(guard.index != none, source.expressions[guard.index_expression].kind == ExpressionKind::variable);
    }
    EXPECT_EQ(found, GetParam().guards);
}

const GuardCase guard_cases[] = {
    {"int i = threadIdx.x; if (i >= n) return; y[i] = 0;", {"return unless i < n"}},
    {"int i = threadIdx.x; if (n <= i) { return; } y[i] = 0;", {"return unless i < n"}},
    {"int i = threadIdx.x; if (i > n) return; y[i] = 0;", {"return unless i <= n"}},
    {"int i = threadIdx.x; if (!(i < n)) return; y[i] = 0;", {"return unless i < n"}},
    {"int i = threadIdx.x; if (i < n) y[i] = 0;", {"if i < n"}},
    {"int i = threadIdx.x; if (n > i) { y[i] = 0; }", {"if i < n"}},
    {"unsigned i = threadIdx.x; if (i < n) y[i] = 0;", {"if i < n"}},
    {"int r = threadIdx.y, c = threadIdx.x; if (r < n && c < m) y[r * m + c] = 0;", {"if r < n", "if c < m"}},
    {"int r = threadIdx.y, c = threadIdx.x; if (r >= n || c >= m) return; y[r * m + c] = 0;",
     {"return unless r < n", "return unless c < m"}},
    {"int r = threadIdx.y, c = threadIdx.x; if (r >= n) return; if (c >= m) return; y[r * m + c] = 0;",
     {"return unless r < n", "return unless c < m"}},
    {"int i = threadIdx.x; if (i < 0 || i >= n) return; y[i] = 0;", {"return unless i >= 0", "return unless i < n"}},
    {"if (blockIdx.x * blockDim.x + threadIdx.x >= n) return; y[0] = 0;",
     {"return unless blockIdx.x * blockDim.x + threadIdx.x < n"}},
    {"int i = threadIdx.x; if (i < n) y[i] = 0; y[0] = 1;", {}},
    {"int i = threadIdx.x; if (i < n) y[i] = 0; else y[0] = 1;", {}},
    {"int i = threadIdx.x; y[0] = 1; if (i >= n) return; y[i] = 0;", {}},
    {"int r = threadIdx.y, c = threadIdx.x; if (r >= n && c >= m) return; y[r * m + c] = 0;", {}},
};
INSTANTIATE_TEST_SUITE_P(Table, Guards, ::testing::ValuesIn(guard_cases));

}  // namespace
}  // namespace optiml::cuda_source
