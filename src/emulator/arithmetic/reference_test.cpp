// Rounding against references of another kind: exhaustive for the 16-bit formats, by 128-bit arithmetic for f32 and f64.

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "emulator/arithmetic/lane_rows.h"

namespace optiml::emulator {
namespace {

__extension__ typedef __float128 Quad;

std::vector<Level> offered_levels() {
    std::vector<Level> levels;
    for (const Level level : {Level::baseline, Level::v3, Level::v4})
        if (is_offered(level)) levels.push_back(level);
    return levels;
}

// Runs an instruction over many values, 32 at a time; sources by register, each as long as the result.
std::vector<std::uint64_t> evaluate(const std::string& text, Level level, const std::vector<std::vector<std::uint64_t>>& sources) {
    auto rows = LaneRows::parse(text);
    if (!rows || rows->find(level) == nullptr) {
        ADD_FAILURE() << text;
        return std::vector<std::uint64_t>(sources[0].size());
    }
    std::vector<std::uint64_t> results;
    for (std::size_t first = 0; first < sources[0].size(); first += kLanes) {
        for (std::size_t source = 0; source < sources.size(); ++source) {
            Lanes values{};
            for (std::size_t lane = 0; lane < kLanes && first + lane < sources[source].size(); ++lane) values[lane] = sources[source][first + lane];
            rows->set_numbered(static_cast<int>(source) + 1, values);
        }
        rows->run(rows->find(level));
        const Lanes lanes = rows->destination(0);
        for (std::size_t lane = 0; lane < kLanes && results.size() < sources[0].size(); ++lane) results.push_back(lanes[lane]);
    }
    return results;
}

// ---- 16-bit formats

struct Format {
    const char* name;
    int mantissa, exponent;
};
constexpr Format kFormats[] = {{"f16", 10, 5}, {"bf16", 7, 8}};

std::uint32_t infinity_of(const Format& format) { return ((1u << format.exponent) - 1) << format.mantissa; }

// By the definition: sign * 2^(e - bias) * 1.m
double value_of(std::uint32_t bits, const Format& format) {
    const auto fraction = static_cast<int>(bits & ((1u << format.mantissa) - 1));
    const auto exponent = static_cast<int>(bits >> format.mantissa & ((1u << format.exponent) - 1));
    const int bias = (1 << (format.exponent - 1)) - 1;
    const double magnitude = exponent == 0 ? std::ldexp(fraction, 1 - bias - format.mantissa)
                                           : std::ldexp(fraction + (1 << format.mantissa), exponent - bias - format.mantissa);
    return bits >> 15 != 0 ? -magnitude : magnitude;
}

// The nearest value of the format, ties to even, of a value that is exact in double. By searching the sorted magnitudes.
std::uint32_t nearest_bits(double value, const Format& format) {
    const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0, infinity = infinity_of(format);
    const double magnitude = std::abs(value);
    std::uint32_t low = 0, high = infinity;  // the infinity stands for the next power of two
    while (high - low > 1) {
        const std::uint32_t middle = (low + high) / 2;
        if (value_of(middle, format) <= magnitude) low = middle;
        else high = middle;
    }
    const double below = magnitude - value_of(low, format), above = value_of(high, format) - magnitude;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

TEST(Reference, WideningOf16BitFormatsIsExact) {
    for (const Format& format : kFormats) {
        std::vector<std::uint64_t> all;
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) all.push_back(bits);
        for (const Level level : offered_levels()) {
            const auto single = evaluate(std::string("cvt.f32.") + format.name + " %r0, %h1;", level, {all});
            const auto wide = evaluate(std::string("cvt.f64.") + format.name + " %d0, %h1;", level, {all});
            for (const std::uint64_t bits : all) {
                if ((bits & 0x7fff) >= infinity_of(format)) continue;
                const double expected = value_of(static_cast<std::uint32_t>(bits), format);
                ASSERT_EQ(single[bits], std::bit_cast<std::uint32_t>(static_cast<float>(expected))) << format.name << " " << bits;
                ASSERT_EQ(wide[bits], std::bit_cast<std::uint64_t>(expected)) << format.name << " " << bits;
            }
        }
    }
}

// Every value, every midpoint between neighbours, and the f32 values next to both.
TEST(Reference, NarrowingTo16BitFormatsRoundsCorrectly) {
    for (const Format& format : kFormats) {
        std::vector<std::uint64_t> values;
        for (std::uint32_t bits = 0; bits < infinity_of(format); ++bits) {
            const double here = value_of(bits, format), next = value_of(bits + 1, format);
            for (const double center : {here, (here + next) / 2}) {
                const auto word = std::bit_cast<std::uint32_t>(static_cast<float>(center));
                for (const std::uint32_t neighbour : {word - 1, word, word + 1})
                    if (neighbour < 0x7f800000) values.insert(values.end(), {neighbour, neighbour | 0x80000000u});
            }
        }
        const std::string to = std::string(format.name) + ".f32 %h0, %r1;";
        for (const Level level : offered_levels()) {
            const auto nearest = evaluate("cvt.rn." + to, level, {values}), cut = evaluate("cvt.rz." + to, level, {values});
            for (std::size_t index = 0; index < values.size(); ++index) {
                const double exact = std::bit_cast<float>(static_cast<std::uint32_t>(values[index]));
                ASSERT_EQ(nearest[index], nearest_bits(exact, format)) << format.name << std::hex << " " << values[index];
                const double kept = value_of(static_cast<std::uint32_t>(cut[index]), format);
                const double next = value_of(static_cast<std::uint32_t>(cut[index]) + 1, format);
                ASSERT_TRUE(std::abs(kept) <= std::abs(exact) && std::abs(exact) < std::abs(next)) << format.name << std::hex << " " << values[index];
            }
        }
    }
}

TEST(Reference, ArithmeticOf16BitFormatsRoundsOnce) {
    std::mt19937 random(5);
    for (const Format& format : kFormats) {
        // bf16 products of full range would not be exact in double sums: exponents stay within 30 of each other.
        const auto draw = [&]() -> std::uint32_t {
            const auto bits = static_cast<std::uint32_t>(random() & 0xffff);
            if (format.exponent == 5) return bits % infinity_of(format) | (bits & 0x8000);
            return (bits & 0x807f) | static_cast<std::uint32_t>(100 + random() % 24) << 7;
        };
        std::vector<std::vector<std::uint64_t>> sources(3);
        for (int number = 0; number < 60000; ++number)
            for (auto& source : sources) source.push_back(draw());
        for (const Level level : offered_levels()) {
            const std::string type = format.name;
            const auto sums = evaluate("add." + type + " %h0, %h1, %h2;", level, {sources[0], sources[1]});
            const auto products = evaluate("mul." + type + " %h0, %h1, %h2;", level, {sources[0], sources[1]});
            const auto fused = evaluate("fma.rn." + type + " %h0, %h1, %h2, %h3;", level, sources);
            for (std::size_t index = 0; index < sums.size(); ++index) {
                double v[3];
                for (int source = 0; source < 3; ++source) v[source] = value_of(static_cast<std::uint32_t>(sources[source][index]), format);
                ASSERT_EQ(sums[index], nearest_bits(v[0] + v[1], format)) << type << " " << v[0] << " + " << v[1];
                ASSERT_EQ(products[index], nearest_bits(v[0] * v[1], format)) << type << " " << v[0] << " * " << v[1];
                ASSERT_EQ(fused[index], nearest_bits(v[0] * v[1] + v[2], format)) << type << " " << v[0] << " * " << v[1] << " + " << v[2];
            }
        }
    }
}

// ---- f32 and f64

template <class T>
struct Machine;
template <>
struct Machine<float> {
    using Word = std::uint32_t;
    static constexpr const char* type = "f32";
    static constexpr char letter = 'r';
    static constexpr int mantissa = 23, bias = 127;
};
template <>
struct Machine<double> {
    using Word = std::uint64_t;
    static constexpr const char* type = "f64";
    static constexpr char letter = 'd';
    static constexpr int mantissa = 52, bias = 1023;
};

// The value of T next to an exact value in a direction.
template <class T>
T rounded(Quad exact, const std::string& direction) {
    const T nearest = static_cast<T>(exact);
    const Quad back = nearest;
    const bool down = direction == "rm" || (direction == "rz" && exact > 0), up = direction == "rp" || (direction == "rz" && exact < 0);
    if (down && back > exact) return std::nextafter(nearest, -std::numeric_limits<T>::infinity());
    if (up && back < exact) return std::nextafter(nearest, std::numeric_limits<T>::infinity());
    return nearest;
}

// Exponents close enough that sums and products are exact in 113 bits; many sums cancel.
template <class T>
std::vector<std::vector<std::uint64_t>> operands(int spread) {
    using M = Machine<T>;
    std::mt19937_64 random(11);
    std::vector<std::vector<std::uint64_t>> sources(3);
    for (int number = 0; number < 20000; ++number) {
        for (auto& source : sources) {
            const std::uint64_t fraction = random() & ((std::uint64_t{1} << M::mantissa) - 1) & (random() % 3 == 0 ? ~std::uint64_t{0} << (M::mantissa / 2) : ~std::uint64_t{0});
            const std::uint64_t exponent = static_cast<std::uint64_t>(M::bias) + random() % (2 * static_cast<unsigned>(spread) + 1) - static_cast<unsigned>(spread);
            source.push_back((random() & 1) << (8 * sizeof(T) - 1) | exponent << M::mantissa | fraction);
        }
    }
    return sources;
}

template <class T, class Exact>
void compare(const std::string& operation, int count, int spread, Exact exact) {
    using M = Machine<T>;
    auto sources = operands<T>(spread);
    sources.resize(static_cast<std::size_t>(count));
    for (const std::string direction : {"rn", "rz", "rm", "rp"}) {
        std::string text = operation + "." + direction + "." + M::type + " %" + M::letter + "0";
        for (int source = 1; source <= count; ++source) text += std::string(", %") + M::letter + std::to_string(source);
        for (const Level level : offered_levels()) {
            const auto results = evaluate(text + ";", level, sources);
            for (std::size_t index = 0; index < results.size(); ++index) {
                Quad v[3] = {};
                for (int source = 0; source < count; ++source)
                    v[source] = std::bit_cast<T>(static_cast<typename M::Word>(sources[static_cast<std::size_t>(source)][index]));
                const T expected = rounded<T>(exact(v[0], v[1], v[2]), direction);
                const T found = std::bit_cast<T>(static_cast<typename M::Word>(results[index]));
                ASSERT_EQ(found, expected) << text << " " << static_cast<T>(v[0]) << " " << static_cast<T>(v[1]) << " " << static_cast<T>(v[2]);
            }
        }
    }
}

TEST(Reference, F32RoundsCorrectlyInEveryDirection) {
    compare<float>("add", 2, 40, [](Quad a, Quad b, Quad) { return a + b; });
    compare<float>("sub", 2, 3, [](Quad a, Quad b, Quad) { return a - b; });
    compare<float>("mul", 2, 60, [](Quad a, Quad b, Quad) { return a * b; });
    compare<float>("fma", 3, 10, [](Quad a, Quad b, Quad c) { return a * b + c; });
    compare<float>("div", 2, 60, [](Quad a, Quad b, Quad) { return a / b; });
    compare<float>("rcp", 1, 60, [](Quad a, Quad, Quad) { return 1 / a; });
}

TEST(Reference, F64RoundsCorrectlyInEveryDirection) {
    compare<double>("add", 2, 25, [](Quad a, Quad b, Quad) { return a + b; });
    compare<double>("sub", 2, 2, [](Quad a, Quad b, Quad) { return a - b; });
    compare<double>("mul", 2, 300, [](Quad a, Quad b, Quad) { return a * b; });
    compare<double>("fma", 3, 1, [](Quad a, Quad b, Quad c) { return a * b + c; });
    compare<double>("div", 2, 300, [](Quad a, Quad b, Quad) { return a / b; });
    compare<double>("rcp", 1, 300, [](Quad a, Quad, Quad) { return 1 / a; });
}

// The root r of a is right if a lies between the squares of the midpoints on both sides, which are exact in 128 bits.
template <class T>
void check_roots() {
    using M = Machine<T>;
    auto sources = operands<T>(60);
    sources.resize(1);
    for (auto& bits : sources[0]) bits &= ~(std::uint64_t{1} << (8 * sizeof(T) - 1));
    const std::string text = std::string("sqrt.rn.") + M::type + " %" + M::letter + "0, %" + M::letter + "1;";
    for (const Level level : offered_levels()) {
        const auto results = evaluate(text, level, sources);
        for (std::size_t index = 0; index < results.size(); ++index) {
            const Quad argument = std::bit_cast<T>(static_cast<typename M::Word>(sources[0][index]));
            const T root = std::bit_cast<T>(static_cast<typename M::Word>(results[index]));
            const Quad below = (static_cast<Quad>(root) + std::nextafter(root, T{0})) / 2;
            const Quad above = (static_cast<Quad>(root) + std::nextafter(root, std::numeric_limits<T>::infinity())) / 2;
            ASSERT_TRUE(below * below <= argument && argument <= above * above) << static_cast<T>(argument);
        }
    }
}

TEST(Reference, SquareRootsRoundCorrectly) {
    check_roots<float>();
    check_roots<double>();
}

// ---- approximations: within the errors that the PTX ISA states, and not much better

struct Approximation {
    const char* text;
    long double (*exact)(long double);
    float low, high;
    long double relative, absolute;  // the larger of the two is allowed
};

TEST(Reference, ApproximationsAreAsGoodAsStated) {
    const auto reciprocal = [](long double x) { return 1 / x; };
    const auto reciprocal_root = [](long double x) { return 1 / std::sqrt(x); };
    const Approximation cases[] = {
        {"ex2.approx.f32 %r0, %r1;", std::exp2, -125.9f, 127.9f, 1.69e-7L, 0},
        {"ex2.approx.ftz.f32 %r0, %r1;", std::exp2, -125.9f, 127.9f, 1.69e-7L, 0},
        {"lg2.approx.f32 %r0, %r1;", std::log2, 1e-40f, 1e30f, 0x1p-22L, 0x1p-22L},
        {"lg2.approx.ftz.f32 %r0, %r1;", std::log2, 0.9f, 1.1f, 0, 0x1p-22L},
        {"rcp.approx.f32 %r0, %r1;", reciprocal, 1e-30f, 1e30f, 0x1p-23L, 0},
        {"sqrt.approx.f32 %r0, %r1;", std::sqrt, 1e-30f, 1e30f, 0x1p-23L, 0},
        {"rsqrt.approx.f32 %r0, %r1;", reciprocal_root, 1e-40f, 1e30f, 1.28e-7L, 0},
        {"tanh.approx.f32 %r0, %r1;", std::tanh, 1e-20f, 20, 0x1p-11L, 0},
        {"sin.approx.f32 %r0, %r1;", std::sin, -3.14f, 3.14f, 0, 6.75e-7L},
        {"cos.approx.f32 %r0, %r1;", std::cos, -3.14f, 3.14f, 0, 6.75e-7L},
    };
    for (const Approximation& approximation : cases) {
        std::mt19937 random(3);
        std::vector<std::uint64_t> values;
        const bool wide = approximation.low > 0 && approximation.high / approximation.low > 100;  // then evenly in the logarithm
        for (int number = 0; number < 20000; ++number) {
            const double part = std::uniform_real_distribution<double>()(random), low = approximation.low, high = approximation.high;
            values.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(wide ? low * std::pow(high / low, part) : low + (high - low) * part)));
        }
        for (const Level level : offered_levels()) {
            const auto results = evaluate(approximation.text, level, {values});
            long double largest = 0;  // error, of the one allowed
            for (std::size_t index = 0; index < values.size(); ++index) {
                const float argument = std::bit_cast<float>(static_cast<std::uint32_t>(values[index]));
                const float found = std::bit_cast<float>(static_cast<std::uint32_t>(results[index]));
                const long double exact = approximation.exact(argument);
                const long double allowed = std::max(approximation.relative * std::abs(exact), approximation.absolute);
                ASSERT_LE(std::abs(found - exact), allowed) << approximation.text << " " << argument;
                largest = std::max(largest, std::abs(found - exact) / allowed);
            }
            EXPECT_GT(largest, 0.75L) << approximation.text;
        }
    }
}

TEST(Reference, ApproximationsKeepExactResults) {
    const auto value = [](const char* text, float argument) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(evaluate(text, offered_levels().front(), {{std::bit_cast<std::uint32_t>(argument)}})[0]));
    };
    for (int power = -20; power <= 20; ++power) {
        const float x = std::ldexp(1.0f, power);
        EXPECT_EQ(value("ex2.approx.f32 %r0, %r1;", static_cast<float>(power)), x);
        EXPECT_EQ(value("lg2.approx.f32 %r0, %r1;", x), power);
        EXPECT_EQ(value("rcp.approx.f32 %r0, %r1;", x), 1 / x);
        EXPECT_EQ(value("sqrt.approx.f32 %r0, %r1;", x * x), x);
        EXPECT_EQ(value("rsqrt.approx.f32 %r0, %r1;", x * x), 1 / x);
    }
    EXPECT_EQ(value("sin.approx.f32 %r0, %r1;", 0), 0);
    EXPECT_EQ(value("tanh.approx.f32 %r0, %r1;", 0), 0);
    EXPECT_EQ(value("tanh.approx.f32 %r0, %r1;", 30), 1);
}

}  // namespace
}  // namespace optiml::emulator
