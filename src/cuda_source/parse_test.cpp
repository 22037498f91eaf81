#include "cuda_source/parse.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

using testing::expression_at;
using testing::only_kernel;
using testing::parsed;
using testing::statement_at;
using testing::variable_named;

// Everything the tree names must lie in the text, children within their parents.
void expect_sound(const SourceFile& source) {
    const TextSpan whole{0, static_cast<std::uint32_t>(source.text.size())};
    for (const Expression& expression : source.expressions) {
        EXPECT_TRUE(expression.span.empty() || whole.contains(expression.span));
        for (const ExpressionId child : expression.children) ASSERT_LT(child, source.expressions.size());
        EXPECT_TRUE(expression.type == none || expression.type < source.types.size());
    }
    for (StatementId id = 0; id < source.statements.size(); ++id) {
        const Statement& statement = source.statements[id];
        EXPECT_TRUE(statement.span.empty() || whole.contains(statement.span));
        for (const StatementId child : statement.children) {
            ASSERT_LT(child, source.statements.size());
            EXPECT_EQ(source.statements[child].parent, id);
            const TextSpan span = source.statements[child].span;
            EXPECT_TRUE(span.empty() || statement.span.contains(span)) << source.text_of(statement.span);
        }
    }
}

TEST(Parse, FindsAKernelWithItsPlaces) {
    const SourceFile source = parsed(R"(// a comment
extern "C" __global__ __launch_bounds__(256, 2) void relu(const float* __restrict__ x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.0f);
}
)");
    const Function& function = source.functions[only_kernel(source)];
    EXPECT_TRUE(function.is_kernel);
    EXPECT_TRUE(function.extern_c);
    EXPECT_EQ(function.lowered_name, "relu");
    EXPECT_TRUE(source.text_of(function.span).starts_with("extern \"C\""));
    EXPECT_TRUE(source.text_of(function.span).ends_with("}"));
    EXPECT_EQ(source.text_of(function.name_span), "relu");
    EXPECT_EQ(source.text_of(function.parameters_span), "const float* __restrict__ x, float *y, int n");
    EXPECT_EQ(function.launch_bounds_threads, 256u);
    EXPECT_EQ(function.launch_bounds_blocks, 2u);
    EXPECT_EQ(source.text_of(function.launch_bounds_span), "__launch_bounds__(256, 2)");
    ASSERT_EQ(function.parameters.size(), 3u);
    const Variable& x = source.variables[function.parameters[0]];
    EXPECT_EQ(source.text_of(x.type_span), "const float");
    EXPECT_EQ(source.text_of(x.declaration), "* __restrict__ x");
    EXPECT_EQ(source.text_of(x.name_span), "x");
    EXPECT_TRUE(source.types[x.type].is_restrict);
    EXPECT_TRUE(source.types[source.types[x.type].element].is_const);
    EXPECT_FALSE(x.is_written);
    expect_sound(source);
}

struct DeclarationCase {
    const char* statement;
    const char* name;
    const char* specifiers;
    const char* declarator;
    const char* type;
};
class Declaration : public ::testing::TestWithParam<DeclarationCase> {};

TEST_P(Declaration, SpansAreExact) {
    const SourceFile source = parsed(std::string("__global__ void f(float* x) { ") + GetParam().statement + " }");
    const Variable& variable = source.variables[variable_named(source, GetParam().name)];
    EXPECT_EQ(source.text_of(variable.type_span), GetParam().specifiers);
    EXPECT_EQ(source.text_of(variable.declaration), GetParam().declarator);
    EXPECT_EQ(source.text_of(variable.name_span), GetParam().name);
    EXPECT_EQ(source.types[variable.type].spelling, GetParam().type);
    EXPECT_EQ(source.text_of(source.statements[statement_at(source, GetParam().statement)].span), GetParam().statement);
}

