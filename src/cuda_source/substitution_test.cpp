#include "cuda_source/substitution.h"

#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

using testing::expression_at;
using testing::parsed;
using testing::variable_named;

struct SubstituteCase {
    const char* expression;
    const char* value;  // for i
    const char* result;
};

class Substitute : public ::testing::TestWithParam<SubstituteCase> {};

TEST_P(Substitute, PutsParenthesesWhereNeeded) {
    const SourceFile source =
        parsed(std::string("__global__ void f(int* x, int i, int n) { x[0] = ") + GetParam().expression + "; }\n");
    const ExpressionId expression = expression_at(source, GetParam().expression);
    const auto text = substitute(source, expression, {{variable_named(source, "i"), GetParam().value}});
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, GetParam().result);
}

const SubstituteCase substitute_cases[] = {
    {"i * n + i", "i + 1", "(i + 1) * n + (i + 1)"},
    {"i * n + i", "i * 2", "i * 2 * n + i * 2"},
    {"n - i", "i + 1", "n - (i + 1)"},
    {"n - i", "i * 2", "n - i * 2"},
    {"x[i]", "i + 1", "x[i + 1]"},
    {"min(i, n)", "i + 1", "min(i + 1, n)"},
    {"min(i, n)", "i, 1", "min((i, 1), n)"},
    {"-i", "i + 1", "-(i + 1)"},
    {"(int)i", "i + 1", "(int)(i + 1)"},
    {"(i) % n", "i + 1", "(i + 1) % n"},
    {"i ? i : n", "i ? 1 : 2", "(i ? 1 : 2) ? i ? 1 : 2 : n"},
    {"i < n ? x[i] : 0", "base", "base < n ? x[base] : 0"},
    {"n / i", "blockIdx.x * blockDim.x", "n / (blockIdx.x * blockDim.x)"},
    {"i / n", "blockIdx.x * blockDim.x", "blockIdx.x * blockDim.x / n"},
    {"i << 2", "n + 1", "n + 1 << 2"},
    {"i & 3", "n << 1", "n << 1 & 3"},
    {"i & 3", "n == 1", "n == 1 & 3"},
    {"i & 3", "n | 1", "(n | 1) & 3"},
    {"i * 2", "(n + 1)", "(n + 1) * 2"},
    {"i * 2", "(n) + (1)", "((n) + (1)) * 2"},
    {"i * 2", "make(n + 1)", "make(n + 1) * 2"},
    {"i * 2", "-n", "-n * 2"},
    {"i * 2", "(int)n", "(int)n * 2"},
    {"i * 2", "1e-3f", "1e-3f * 2"},
    {"i * 2", "p->q.r[3]", "p->q.r[3] * 2"},
};

INSTANTIATE_TEST_SUITE_P(Table, Substitute, ::testing::ValuesIn(substitute_cases));

TEST(Substitute, RefusesVariablesInMacroUses) {
    const SourceFile source = parsed("#define TWICE(a) ((a) * 2)\n__global__ void f(int* x, int i) { x[0] = TWICE(i) + 1; }\n");
    EXPECT_FALSE(substitute(source, expression_at(source, "TWICE(i) + 1"), {{variable_named(source, "i"), "3"}}));
}

}  // namespace
}  // namespace optiml::cuda_source
