#include "cuda_source/edit.h"

#include <functional>

#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

using testing::expression_at;
using testing::parsed;
using testing::statement_at;
using testing::variable_named;

struct EditCase {
    const char* name;
    const char* before;  // body of the kernel
    std::function<void(Edit&, const SourceFile&)> change;
    const char* after;
};

std::string kernel_with(const std::string& body) { return "__global__ void f(float* x, int n, int m) {\n" + body + "}\n"; }

class EditBody : public ::testing::TestWithParam<EditCase> {};

TEST_P(EditBody, GivesTheTextAfter) {
    const SourceFile source = parsed(kernel_with(GetParam().before));
    Edit edit(source);
    GetParam().change(edit, source);
    const Result<std::string> text = edit.apply();
    ASSERT_TRUE(text) << text.error().text();
    EXPECT_EQ(*text, kernel_with(GetParam().after));
    parsed(*text);  // still compiles
}

const EditCase body_cases[] = {
    {"replaces an expression, comments stay", "    x[n /* rows */] = 1.0f;  // one\n",
     [](Edit& edit, const SourceFile& source) { edit.replace_expression(expression_at(source, "n"), "m"); },
     "    x[m /* rows */] = 1.0f;  // one\n"},
    {"adds parentheses where a product needs them", "    x[n * 2] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.replace_expression(expression_at(source, "n"), "n + m"); },
     "    x[(n + m) * 2] = 1.0f;\n"},
    {"adds none where they stand already", "    x[(n) * 2] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.replace_expression(expression_at(source, "n"), "n + m"); },
     "    x[(n + m) * 2] = 1.0f;\n"},
    {"adds none in an argument", "    x[0] = fmaxf(x[1], x[2]);\n",
     [](Edit& edit, const SourceFile& source) { edit.replace_expression(expression_at(source, "x[2]"), "x[2] + x[3]"); },
     "    x[0] = fmaxf(x[1], x[2] + x[3]);\n"},
    {"right operand of a difference", "    x[n - m] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.replace_expression(expression_at(source, "m"), "m - 1"); },
     "    x[n - (m - 1)] = 1.0f;\n"},
    {"inserts before and after with the statement's indentation", "    if (n) {\n        x[0] = 1.0f;  // first\n    }\n",
     [](Edit& edit, const SourceFile& source) {
         edit.insert_before(statement_at(source, "x[0]"), "int a = 0;\nif (a) {\n    a = 1;\n}");
         edit.insert_after(statement_at(source, "x[0]"), "x[1] = 2.0f;");
     },
     "    if (n) {\n        int a = 0;\n        if (a) {\n            a = 1;\n        }\n        x[0] = 1.0f;  // first\n"
     "        x[1] = 2.0f;\n    }\n"},
    {"braces a bare body", "    for (int i = 0; i < n; ++i)\n        x[i] = 1.0f;  // all\n    x[0] = 2.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.insert_before(statement_at(source, "x[i]"), "x[i] = 0.0f;"); },
     "    for (int i = 0; i < n; ++i) {\n        x[i] = 0.0f;\n        x[i] = 1.0f;  // all\n    }\n    x[0] = 2.0f;\n"},
    {"braces a bare body on the header's line", "    if (n) x[0] = 1.0f;\n    else x[1] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.insert_after(statement_at(source, "x[0]"), "x[2] = 0.0f;"); },
     "    if (n) {\n        x[0] = 1.0f;\n        x[2] = 0.0f;\n    }\n    else x[1] = 1.0f;\n"},
    {"braces nested bare bodies",
     "    for (int i = 0; i < n; ++i)\n        for (int j = 0; j < m; ++j)\n            x[i * m + j] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) {
         edit.insert_after(statement_at(source, "for (int j"), "x[i] = 0.0f;");
         edit.insert_after(statement_at(source, "x[i * m"), "x[j] = 0.0f;");
     },
     "    for (int i = 0; i < n; ++i) {\n        for (int j = 0; j < m; ++j) {\n            x[i * m + j] = 1.0f;\n"
     "            x[j] = 0.0f;\n        }\n        x[i] = 0.0f;\n    }\n"},
    {"removes a statement with its line", "    x[0] = 1.0f;\n    x[1] = 1.0f;  // gone\n    x[2] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.remove_statement(statement_at(source, "x[1]")); },
     "    x[0] = 1.0f;\n    x[2] = 1.0f;\n"},
    {"removes one statement of a line", "    x[0] = 1.0f; x[1] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.remove_statement(statement_at(source, "x[0]")); }, "    x[1] = 1.0f;\n"},
    {"a removed bare body leaves an empty statement", "    if (n) x[0] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.remove_statement(statement_at(source, "x[0]")); }, "    if (n) ;\n"},
    {"rewrites a loop header", "    for (int i = 0; i < n; ++i)  // rows\n        x[i] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) {
         edit.replace_header(statement_at(source, "for"), "int i = threadIdx.x; i < n; i += 32");
     },
     "    for (int i = threadIdx.x; i < n; i += 32)  // rows\n        x[i] = 1.0f;\n"},
    {"adds a pragma", "    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.set_pragma(statement_at(source, "for"), "#pragma unroll 4"); },
     "    #pragma unroll 4\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n"},
    {"changes a pragma", "#pragma unroll\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.set_pragma(statement_at(source, "for"), "#pragma unroll 4"); },
     "#pragma unroll 4\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n"},
    {"removes a pragma", "#pragma unroll\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.set_pragma(statement_at(source, "for"), ""); },
     "    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n"},
    {"inserts before the pragma of a loop", "#pragma unroll\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n",
     [](Edit& edit, const SourceFile& source) { edit.insert_before(statement_at(source, "for"), "x[0] = 0.0f;"); },
     "    x[0] = 0.0f;\n#pragma unroll\n    for (int i = 0; i < n; ++i) x[i] = 1.0f;\n"},
    {"replaces a statement by several lines", "    if (n) {\n        x[0] = 1.0f;\n    }\n",
     [](Edit& edit, const SourceFile& source) {
         edit.replace_statement(statement_at(source, "x[0]"), "x[0] = 2.0f;\nif (m) {\n    x[1] = 2.0f;\n}");
     },
     "    if (n) {\n        x[0] = 2.0f;\n        if (m) {\n            x[1] = 2.0f;\n        }\n    }\n"},
};