const DeclarationCase declaration_cases[] = {
    {"int i = 3;", "i", "int", "i = 3", "int"},
    {"int i = 3, j;", "j", "int", "j", "int"},
    {"const float *p = x + 1;", "p", "const float", "*p = x + 1", "const float *"},
    {"float const *p = x;", "p", "float const", "*p = x", "const float *"},
    {"float a, *q = x;", "q", "float", "*q = x", "float *"},
    {"unsigned long long n = 1;", "n", "unsigned long long", "n = 1", "unsigned long long"},
    {"__shared__ float tile[16][17];", "tile", "__shared__ float", "tile[16][17]", "float[16][17]"},
    {"extern __shared__ float row[];", "row", "extern __shared__ float", "row[]", "float[]"},
    {"float acc[4] = {1, 2};", "acc", "float", "acc[4] = {1, 2}", "float[4]"},
    {"float& r = x[0];", "r", "float", "& r = x[0]", "float &"},
    {"auto v = x[0] /* c */ ;", "v", "auto", "v = x[0]", "float"},
    {"float4 v = make_float4(0, 0, 0, 0);", "v", "float4", "v = make_float4(0, 0, 0, 0)", "float4"},
    {"float (*m)[4] = (float (*)[4])x;", "m", "float", "(*m)[4] = (float (*)[4])x", "float (*)[4]"},
};
INSTANTIATE_TEST_SUITE_P(Table, Declaration, ::testing::ValuesIn(declaration_cases));

struct ExpressionCase {
    const char* text;
    ExpressionKind kind;
    const char* op;
    std::optional<std::int64_t> constant;
    std::vector<const char*> children;
};
class ParsedExpression : public ::testing::TestWithParam<ExpressionCase> {};

TEST_P(ParsedExpression, HasKindOperatorAndChildren) {
    const SourceFile source =
        parsed(std::string("__constant__ float table[8];\nstruct P { int a; };\n"
                           "__global__ void f(float* x, int i, unsigned n, float4 v, P s, const P* t) { (void)(") +
               GetParam().text + "); }");
    const Expression& expression = source.expressions[expression_at(source, GetParam().text)];
    EXPECT_EQ(static_cast<int>(expression.kind), static_cast<int>(GetParam().kind));
    EXPECT_EQ(expression.op, GetParam().op);
    EXPECT_EQ(expression.constant, GetParam().constant);
    ASSERT_EQ(expression.children.size(), GetParam().children.size());
    for (std::size_t i = 0; i < GetParam().children.size(); ++i) {
        EXPECT_EQ(source.text_of(expression.children[i]), GetParam().children[i]);
    }
}

using EK = ExpressionKind;
const ExpressionCase expression_cases[] = {
    {"i + 1", EK::binary, "+", {}, {"i", "1"}},
    {"2 * (3 + 4)", EK::binary, "*", 14, {"2", "3 + 4"}},
    {"x[i]", EK::subscript, "", {}, {"x", "i"}},
    {"i[x]", EK::subscript, "", {}, {"x", "i"}},
    {"*x", EK::unary, "*", {}, {"x"}},
    {"&x[1]", EK::unary, "&", {}, {"x[1]"}},
    {"i++", EK::unary, "p++", {}, {"i"}},
    {"--i", EK::unary, "--", {}, {"i"}},
    {"x[0] = 1.0f", EK::assignment, "=", {}, {"x[0]", "1.0f"}},
    {"x[0] += 1.0f", EK::assignment, "+=", {}, {"x[0]", "1.0f"}},
    {"i >>= 1", EK::assignment, ">>=", {}, {"i", "1"}},
    {"i ? 1 : 2", EK::conditional, "", {}, {"i", "1", "2"}},
    {"v.x", EK::member, "", {}, {"v"}},
    {"t->a", EK::member, "->", {}, {"t"}},
    {"fmaxf(x[0], 1.0f)", EK::call, "", {}, {"x[0]", "1.0f"}},
    {"(int)x[0]", EK::cast, "", {}, {"x[0]"}},
    {"float(i)", EK::cast, "", {}, {"i"}},
    {"static_cast<float>(i)", EK::cast, "", {}, {"i"}},
    {"sizeof(float4)", EK::sizeof_, "", 16, {}},
    {"threadIdx.y", EK::builtin_index, "", {}, {}},
    {"warpSize", EK::builtin_index, "", {}, {}},
    {"0x1fu", EK::integer_literal, "", 31, {}},
    {"'a'", EK::integer_literal, "", 97, {}},
    {"true", EK::bool_literal, "", 1, {}},
    {"INT_MAX", EK::integer_literal, "", 2147483647, {}},
    {"1e-3f", EK::float_literal, "", {}, {}},
    {"table[2]", EK::subscript, "", {}, {"table", "2"}},
    {"make_float2(1, 2)", EK::call, "", {}, {"1", "2"}},
    {"atomicAdd(&x[0], 1.0f)", EK::call, "", {}, {"&x[0]", "1.0f"}},
    {"i, n", EK::binary, ",", {}, {"i", "n"}},
};
INSTANTIATE_TEST_SUITE_P(Table, ParsedExpression, ::testing::ValuesIn(expression_cases));

