// The wider value domain: close to the real function through the code that the compiler makes of a library function.

#include <cmath>

#include <gtest/gtest.h>

#include "emulator/arithmetic/wide_program.h"

namespace optiml::emulator {
namespace {

constexpr const char* kDeclarations = ".reg .pred %p<10>; .reg .b32 %r<40>; .reg .f32 %f<60>; .reg .f64 %fd<70>; .reg .b64 %rd<10>; .reg .b32 %temp;";

// What nvcc 13.0 makes of expf(%f1): %f17.
constexpr const char* kExp = R"(
    mov.f32 %f2, 0f3F000000; mov.f32 %f3, 0f3BBB989D;
    fma.rn.f32 %f4, %f1, %f3, %f2;
    cvt.sat.f32.f32 %f5, %f4;
    mov.f32 %f6, 0f4B400001; mov.f32 %f7, 0f437C0000;
    fma.rm.f32 %f8, %f5, %f7, %f6;
    add.f32 %f9, %f8, 0fCB40007F;
    neg.f32 %f10, %f9;
    mov.f32 %f11, 0f3FB8AA3B;
    fma.rn.f32 %f12, %f1, %f11, %f10;
    mov.f32 %f13, 0f32A57060;
    fma.rn.f32 %f14, %f1, %f13, %f12;
    mov.b32 %r2, %f8;
    shl.b32 %r3, %r2, 23;
    mov.b32 %f15, %r3;
    ex2.approx.ftz.f32 %f16, %f14;
    mul.f32 %f17, %f16, %f15;)";

// Of logf(%f5) for positive finite values: %f35.
constexpr const char* kLog = R"(
    setp.lt.f32 %p1, %f5, 0f00800000;
    mul.f32 %f6, %f5, 0f4B000000;
    selp.f32 %f1, %f6, %f5, %p1;
    selp.f32 %f7, 0fC1B80000, 0f00000000, %p1;
    mov.b32 %r2, %f1;
    add.s32 %r3, %r2, -1059760811;
    and.b32 %r4, %r3, -8388608;
    sub.s32 %r5, %r2, %r4;
    mov.b32 %f8, %r5;
    cvt.rn.f32.s32 %f9, %r4;
    mov.f32 %f10, 0f34000000;
    fma.rn.f32 %f11, %f9, %f10, %f7;
    add.f32 %f12, %f8, 0fBF800000;
    mov.f32 %f13, 0f3E1039F6; mov.f32 %f14, 0fBE055027;
    fma.rn.f32 %f15, %f14, %f12, %f13;
    fma.rn.f32 %f17, %f15, %f12, 0fBDF8CDCC;
    fma.rn.f32 %f19, %f17, %f12, 0f3E0F2955;
    fma.rn.f32 %f21, %f19, %f12, 0fBE2AD8B9;
    fma.rn.f32 %f23, %f21, %f12, 0f3E4CED0B;
    fma.rn.f32 %f25, %f23, %f12, 0fBE7FFF22;
    fma.rn.f32 %f27, %f25, %f12, 0f3EAAAA78;
    fma.rn.f32 %f29, %f27, %f12, 0fBF000000;
    mul.f32 %f30, %f12, %f29;
    fma.rn.f32 %f31, %f30, %f12, %f12;
    fma.rn.f32 %f35, %f11, 0f3F317218, %f31;)";

// Of tanhf(%f1): %f23.
constexpr const char* kTanh = R"(
    abs.f32 %f2, %f1;
    mul.f32 %f3, %f2, 0f4038AA3B;
    ex2.approx.ftz.f32 %f4, %f3;
    add.f32 %f5, %f4, 0f3F800000;
    mov.f32 %f6, 0f3F800000;
    rcp.approx.ftz.f32 %f7, %f5;
    mov.f32 %f8, 0fC0000000;
    fma.rn.f32 %f9, %f7, %f8, %f6;
    setp.ge.f32 %p1, %f2, 0f41102CB4;
    selp.f32 %f10, 0f3F800000, %f9, %p1;
    copysign.f32 %f11, %f1, %f10;
    mul.f32 %f12, %f1, %f1;
    fma.rn.f32 %f15, 0f3C80F082, %f12, 0fBD563CAE;
    fma.rn.f32 %f17, %f15, %f12, 0f3E085941;
    fma.rn.f32 %f19, %f17, %f12, 0fBEAAA9ED;
    fma.rn.f32 %f21, %f19, %f12, 0f00000000;
    fma.rn.f32 %f22, %f21, %f1, %f1;
    setp.ge.f32 %p2, %f2, 0f3F19999A;
    selp.f32 %f23, %f11, %f22, %p2;)";

