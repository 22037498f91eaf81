#include "cuda_source/dependence.h"

#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {

void PrintTo(Answer answer, std::ostream* out) {
    *out << (answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "unknown");
}

namespace {

using testing::parsed;
using testing::variable_named;

struct Kernel {
    explicit Kernel(const std::string& body, LaunchShape launch = {{256, 1, 1}, {0, 1, 1}, {}, {}},
                    const std::string& parameters = "const float* x, float* y, int n, int rows, int cols, const int* idx")
        : source(parsed("__global__ void f(" + parameters + ") {\n" + body + "\n}\n")),
          facts(analyze(source, testing::only_kernel(source))),
          shape(std::move(launch)),
          dependence(source, facts, shape) {}

    const Access& access_at(std::string_view text) const {
        for (const Access& access : facts.accesses) {
            if (source.text_of(access.expression) == text) return access;
        }
        ADD_FAILURE() << "no access " << text;
        static const Access none_at_all;
        return none_at_all;
    }
    StatementId loop_over(std::string_view variable) const {
        for (const CanonicalLoop& loop : facts.loops) {
            if (source.variables[loop.variable].name == variable) return loop.statement;
        }
        ADD_FAILURE() << "no loop over " << variable;
        return none;
    }
    Polynomial size(std::string_view name) const { return Polynomial(Symbol::of_variable(variable_named(source, name))); }