TEST(Parse, KeepsValueChangingCastsAlone) {
    const SourceFile source = parsed("__global__ void f(float* x, int i, unsigned n) { x[i] = i < n ? i : 0; }");
    const Expression& comparison = source.expressions[expression_at(source, "i < n")];
    const Expression& left = source.expressions[comparison.children[0]];
    EXPECT_EQ(left.kind, EK::cast);
    EXPECT_TRUE(left.implicit);
    EXPECT_EQ(source.types[left.type].spelling, "unsigned int");
    EXPECT_EQ(source.expressions[comparison.children[1]].kind, EK::variable);
}

TEST(Parse, TypesOfVectorsHalfAndPointers) {
    const SourceFile source = parsed("__global__ void f(float4 v, const double* __restrict__ d, unsigned char c, int2* p) {}");
    const auto type = [&](const char* name) { return source.types[source.variables[variable_named(source, name)].type]; };
    EXPECT_EQ(type("v").kind, TypeKind::vector);
    EXPECT_EQ(type("v").extent, 4u);
    EXPECT_EQ(type("v").bytes, 16u);
    EXPECT_EQ(source.types[type("v").element].bits, 32u);
    EXPECT_EQ(type("d").kind, TypeKind::pointer);
    EXPECT_EQ(source.types[type("d").element].bits, 64u);
    EXPECT_FALSE(type("c").is_signed);
    EXPECT_EQ(source.types[type("p").element].kind, TypeKind::vector);
}

TEST(Parse, StatementsIncludeTheirSemicolonsAndBodies) {
    const SourceFile source = parsed(R"(__global__ void f(float* x, int n) {
    do { x[0] *= 2; } while (x[0] < 10) ;
    while (n > 0) n >>= 1 /* half */;
    if (n) x[1] = 0; else x[2] = 0;
    switch (n) { case 0: x[3] = 0; break; default: x[4] = 0; }
    asm volatile("" : "+r"(n));
    for (;;) { if (n) break; continue; }
    ;
    return;
}
)");
    const char* const texts[] = {"do { x[0] *= 2; } while (x[0] < 10) ;",
                                 "while (n > 0) n >>= 1 /* half */;",
                                 "n >>= 1 /* half */;",
                                 "if (n) x[1] = 0; else x[2] = 0;",
                                 "x[1] = 0;",
                                 "case 0: x[3] = 0;",
                                 "default: x[4] = 0;",
                                 "asm volatile(\"\" : \"+r\"(n));",
                                 "for (;;) { if (n) break; continue; }",
                                 "if (n) break;",
                                 "continue;",
                                 "return;"};
    for (const char* text : texts) EXPECT_EQ(source.text_of(source.statements[statement_at(source, text)].span), text);
    EXPECT_TRUE(source.variables[variable_named(source, "n")].is_written);
    expect_sound(source);
}