// Of exp(%fd1) where the result is normal: %fd40.
constexpr const char* kExpDouble = R"(
    fma.rn.f64 %fd8, %fd1, 0d3FF71547652B82FE, 0d4338000000000000;
    mov.b64 {%r1, %temp}, %fd8;
    add.rn.f64 %fd10, %fd8, 0dC338000000000000;
    fma.rn.f64 %fd12, %fd10, 0dBFE62E42FEFA39EF, %fd1;
    fma.rn.f64 %fd14, %fd10, 0dBC7ABC9E3B39803F, %fd12;
    mov.f64 %fd15, 0d3E928AF3FCA213EA; mov.f64 %fd16, 0d3E5ADE1569CE2BDF;
    fma.rn.f64 %fd17, %fd16, %fd14, %fd15;
    fma.rn.f64 %fd19, %fd17, %fd14, 0d3EC71DEE62401315;
    fma.rn.f64 %fd21, %fd19, %fd14, 0d3EFA01997C89EB71;
    fma.rn.f64 %fd23, %fd21, %fd14, 0d3F2A01A014761F65;
    fma.rn.f64 %fd25, %fd23, %fd14, 0d3F56C16C1852B7AF;
    fma.rn.f64 %fd27, %fd25, %fd14, 0d3F81111111122322;
    fma.rn.f64 %fd29, %fd27, %fd14, 0d3FA55555555502A1;
    fma.rn.f64 %fd31, %fd29, %fd14, 0d3FC5555555555511;
    fma.rn.f64 %fd33, %fd31, %fd14, 0d3FE000000000000B;
    mov.f64 %fd34, 0d3FF0000000000000;
    fma.rn.f64 %fd35, %fd33, %fd14, %fd34;
    fma.rn.f64 %fd36, %fd35, %fd14, %fd34;
    mov.b64 {%r2, %temp}, %fd36;
    mov.b64 {%temp, %r3}, %fd36;
    shl.b32 %r5, %r1, 20;
    add.s32 %r6, %r3, %r5;
    mov.b64 %fd40, {%r2, %r6};)";

double relative(long double found, long double expected) { return static_cast<double>(std::abs((found - expected) / expected)); }

struct SingleFunction {
    const char* name;
    const char* text;
    const char* argument;
    const char* result;
    long double (*exact)(long double);
    double tolerance;       // relative, of the wider value
    std::vector<float> arguments;
    double bits_tolerance = 1e-6;  // relative, of the value itself
};

std::vector<SingleFunction> single_functions() {
    return {
        // The code takes 1/ln 2 from two f32 constants.
        {"expf", kExp, "%f1", "%f17", std::exp, 1e-13, {-80.5f, -10.1f, -1.0f, -0.3f, 1e-6f, 0.7f, 1.0f, 3.3f, 20.7f, 60.2f, 88.0f}},
        // A polynomial of f32 quality and ln 2 from one f32 constant.
        {"logf", kLog, "%f5", "%f35", std::log, 1e-7, {1e-30f, 0.001f, 0.3f, 0.66f, 0.7f, 1.4f, 2.0f, 3.3f, 1000.7f, 1e30f}},
        {"tanhf", kTanh, "%f1", "%f23", std::tanh, 1e-7, {-8.0f, -1.5f, -0.7f, -0.3f, 1e-3f, 0.1f, 0.59f, 0.61f, 2.0f, 5.0f}},
        {"rsqrt", "rsqrt.approx.f32 %f2, %f1;", "%f1", "%f2", [](long double x) { return 1 / std::sqrt(x); }, 1e-15, {0.1f, 2.0f, 3.3e7f}},
        {"1/x", "div.rn.f32 %f2, 0f3F800000, %f1;", "%f1", "%f2", [](long double x) { return 1 / x; }, 1e-15, {0.3f, 7.0f, 1e10f}},
        {"sin", "sin.approx.f32 %f2, %f1;", "%f1", "%f2", std::sin, 1e-15, {0.3f, 2.0f, -7.0f}, 2e-6},  // an absolute error, larger beyond pi
        {"cos", "cos.approx.f32 %f2, %f1;", "%f1", "%f2", std::cos, 1e-15, {0.3f, 2.0f, -7.0f}, 2e-6},
        {"log2", "lg2.approx.f32 %f2, %f1;", "%f1", "%f2", std::log2, 1e-15, {0.3f, 2.5f, 1e20f}},
        {"sqrt", "sqrt.rn.f32 %f2, %f1;", "%f1", "%f2", std::sqrt, 1e-15, {0.3f, 2.0f, 1e20f}},
        {"x^2 / (1 + x)", "mul.f32 %f2, %f1, %f1; add.f32 %f3, %f1, 0f3F800000; div.rn.f32 %f4, %f2, %f3;", "%f1", "%f4",
         [](long double x) { return x * x / (1 + x); }, 1e-15, {0.3f, 2.0f, 1e7f}},
    };
}