INSTANTIATE_TEST_SUITE_P(Table, EditBody, ::testing::ValuesIn(body_cases));

TEST(Edit, ChangesTheHeadOfAKernel) {
    const SourceFile source =
        parsed("extern \"C\" __global__ void f(const float* a, float * b, float *c) { b[0] = a[0] + c[0]; }\n");
    const FunctionId kernel = testing::only_kernel(source);
    Edit edit(source);
    edit.set_launch_bounds(kernel, 256, 2);
    edit.add_restrict(variable_named(source, "a"));
    edit.add_restrict(variable_named(source, "b"));
    edit.add_restrict(variable_named(source, "c"));
    edit.add_const_pointee(variable_named(source, "c"));
    edit.insert_before_function(kernel, "#define TILE 16");
    EXPECT_EQ(edit.apply().value(),
              "#define TILE 16\n\nextern \"C\" __global__ __launch_bounds__(256, 2) void f(const float* __restrict__ a, "
              "float * __restrict__ b, const float * __restrict__ c) { b[0] = a[0] + c[0]; }\n");
}

TEST(Edit, KeepsQualifiersThatAreThere) {
    const std::string text = "__global__ __launch_bounds__(64) void f(const float* __restrict__ a) {}\n";
    const SourceFile source = parsed(text);
    Edit edit(source);
    edit.add_restrict(variable_named(source, "a"));
    edit.add_const_pointee(variable_named(source, "a"));
    EXPECT_EQ(edit.apply().value(), text);
    edit.set_launch_bounds(testing::only_kernel(source), 128);
    EXPECT_EQ(edit.apply().value(), "__global__ __launch_bounds__(128) void f(const float* __restrict__ a) {}\n");
}

TEST(Edit, RefusesPartsOfMacroUses) {
    const SourceFile source =
        parsed("#define SQUARE(a) ((a) * (a))\n__global__ void f(float* x, int n) { x[0] = SQUARE(x[n]); }\n");
    Edit part(source);
    part.replace_expression(testing::expression_at(source, "x[0]"), "x[1]");
    EXPECT_TRUE(part.apply());
    for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
        if (source.expressions[id].kind != ExpressionKind::variable || source.expressions[id].name != "n") continue;
        Edit inner(source);
        inner.replace_expression(id, "0");
        const auto result = inner.apply();
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().where.line, 2u);
    }
    Edit whole(source);
    whole.replace_expression(expression_at(source, "SQUARE(x[n])"), "x[n] * x[n]");
    EXPECT_TRUE(whole.apply().value().find("x[0] = x[n] * x[n];") != std::string::npos);
}

TEST(Edit, FreshNamesOccurNowhere) {
    const SourceFile source = parsed("__global__ void f(float* tail, int n) { int tail2 = n; /* tail3 */ tail[tail2] = 0; }\n");
    const FunctionId kernel = testing::only_kernel(source);
    EXPECT_EQ(fresh_name(source, kernel, "tail"), "tail3");
    EXPECT_EQ(fresh_name(source, kernel, "lane"), "lane");
    Edit edit(source);
    EXPECT_EQ(edit.fresh_name(kernel, "lane"), "lane");
    EXPECT_EQ(edit.fresh_name(kernel, "lane"), "lane2");
}

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