    SourceFile source;
    KernelFacts facts;
    LaunchShape shape;
    Dependence dependence;
};

const LaunchShape line{{256, 1, 1}, {0, 1, 1}, {}, {}};
const LaunchShape tile{{16, 16, 1}, {0, 0, 1}, {}, {}};
const LaunchShape unknown_block{{0, 1, 1}, {0, 1, 1}, {}, {}};

struct InjectiveCase {
    const char* name;
    const char* body;
    LaunchShape shape;
    Answer answer;
};
class Injective : public ::testing::TestWithParam<InjectiveCase> {};

TEST_P(Injective, AnswersForY) {
    Kernel kernel(GetParam().body, GetParam().shape);
    EXPECT_EQ(kernel.dependence.writes_are_injective(variable_named(kernel.source, "y")), GetParam().answer) << GetParam().name;
}

const char* const one_each = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i];";
const InjectiveCase injective_cases[] = {
    {"one element a thread", one_each, line, Answer::yes},
    {"one element a thread, block size unknown", one_each, unknown_block, Answer::yes},
    {"reversed", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[n - 1 - i] = x[i];", line, Answer::yes},
    {"all to one", "y[0] = x[threadIdx.x];", line, Answer::no},
    {"halved", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i / 2] = x[i];", line, Answer::no},
    {"one a block", "if (threadIdx.x == 0) y[blockIdx.x] = x[0];", line, Answer::yes},
    {"block forgotten", "y[threadIdx.x] = x[0];", line, Answer::no},
    {"scattered", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[idx[i]] = x[i];", line, Answer::unknown},
    {"grid stride", "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i];", line,
     Answer::yes},
    {"grid stride, block size unknown",
     "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = x[i];", unknown_block,
     Answer::yes},
    {"stride of the block only", "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) y[i] = x[i];", line,
     Answer::no},
    {"a row a thread",
     "int r = blockIdx.x * blockDim.x + threadIdx.x; if (r >= rows) return; for (int c = 0; c < cols; ++c) y[r * cols + c] = x[c];",
     line, Answer::yes},
    {"a row a block", "for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = x[c];", line, Answer::yes},
    {"matrix with a guard",
     "int c = blockIdx.x * 16 + threadIdx.x; int r = blockIdx.y * 16 + threadIdx.y; if (r < rows && c < cols) y[r * cols + c] = "
     "x[0];",
     tile, Answer::yes},
    {"matrix with half a guard",
     "int c = blockIdx.x * 16 + threadIdx.x; int r = blockIdx.y * 16 + threadIdx.y; if (r < rows) y[r * cols + c] = x[0];", tile,
     Answer::unknown},
    {"row written twice",
     "int r = blockIdx.x * blockDim.x + threadIdx.x; if (r >= rows) return; for (int c = 0; c <= cols; ++c) y[r * cols + c] = "
     "x[c];",
     line, Answer::unknown},
    {"pairs", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { y[2 * i] = x[i]; y[2 * i + 1] = x[i]; }", line,
     Answer::yes},
    {"overlapping pairs", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { y[i] = x[i]; y[i + 1] = x[i]; }", line,
     Answer::no},
    {"vectors", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) *(float4*)&y[4 * i] = make_float4(0, 0, 0, 0);", line,
     Answer::yes},
    {"overlapping vectors",
     "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) *(float4*)&y[2 * i] = make_float4(0, 0, 0, 0);", line, Answer::no},
    {"quotient and remainder", "int i = blockIdx.x * blockDim.x + threadIdx.x; y[(i / 8) * 8 + i % 8] = x[i];", line, Answer::yes},
    {"through an unknown function pointer", "void (*g)(float*) = nullptr; g(y);", line, Answer::unknown},
    {"unsigned trick", "int i = blockIdx.x * blockDim.x + threadIdx.x - 1; if ((unsigned)i < n) y[i] = x[i];", line, Answer::yes},
};
INSTANTIATE_TEST_SUITE_P(Table, Injective, ::testing::ValuesIn(injective_cases));

TEST(Injective, SharedMemoryCountsWithinABlockAndBetweenBarriers) {
    Kernel kernel(R"(
        __shared__ float tile[256];
        for (int k = 0; k < n; ++k) {
            tile[(threadIdx.x + k) % 256] = x[k];
            __syncthreads();
            y[threadIdx.x] = tile[0];
            __syncthreads();
        })");
    EXPECT_EQ(kernel.dependence.writes_are_injective(variable_named(kernel.source, "tile")), Answer::yes);
}

struct ParallelCase {
    const char* name;
    const char* body;
    Answer answer;
};
class Parallel : public ::testing::TestWithParam<ParallelCase> {};

TEST_P(Parallel, AnswersForK) {
    Kernel kernel(GetParam().body);
    EXPECT_EQ(kernel.dependence.is_parallel(kernel.loop_over("k")), GetParam().answer) << GetParam().name;
}

const ParallelCase parallel_cases[] = {
    {"element-wise", "for (int k = 0; k < n; ++k) y[k] = x[k];", Answer::yes},
    {"in place", "for (int k = 0; k < n; ++k) y[k] = y[k] * 2;", Answer::yes},
    {"prefix", "for (int k = 1; k < n; ++k) y[k] = y[k - 1] + x[k];", Answer::no},
    {"one cell", "for (int k = 0; k < n; ++k) y[threadIdx.x] += x[k];", Answer::no},
    {"even from odd", "for (int k = 0; k < n; ++k) y[2 * k] = y[2 * k + 1];", Answer::yes},
    {"step two", "for (int k = 0; k < n; k += 2) y[k] = y[k + 1];", Answer::yes},
    {"rows", "for (int k = 0; k < rows; ++k) for (int c = 0; c < cols; ++c) y[k * cols + c] = x[c];", Answer::yes},
    {"columns", "for (int r = 0; r < rows; ++r) for (int k = 0; k < cols; ++k) y[r * cols + k] = y[r * cols];", Answer::no},
    {"scatter", "for (int k = 0; k < n; ++k) y[idx[k]] = x[k];", Answer::unknown},
    {"atomics commute", "for (int k = 0; k < n; ++k) atomicAdd(&y[0], x[k]);", Answer::yes},
    {"derived pointer", "float* p = y + threadIdx.x * cols; for (int k = 0; k < cols; ++k) p[k] = x[k];", Answer::yes},
    {"walking pointer", "float* p = y; for (int k = 0; k < n; ++k) *p++ = x[k];", Answer::unknown},
};
INSTANTIATE_TEST_SUITE_P(Table, Parallel, ::testing::ValuesIn(parallel_cases));

TEST(Parallel, RegistersAreCarried) {
    const Kernel kernel("float s = 0, t; for (int k = 0; k < n; ++k) { float u = x[k]; s += u; } y[0] = s;");
    const std::vector<VariableId> carried = carried_variables(kernel.source, kernel.facts, kernel.loop_over("k"));
    ASSERT_EQ(carried.size(), 1u);
    EXPECT_EQ(kernel.source.variables[carried[0]].name, "s");
}

struct WithinCase {
    const char* name;
    const char* body;
    const char* access;
    std::vector<const char*> extent;  // factors
    Answer answer;
};
class Within : public ::testing::TestWithParam<WithinCase> {};

TEST_P(Within, ExtentIsAProductOfSizes) {
    Kernel kernel(GetParam().body, tile);
    Polynomial extent(1);
    for (const char* factor : GetParam().extent) extent = extent * kernel.size(factor);
    EXPECT_EQ(kernel.dependence.is_within(kernel.access_at(GetParam().access), extent), GetParam().answer) << GetParam().name;
}

const WithinCase within_cases[] = {
    {"guarded", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 0;", "y[i]", {"n"}, Answer::yes},
    {"off by one", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i <= n) y[i] = 0;", "y[i]", {"n"}, Answer::no},
    {"no guard", "int i = blockIdx.x * blockDim.x + threadIdx.x; y[i] = 0;", "y[i]", {"n"}, Answer::no},
    {"wrong size", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = 0;", "y[i]", {"cols"}, Answer::no},
    {"early return", "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; y[i] = 0;", "y[i]", {"n"}, Answer::yes},
    {"neighbour",
     "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i > 0 && i < n) y[i] = x[i - 1];",
     "x[i - 1]",
     {"n"},
     Answer::yes},
    {"neighbour below zero",
     "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i - 1];",
     "x[i - 1]",
     {"n"},
     Answer::no},
    {"matrix",
     "int c = blockIdx.x * blockDim.x + threadIdx.x; int r = blockIdx.y * blockDim.y + threadIdx.y; "
     "if (r < rows && c < cols) y[r * cols + c] = 0;",
     "y[r * cols + c]",
     {"rows", "cols"},
     Answer::yes},
    {"matrix by columns",
     "int c = blockIdx.x * blockDim.x + threadIdx.x; int r = blockIdx.y * blockDim.y + threadIdx.y; "
     "if (r < rows && c < cols) y[c * rows + r] = 0;",
     "y[c * rows + r]",
     {"rows", "cols"},
     Answer::yes},
    {"conditional expression", "int i = threadIdx.x; y[0] = i < n ? x[i] : 0.0f;", "x[i]", {"n"}, Answer::yes},
    {"named condition", "int i = threadIdx.x; bool inside = i < n; if (inside) y[i] = 0;", "y[i]", {"n"}, Answer::yes},
    {"vector at the tail",
     "int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4; if (i < n) *(float4*)&y[i] = make_float4(0, 0, 0, 0);",
     "*(float4*)&y[i]",
     {"n"},
     Answer::no},
    {"vector in front of the tail",
     "int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4; if (i + 3 < n) *(float4*)&y[i] = make_float4(0, 0, 0, 0);",
     "*(float4*)&y[i]",
     {"n"},
     Answer::yes},
    {"three dimensions",
     "for (int b = 0; b < n; ++b) for (int r = 0; r < rows; ++r) for (int c = 0; c < cols; ++c) y[(b * rows + r) * cols + c] = 0;",
     "y[(b * rows + r) * cols + c]",
     {"n", "rows", "cols"},
     Answer::yes},
    {"data", "y[idx[0]] = 0;", "y[idx[0]]", {"n"}, Answer::unknown},
    {"minimum", "int i = min((int)threadIdx.x, n - 1); if (n > 0) y[i] = 0;", "y[i]", {"n"}, Answer::yes},
};
INSTANTIATE_TEST_SUITE_P(Table, Within, ::testing::ValuesIn(within_cases));

struct StrideCase {
    const char* name;
    const char* body;
    const char* access;
    std::optional<std::int64_t> constant;  // of `factor`
    const char* factor;                    // a size, or empty
};
class LaneStride : public ::testing::TestWithParam<StrideCase> {};

TEST_P(LaneStride, IsAMultipleOfASize) {
    Kernel kernel(GetParam().body);
    const auto stride = kernel.dependence.lane_stride(kernel.access_at(GetParam().access));
    ASSERT_EQ(stride.has_value(), GetParam().constant.has_value()) << GetParam().name;
    if (!stride) return;
    const Polynomial factor = *GetParam().factor != '\0' ? kernel.size(GetParam().factor) : Polynomial(1);
    EXPECT_EQ(*stride, Polynomial(*GetParam().constant) * factor) << GetParam().name;
}

const StrideCase stride_cases[] = {
    {"coalesced", "y[blockIdx.x * blockDim.x + threadIdx.x] = 0;", "y[blockIdx.x * blockDim.x + threadIdx.x]", 1, ""},
    {"broadcast", "y[blockIdx.x] = 0;", "y[blockIdx.x]", 0, ""},
    {"reversed", "y[n - 1 - threadIdx.x] = 0;", "y[n - 1 - threadIdx.x]", -1, ""},
    {"rows", "int r = threadIdx.x; for (int c = 0; c < cols; ++c) y[r * cols + c] = 0;", "y[r * cols + c]", 1, "cols"},
    {"through a derived pointer", "float* p = y + threadIdx.x * cols; p[3] = 0;", "p[3]", 1, "cols"},
    {"shared loop", "for (int c = threadIdx.x; c < cols; c += blockDim.x) y[blockIdx.x * cols + c] = 0;",
     "y[blockIdx.x * cols + c]", 1, ""},
    {"lane of the warp", "int lane = threadIdx.x & 31, warp = threadIdx.x >> 5; y[warp * cols + lane] = 0;",
     "y[warp * cols + lane]", 1, ""},
    {"pairs of lanes", "y[threadIdx.x / 2] = 0;", "y[threadIdx.x / 2]", std::nullopt, ""},
    {"data", "y[idx[threadIdx.x]] = 0;", "y[idx[threadIdx.x]]", std::nullopt, ""},
    {"square", "y[threadIdx.x * threadIdx.x] = 0;", "y[threadIdx.x * threadIdx.x]", std::nullopt, ""},
    {"running variable", "int i = threadIdx.x; for (; i < n; i += 32) y[i] = 0;", "y[i]", std::nullopt, ""},
};
INSTANTIATE_TEST_SUITE_P(Table, LaneStride, ::testing::ValuesIn(stride_cases));

TEST(Same, EqualIndicesAreTheSameElement) {
    Kernel kernel("int i = threadIdx.x; y[i] = x[i] + y[i + 1] + y[threadIdx.x] + y[idx[i]];");
    const Access& written = kernel.access_at("y[i]");
    EXPECT_EQ(kernel.dependence.is_same(written, kernel.access_at("y[threadIdx.x]")), Answer::yes);
    EXPECT_EQ(kernel.dependence.is_same(written, kernel.access_at("y[i + 1]")), Answer::no);
    EXPECT_EQ(kernel.dependence.is_same(written, kernel.access_at("x[i]")), Answer::no);
    EXPECT_EQ(kernel.dependence.is_same(written, kernel.access_at("y[idx[i]]")), Answer::unknown);
}

TEST(Same, SiblingLoopsDoNotShareTheirVariable) {
    Kernel kernel("int c; for (c = 0; c < n; ++c) y[c] = 0; for (c = 0; c < n; ++c) y[c + 0] = 1;");
    EXPECT_EQ(kernel.dependence.is_same(kernel.access_at("y[c]"), kernel.access_at("y[c + 0]")), Answer::unknown);
}

TEST(Footprint, CountsDifferentElements) {
    const std::string body =
        "int i = blockIdx.x * blockDim.x + threadIdx.x; for (int k = 0; k < 3; ++k) y[i] = x[i + k]; y[i / 32] = x[n * i];";
    Kernel kernel(body);
    kernel.shape.values[variable_named(kernel.source, "n")] = 2;
    Dependence dependence(kernel.source, kernel.facts, kernel.shape);
    EXPECT_EQ(dependence.footprint(kernel.access_at("x[i + k]"), Dependence::Scope::block), 258);
    EXPECT_EQ(dependence.footprint(kernel.access_at("x[i + k]"), Dependence::Scope::thread), 3);
    EXPECT_EQ(dependence.footprint(kernel.access_at("y[i / 32]"), Dependence::Scope::block), 8);
    EXPECT_EQ(dependence.footprint(kernel.access_at("x[n * i]"), Dependence::Scope::block), 256);
    EXPECT_EQ(kernel.dependence.footprint(kernel.access_at("x[n * i]"), Dependence::Scope::block), std::nullopt);
}

}  // namespace
}  // namespace optiml::cuda_source