TEST(Shadow, IsCloseToTheFunctionOfF32) {
    for (const SingleFunction& function : single_functions()) {
        for (const float argument : function.arguments) {
            WideProgram program(kDeclarations, function.text);
            program.set_single(function.argument, argument);
            program.run();
            ASSERT_EQ(program.error, "") << function.name;
            const long double exact = function.exact(argument);
            EXPECT_LT(relative(program.single(function.result), exact), function.bits_tolerance) << function.name << "(" << argument << ") bits";
            EXPECT_LT(relative(program.wide_single(function.result), exact), function.tolerance) << function.name << "(" << argument << ")";
        }
    }
}

// The argument's own wider value counts: a difference in it, far below an f32 ulp, comes out as the derivative says.
TEST(Shadow, CarriesTheArgumentsOwnWiderValue) {
    for (const SingleFunction& function : single_functions()) {
        for (const float argument : function.arguments) {
            const long double wide = argument * (1 + 1e-9L);
            double results[2];
            for (const bool shadowed : {false, true}) {
                WideProgram program(kDeclarations, function.text);
                program.set_single(function.argument, argument);
                if (shadowed) program.set_shadow(function.argument, static_cast<double>(wide));
                program.run();
                results[shadowed] = program.wide_single(function.result);
            }
            const long double expected = function.exact(wide) - function.exact(argument);
            EXPECT_NEAR(results[1] - results[0], static_cast<double>(expected),
                        0.002 * std::abs(static_cast<double>(expected)) + 1e-14 * std::abs(results[0])) << function.name << "(" << argument << ")";
        }
    }
}

TEST(Shadow, IsCloseToTheExponentialOfF64) {
    for (const double argument : {-300.25, -1.0, -0.01, 0.3, 1.0, 2.7, 55.5, 700.0}) {
        WideProgram program(kDeclarations, kExpDouble);
        program.set_double("%fd1", argument);
        program.run();
        ASSERT_EQ(program.error, "");
        const long double exact = std::exp(static_cast<long double>(argument));
        EXPECT_LT(relative(program.real("%fd40"), exact), 3e-16) << argument;
        EXPECT_LT(relative(program.wide_real("%fd40"), exact), 3e-17) << argument;
        EXPECT_TRUE(program.has_shadow("%fd40"));
    }
}

TEST(Shadow, HoldsTwiceThePrecisionOfF64) {
    // 1/3 summed up, its root, and the division back: all to more than a long double shows.
    WideProgram program(kDeclarations, R"(
        div.rn.f64 %fd2, %fd1, 0d4008000000000000;
        fma.rn.f64 %fd3, %fd2, 0d4008000000000000, 0dBFF0000000000000;
        sqrt.rn.f64 %fd4, %fd2;
        mul.f64 %fd5, %fd4, %fd4;
        sub.f64 %fd6, %fd5, %fd2;
        rcp.approx.ftz.f64 %fd7, %fd2;
        rsqrt.approx.ftz.f64 %fd8, %fd2;
        mul.f64 %fd9, %fd8, %fd4;)");
    program.set_double("%fd1", 1);
    program.run();
    ASSERT_EQ(program.error, "");
    EXPECT_LT(std::abs(program.wide_real("%fd3")), 1e-31L);
    EXPECT_LT(std::abs(program.wide_real("%fd6")), 1e-31L);
    EXPECT_GT(relative(program.real("%fd8"), std::sqrt(3.0L)), 1e-9);  // a start value
    EXPECT_LT(std::abs(program.wide_real("%fd7") - 3), 1e-18L);
    EXPECT_LT(std::abs(program.wide_real("%fd9") - 1), 1e-18L);
}

