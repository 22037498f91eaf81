#include "task/scalar_type.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace optiml::task {
namespace {

struct TypeFacts {
    std::string_view name;
    std::string_view cuda_name;
    std::uint32_t bytes;
    bool is_float;
    bool is_signed;
};

constexpr std::array<TypeFacts, 12> kTypes{{
    {"i8", "signed char", 1, false, true},
    {"u8", "unsigned char", 1, false, false},
    {"i16", "short", 2, false, true},
    {"u16", "unsigned short", 2, false, false},
    {"i32", "int", 4, false, true},
    {"u32", "unsigned int", 4, false, false},
    {"i64", "long long", 8, false, true},
    {"u64", "unsigned long long", 8, false, false},
    {"f16", "__half", 2, true, true},
    {"bf16", "__nv_bfloat16", 2, true, true},
    {"f32", "float", 4, true, true},
    {"f64", "double", 8, true, true},
}};

const TypeFacts& facts(ScalarType type) { return kTypes[static_cast<std::size_t>(type)]; }

// A 16-bit format: 1 sign bit, then exponent, then mantissa bits.
struct SmallFloat {
    int mantissa_bits;
    int exponent_bits;
    int bias() const { return (1 << (exponent_bits - 1)) - 1; }
};
constexpr SmallFloat kHalf{10, 5};
constexpr SmallFloat kBfloat{7, 8};

std::uint16_t encode(SmallFloat format, double value) {
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const std::uint16_t infinity = static_cast<std::uint16_t>(((1 << format.exponent_bits) - 1) << format.mantissa_bits);
    if (std::isnan(value)) return 0x7fff;  // CUDA's canonical NaN of both formats
    const double magnitude = std::fabs(value);
    if (std::isinf(value)) return sign | infinity;
    if (magnitude == 0) return sign;
    // The unit in the last place at this magnitude; constant below the smallest normal number.
    const int exponent = std::max(std::ilogb(magnitude), 1 - format.bias());
    const double units = std::nearbyint(std::ldexp(magnitude, format.mantissa_bits - exponent));
    // A carry out of the mantissa raises the exponent field by itself, up to infinity.
    const int field = exponent + format.bias() - 1;
    const double bits = units + std::ldexp(static_cast<double>(field), format.mantissa_bits);
    return sign | static_cast<std::uint16_t>(std::min(bits, static_cast<double>(infinity)));
}

double decode(SmallFloat format, std::uint16_t bits) {
    const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
    const int field = (bits & 0x7fff) >> format.mantissa_bits;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (field == (1 << format.exponent_bits) - 1) {
        return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
    }
    const int implicit_one = field == 0 ? 0 : 1 << format.mantissa_bits;
    return sign * std::ldexp(mantissa + implicit_one, std::max(field, 1) - format.bias() - format.mantissa_bits);
}

template <class T>
void store(T value, std::uint8_t* bytes) { std::memcpy(bytes, &value, sizeof value); }

template <class T>
T load(const std::uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

std::uint64_t saturated_u64(double value) {
    if (!(value > 0)) return 0;
    return value >= 18446744073709551616.0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(value);
}

std::int64_t saturated_i64(double value) {
    if (std::isnan(value)) return 0;
    if (value >= 9223372036854775808.0) return std::numeric_limits<std::int64_t>::max();
    if (value < -9223372036854775808.0) return std::numeric_limits<std::int64_t>::min();
    return static_cast<std::int64_t>(value);
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "elements are kept as the device stores them");

std::uint32_t bytes_of(ScalarType type) { return facts(type).bytes; }
bool is_float(ScalarType type) { return facts(type).is_float; }
std::string_view name_of(ScalarType type) { return facts(type).name; }
std::string_view cuda_name_of(ScalarType type) { return facts(type).cuda_name; }

std::optional<ScalarType> scalar_type_named(std::string_view name) {
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
        if (kTypes[i].name == name || kTypes[i].cuda_name == name) return static_cast<ScalarType>(i);
    }
    return std::nullopt;
}

bool can_hold(ScalarType type, std::int64_t value) {
    const TypeFacts& type_facts = facts(type);
    if (type_facts.is_float) return false;
    if (!type_facts.is_signed && value < 0) return false;
    const std::uint32_t bits = type_facts.bytes * 8 - (type_facts.is_signed ? 1 : 0);
    if (bits >= 63) return true;
    const std::int64_t limit = std::int64_t{1} << bits;
    return value < limit && value >= (type_facts.is_signed ? -limit : 0);
}

void store_float(ScalarType type, double value, std::uint8_t* bytes) {
    switch (type) {
        case ScalarType::f16: return store(encode(kHalf, value), bytes);
        case ScalarType::bf16: return store(encode(kBfloat, value), bytes);
        case ScalarType::f32: return store(static_cast<float>(value), bytes);
        case ScalarType::f64: return store(value, bytes);
        case ScalarType::u64: return store(saturated_u64(value), bytes);
        default: break;
    }
    const TypeFacts& type_facts = facts(type);
    const int bits = static_cast<int>(type_facts.bytes) * 8 - (type_facts.is_signed ? 1 : 0);
    const double limit = std::ldexp(1.0, bits);
    const std::int64_t integer = saturated_i64(value);
    if (bits == 63) return store(integer, bytes);
    if (value >= limit) return store_integer(type, (std::int64_t{1} << bits) - 1, bytes);
    const double least = type_facts.is_signed ? -limit : 0;
    store_integer(type, value < least ? static_cast<std::int64_t>(least) : integer, bytes);
}

void store_integer(ScalarType type, std::int64_t value, std::uint8_t* bytes) {
    if (is_float(type)) return store_float(type, static_cast<double>(value), bytes);
    std::memcpy(bytes, &value, bytes_of(type));
}

double load_float(ScalarType type, const std::uint8_t* bytes) {
    switch (type) {
        case ScalarType::f16: return decode(kHalf, load<std::uint16_t>(bytes));
        case ScalarType::bf16: return decode(kBfloat, load<std::uint16_t>(bytes));
        case ScalarType::f32: return static_cast<double>(load<float>(bytes));
        case ScalarType::f64: return load<double>(bytes);
        case ScalarType::u64: return static_cast<double>(load<std::uint64_t>(bytes));
        default: return static_cast<double>(load_integer(type, bytes));
    }
}

std::int64_t load_integer(ScalarType type, const std::uint8_t* bytes) {
    switch (type) {
        case ScalarType::i8: return load<std::int8_t>(bytes);
        case ScalarType::u8: return load<std::uint8_t>(bytes);
        case ScalarType::i16: return load<std::int16_t>(bytes);
        case ScalarType::u16: return load<std::uint16_t>(bytes);
        case ScalarType::i32: return load<std::int32_t>(bytes);
        case ScalarType::u32: return load<std::uint32_t>(bytes);
        default: return load<std::int64_t>(bytes);
    }
}

}  // namespace optiml::task