TEST(Parse, PragmasBelongToTheirLoops) {
    const SourceFile source = parsed(R"(#define REPEAT _Pragma("unroll") for (int k = 0; k < 4; ++k)
__global__ void f(float* x, int n) {
#pragma unroll 4
    for (int i = 0; i < n; ++i) x[i] = 0;
    #pragma unroll
    for (int j = 0; j < n; ++j) x[j] = 0;
    REPEAT x[k] = 0;
}
)");
    const Statement& first = source.statements[statement_at(source, "for (int i")];
    EXPECT_EQ(first.pragma, "#pragma unroll 4");
    EXPECT_EQ(source.text_of(first.pragma_span), "#pragma unroll 4");
    EXPECT_EQ(source.statements[statement_at(source, "for (int j")].pragma, "#pragma unroll");
    EXPECT_FALSE(source.statements[statement_at(source, "REPEAT")].pragma.empty());
}

TEST(Parse, MacroUsesKeepTheSpanOfTheUse) {
    const SourceFile source = parsed(R"(#define SQUARE(a) ((a) * (a))
#define LOOP(i, n) \
    for (int i = 0; i < n; ++i)
__global__ void f(float* x, int n) {
    LOOP(j, n) { x[j] = SQUARE(x[j] + 1); }
}
)");
    ASSERT_EQ(source.macro_definitions.size(), 2u);
    EXPECT_EQ(source.text_of(source.macro_definitions[0]), "#define SQUARE(a) ((a) * (a))");
    EXPECT_TRUE(source.text_of(source.macro_definitions[1]).ends_with("++i)"));
    const Expression& square = source.expressions[expression_at(source, "SQUARE(x[j] + 1)")];
    EXPECT_TRUE(square.in_macro);
    EXPECT_EQ(square.kind, EK::binary);
    EXPECT_EQ(source.text_of(square.children[0]), "SQUARE(x[j] + 1)");
    const Statement& loop = source.statements[statement_at(source, "LOOP(j, n) {")];
    EXPECT_EQ(loop.kind, StatementKind::for_);
    EXPECT_FALSE(loop.in_macro);
    EXPECT_TRUE(source.expressions[loop.expression].in_macro);
    EXPECT_TRUE(source.variables[variable_named(source, "j")].in_macro);
    EXPECT_FALSE(source.statements[statement_at(source, "x[j] = SQUARE")].in_macro);
}

TEST(Parse, KernelsMadeByMacros) {
    const SourceFile source = parsed(R"(#define COPY(S) extern "C" __global__ void copy##S(float* x) { x[0] = S; }
COPY(1)
COPY(2)
)");
    ASSERT_EQ(source.kernels().size(), 2u);
    const Function& first = source.functions[source.kernels()[0]];
    EXPECT_EQ(first.name, "copy1");
    EXPECT_TRUE(first.in_macro);
    EXPECT_EQ(source.text_of(first.span), "COPY(1)");
}

TEST(Parse, NamesOfKernels) {
    const SourceFile source = parsed(R"(namespace a { __global__ void f(float* x) {} }
namespace b { __global__ void f(float* x) {} __global__ void g(int) {} }
template <typename T, int N> __global__ void scale(T* x) { x[0] *= N; }
extern "C" { __global__ void plain() {} }
__global__ void declared(int);
__global__ void declared(int n) {}
)");
    EXPECT_EQ(source.kernels().size(), 6u);
    EXPECT_EQ(source.functions[source.find_kernel("b::f").value()].lowered_name, "_ZN1b1fEPf");
    EXPECT_EQ(source.functions[source.find_kernel("g").value()].qualified_name, "b::g");
    EXPECT_EQ(source.find_kernel("_ZN1b1fEPf").value(), source.find_kernel("::b::f").value());
    EXPECT_EQ(source.functions[source.find_kernel("plain").value()].lowered_name, "plain");
    EXPECT_NE(source.functions[source.find_kernel("declared").value()].body, none);
    const Function& scale = source.functions[source.find_kernel("scale<float, 4>").value()];
    EXPECT_TRUE(scale.is_template);
    EXPECT_EQ(scale.lowered_name, "");
    EXPECT_EQ(scale.template_parameters, (std::vector<std::string>{"T", "N"}));
    EXPECT_TRUE(source.text_of(scale.span).starts_with("template <typename T"));

    const auto ambiguous = source.find_kernel("f");
    ASSERT_FALSE(ambiguous);
    EXPECT_NE(ambiguous.error().remedy.find("a::f"), std::string::npos);
    const auto absent = source.find_kernel("h");
    ASSERT_FALSE(absent);
    EXPECT_NE(absent.error().remedy.find("b::g"), std::string::npos);
    EXPECT_FALSE(parsed("__device__ int f() { return 1; }").find_kernel("f"));
}