TEST(Shadow, OfASumIsTheExactSum) {
    std::string text = "mov.f32 %f2, 0f00000000;";
    for (int term = 0; term < 1000; ++term) text += "add.f32 %f2, %f2, %f1;";
    WideProgram program(kDeclarations, text);
    program.set_single("%f1", 0.1f);
    program.run();
    EXPECT_GT(relative(program.single("%f2"), 1000 * 0.1f), 1e-7);
    EXPECT_LT(relative(program.wide_single("%f2"), 1000 * static_cast<long double>(0.1f)), 1e-13);
}

struct BitCase {
    const char* name;
    const char* text;     // from %f1 = 3.0 with the wider value 3.0 * (1 + 1e-9) to %f9
    double factor;        // 0: the shadow is dropped
};

TEST(Shadow, FollowsFloatBitsThroughIntegerOperations) {
    const BitCase cases[] = {
        {"copies", "mov.b32 %r1, %f1; mov.b32 %f9, %r1;", 1},
        {"fabs", "mov.b32 %r1, %f1; or.b32 %r1, %r1, -2147483648; and.b32 %r2, %r1, 2147483647; mov.b32 %f9, %r2;", 1},
        {"negation", "mov.b32 %r1, %f1; xor.b32 %r2, %r1, -2147483648; mov.b32 %f9, %r2;", -1},
        {"ldexp", "mov.b32 %r1, %f1; add.s32 %r2, %r1, 41943040; mov.b32 %f9, %r2;", 32},
        {"exponent removed", "mov.b32 %r1, %f1; sub.s32 %r2, %r1, 8388608; mov.b32 %f9, %r2;", 0.5},
        {"selection", "setp.lt.f32 %p1, %f1, 0f40400001; selp.b32 %r1, %f1, 0, %p1; mov.b32 %f9, %r1;", 1},
        {"low bits cleared", "and.b32 %r2, %f1, -4096; mov.b32 %f9, %r2;", 0},
        {"other bits", "add.s32 %r2, %f1, 1; mov.b32 %f9, %r2;", 0},
        {"shift", "shl.b32 %r2, %f1, 1; mov.b32 %f9, %r2;", 0},
        {"neg and abs", "neg.f32 %f2, %f1; abs.f32 %f9, %f2;", 1},
        {"copysign", "mov.f32 %f2, 0fBF800000; copysign.f32 %f9, %f2, %f1;", -1},
        {"minimum", "min.f32 %f9, %f1, 0f40A00000;", 1},
        {"maximum of equal bits", "max.f32 %f9, 0f40400000, %f1;", 1},
        {"rounding to a whole number", "add.f32 %f2, %f1, 0f4B400000; sub.f32 %f9, %f2, 0f4B400000;", 0},
        {"rni", "cvt.rni.f32.f32 %f9, %f1;", 0},
        {"a direction", "add.rz.f32 %f9, %f1, 0f3F800000;", 0},
        {"f64 and back", "cvt.f64.f32 %fd1, %f1; cvt.rn.f32.f64 %f9, %fd1;", 1},
    };
    const double wide = 3.0 * (1 + 1e-9);
    for (const BitCase& instance : cases) {
        WideProgram program(kDeclarations, instance.text);
        program.set_single("%f1", 3.0f);
        program.set_shadow("%f1", wide);
        program.run();
        ASSERT_EQ(program.error, "") << instance.name;
        const double expected = instance.factor == 0 ? program.single("%f9") : instance.factor * wide;
        EXPECT_DOUBLE_EQ(program.wide_single("%f9"), expected) << instance.name;
        if (instance.factor != 0) {
            EXPECT_EQ(program.single("%f9"), static_cast<float>(3 * instance.factor)) << instance.name;
        }
    }
}

TEST(Shadow, OfF64SurvivesItsHalves) {
    const struct {
        const char* name;
        const char* text;
        double factor;
    } cases[] = {
        {"taken apart and put together", "mov.b64 {%r1, %r2}, %fd1; mov.b64 %fd9, {%r1, %r2};", 1},
        {"by two instructions", "mov.b64 {%r1, %temp}, %fd1; mov.b64 {%temp, %r2}, %fd1; mov.b64 %fd9, {%r1, %r2};", 1},
        {"fabs", "mov.b64 {%r1, %r2}, %fd1; xor.b32 %r2, %r2, -2147483648; and.b32 %r3, %r2, 2147483647; mov.b64 %fd9, {%r1, %r3};", 1},
        {"ldexp", "mov.b64 {%r1, %r2}, %fd1; add.s32 %r3, %r2, 3145728; mov.b64 %fd9, {%r1, %r3};", 8},
        {"frexp", "mov.b64 {%r1, %r2}, %fd1; and.b32 %r3, %r2, -2146435073; or.b32 %r4, %r3, 1072693248; mov.b64 %fd9, {%r1, %r4};", 0.5},
        {"negated as a word", "mov.b64 %rd1, %fd1; xor.b64 %rd2, %rd1, -9223372036854775808; mov.b64 %fd9, %rd2;", -1},
        {"halves of different values", "add.f64 %fd2, %fd1, %fd1; add.f64 %fd2, %fd2, %fd1; mov.b64 {%r1, %temp}, %fd2; mov.b64 {%temp, %r2}, %fd1; mov.b64 %fd9, {%r1, %r2};", 0},
    };
    for (const double low : {0.0, 3e-17}) {
        const double high = 3.3000000000000003;  // an ulp above the bits
        for (const auto& [name, text, factor] : cases) {
            WideProgram program(kDeclarations, text);
            program.set_double("%fd1", 3.3);
            program.set_shadow("%fd1", high, low);
            program.run();
            ASSERT_EQ(program.error, "") << name;
            const long double expected = factor == 0 ? program.real("%fd9") : factor * (static_cast<long double>(high) + low);
            EXPECT_EQ(program.wide_real("%fd9"), expected) << name;
        }
    }
}

TEST(Shadow, HalfOfAnF64IsNoF32) {
    WideProgram program(kDeclarations, "mov.b64 {%temp, %r1}, %fd1; mov.b32 %f1, %r1; abs.f32 %f2, %f1; add.f32 %f3, %f1, 0f3F800000;");
    program.set_double("%fd1", 1e10);
    program.set_shadow("%fd1", 1e10, 1e-7);
    program.run();
    EXPECT_EQ(program.wide_single("%f2"), program.single("%f2"));
    EXPECT_DOUBLE_EQ(program.wide_single("%f3"), static_cast<double>(program.single("%f1")) + 1);
}

TEST(Shadow, OfAnIntegerIsExact) {
    WideProgram program(kDeclarations, "cvt.rn.f32.s32 %f1, %r1; cvt.rn.f64.u64 %fd1, %rd1; cvt.rn.f64.s64 %fd2, %rd1; cvt.rz.f32.s32 %f2, %r1;");
    program.set_bits("%r1", static_cast<std::uint32_t>(-16777217));
    program.set_bits("%rd1", 0xfffffffffffffff5);
    program.run();
    EXPECT_EQ(program.single("%f1"), -16777216.0f);
    EXPECT_EQ(program.wide_single("%f1"), -16777217.0);
    EXPECT_EQ(program.wide_real("%fd1"), 18446744073709551605.0L);
    EXPECT_EQ(program.wide_real("%fd2"), -11.0L);
    EXPECT_FALSE(program.has_shadow("%f2"));
}

TEST(Shadow, DoesNotOverflowWithTheBits) {
    WideProgram program(kDeclarations, "mul.f32 %f2, %f1, %f1; mul.f32 %f3, %f2, %f2; sub.f32 %f4, %f3, %f3;");
    program.set_single("%f1", 1e10f);
    program.run();
    EXPECT_TRUE(std::isinf(program.single("%f3")));
    EXPECT_NEAR(program.wide_single("%f3"), 1e40, 1e33);
    EXPECT_EQ(program.wide_single("%f4"), 0);
}

TEST(Shadow, IsTheSameAtEveryLevel) {
    for (const Level level : {Level::v3, Level::v4}) {
        if (!is_offered(level)) continue;
        for (const SingleFunction& function : single_functions()) {
            for (const float argument : function.arguments) {
                WideProgram base(kDeclarations, function.text, Level::baseline), other(kDeclarations, function.text, level);
                for (WideProgram* program : {&base, &other}) {
                    program->set_single(function.argument, argument);
                    program->run();
                }
                EXPECT_EQ(base.wide_single(function.result), other.wide_single(function.result)) << function.name << "(" << argument << ")";
            }
        }
    }
}

}  // namespace
}  // namespace optiml::emulator