TEST(Parse, TemplatesByPatternAndByInstantiation) {
    const std::string text = R"(template <typename T, int N>
__global__ void scale(const T* x, T* y, int n) {
    int i = threadIdx.x * N;
    for (int k = 0; k < N; ++k) y[i + k] = x[i + k] * T(2);
}
)";
    const SourceFile pattern = parsed(text);
    const Variable& x = pattern.variables[variable_named(pattern, "x")];
    EXPECT_EQ(pattern.types[pattern.types[x.type].element].kind, TypeKind::other);
    EXPECT_EQ(pattern.expressions[expression_at(pattern, "k < N")].constant, std::nullopt);
    EXPECT_EQ(pattern.variables[variable_named(pattern, "N")].storage, Storage::template_value);

    ParseOptions options;
    options.instantiations = {"scale<float, 4>"};
    const SourceFile instance = parsed(text, options);
    const Variable& instance_x = instance.variables[variable_named(instance, "x")];
    EXPECT_EQ(instance.types[instance.types[instance_x.type].element].kind, TypeKind::floating);
    EXPECT_EQ(instance.expressions[expression_at(instance, "N")].constant, 4);
    EXPECT_EQ(instance.text_of(instance_x.declaration), "* x");
    EXPECT_EQ(instance.text, text);
    expect_sound(instance);

    options.instantiations.push_back("scale<double, 4>");  // two: the pattern again
    const SourceFile two = parsed(text, options);
    EXPECT_EQ(two.types[two.types[two.variables[variable_named(two, "x")].type].element].kind, TypeKind::other);
}

TEST(Parse, ConstantsFromConstexprAndDefines) {
    ParseOptions options;
    options.defines = {"TILE=16"};
    const SourceFile source = parsed("constexpr int W = 4;\n__global__ void f(float* x) { x[W * TILE] = 0; }", options);
    EXPECT_EQ(source.expressions[expression_at(source, "W * TILE")].constant, 64);
}

TEST(Parse, MarksWrittenAndAddressedVariables) {
    const SourceFile source = parsed(R"(__device__ void change(float& v, float w) { v = w; }
__device__ void fill(float* p) { p[0] = 1; }
__global__ void f(float* x, int n) {
    int assigned, stepped = 0, read = n;
    float by_reference = 0, by_value = 0, taken = 0, captured = 0;
    float array[4], decayed[4], measured[4];
    assigned = read + sizeof(measured);
    ++stepped;
    change(by_reference, by_value);
    float* p = &taken;
    array[0] = *p;
    fill(decayed);
    auto g = [&]() { captured = 1; };
    g();
    x[assigned] = array[stepped];
}
)");
    const auto flags = [&](const char* name) {
        const Variable& variable = source.variables[variable_named(source, name)];
        return std::pair(variable.is_written, variable.address_taken);
    };
    EXPECT_EQ(flags("assigned"), std::pair(true, false));
    EXPECT_EQ(flags("stepped"), std::pair(true, false));
    EXPECT_EQ(flags("read"), std::pair(false, false));
    EXPECT_EQ(flags("by_reference"), std::pair(true, true));
    EXPECT_EQ(flags("by_value"), std::pair(false, false));
    EXPECT_EQ(flags("taken"), std::pair(true, true));
    EXPECT_EQ(flags("captured"), std::pair(true, true));
    EXPECT_EQ(flags("array"), std::pair(true, false));
    EXPECT_EQ(flags("decayed"), std::pair(true, true));
    EXPECT_EQ(flags("measured"), std::pair(false, false));
    EXPECT_EQ(flags("x"), std::pair(false, false));
}

TEST(Parse, ErrorsHaveTheUsersPlace) {
    const Result<SourceFile> source = parse("__global__ void f(float* x) {\n    x[0] = y;\n}\n__global__ void g() {}\n", {});
    ASSERT_TRUE(source);
    const Status status = first_error(*source);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().kind, ErrorKind::user);
    EXPECT_EQ(status.error().where, (SourceLocation{"kernel.cu", 2, 12}));
    EXPECT_EQ(status.error().message, "use of undeclared identifier 'y'");
    EXPECT_EQ(source->kernels().size(), 2u);
}

const char* const broken_texts[] = {
    "",
    "}",
    "__global__",
    "__global__ void f(",
    "__global__ void f(float* x) { x[0] = ",
    "__global__ void f() { for (;;",
    "template <",
    "#include",
    "#if 1\n__global__ void f() {}",
    "\xff\xfe\x00garbage",
    "__global__ void f() { int a[-1]; a[99999999999999999999]; }",
    "__global__ void f() { f<<<1>>>(); }",
    "struct S { S s; }; __global__ void f(S s) {}",
    "__global__ int f() { return 1; }",
    "__global__ void f(T x) { U y = x.z; }",
    "\"unterminated",
    "/* unterminated",
    "#error no\n",
    "__global__ void f() { case 1: break; }",
};

TEST(Parse, BrokenTextIsAnOutcome) {
    for (const char* text : broken_texts) {
        const Result<SourceFile> source = parse(text, {});
        ASSERT_TRUE(source) << text;
        expect_sound(*source);
    }
}

TEST(Parse, DeepNestingEndsInAnOutcome) {
    std::string sum = "1";
    for (int i = 0; i < 5000; ++i) sum += "+x[0]";
    const Result<SourceFile> deep = parse("__global__ void f(float* x) { x[0] = " + sum + "; }", {});
    ASSERT_TRUE(deep);
    expect_sound(*deep);
    const std::string open(2000, '('), close(2000, ')');
    ASSERT_TRUE(parse("__global__ void f(float* x) { x[0] = " + open + "1" + close + "; }", {}));
}

TEST(Parse, HostCodeBesideKernels) {
    const Result<SourceFile> source = parse(R"(#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
__global__ void add(const float* a, float* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}
void check(const std::vector<float>& v) { for (float f : v) std::cout << f; }
int main(int argc, char** argv) {
    int n = 1000;
    std::vector<float> host(n);
    float *a, *b;
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc((void**)&b, n * sizeof(float));
    dim3 block(256);
    add<<<(n + 255) / 256, block>>>(a, b, n);
    cudaDeviceSynchronize();
    printf("%f\n", host[0]);
    return 0;
}
)",
                                            {});
    ASSERT_TRUE(source);
    EXPECT_TRUE(first_error(*source)) << first_error(*source).error().text();
    ASSERT_EQ(source->kernels().size(), 1u);
    ASSERT_EQ(source->launches.size(), 1u);
    const KernelLaunch& launch = source->launches[0];
    EXPECT_EQ(source->expressions[launch.call].name, "add");
    EXPECT_EQ(source->expressions[launch.call].children.size(), 3u);
    EXPECT_EQ(source->text_of(launch.grid), "(n + 255) / 256");
    EXPECT_EQ(source->text_of(launch.block), "block");
    EXPECT_EQ(launch.shared, none);
}

TEST(Parse, AnIncludeWithoutHeadersIsAnErrorOfTheEnvironment) {
    const Result<SourceFile> source = parse("#include <cuda_fp16.h>\n__global__ void f(half* x) {}\n", {});
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().kind, ErrorKind::environment);
    EXPECT_NE(source.error().message.find("cuda_fp16.h"), std::string::npos);
}

TEST(Parse, IsSafeOnSeveralThreads) {
    std::vector<std::size_t> kernels(8);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        threads.emplace_back([&, i] {
            const auto source = parse("template <int N> __global__ void f(float* x) { x[N] = 0; }\n__global__ void g() {}\n", {});
            kernels[i] = source ? source->kernels().size() : 0;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(kernels, std::vector<std::size_t>(8, 2));
}

}  // namespace
}  // namespace optiml::cuda_source
