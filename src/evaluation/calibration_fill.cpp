// Values of a recording's buffers, made on demand.

#include <bit>
#include <charconv>
#include <cstring>
#include <functional>

#include <fmt/format.h>

#include "base/random.h"
#include "evaluation/calibration_set.h"

namespace optiml::evaluation {
namespace {

using ElementValue = std::function<double(std::uint64_t element)>;

// Round to nearest even; the fills hold no values outside f16's normal range but zero.
std::uint16_t half_bits(double value) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    const std::uint32_t sign = bits >> 16 & 0x8000;
    const std::int32_t exponent = static_cast<std::int32_t>(bits >> 23 & 0xff) - 127 + 15;
    std::uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
    if (exponent < -10) return static_cast<std::uint16_t>(sign);
    const std::uint32_t dropped = exponent > 0 ? 13 : static_cast<std::uint32_t>(14 - exponent);
    const std::uint32_t half = 1u << (dropped - 1);
    const std::uint32_t rest = mantissa & ((1u << dropped) - 1);
    mantissa >>= dropped;
    if (rest > half || (rest == half && (mantissa & 1) != 0)) ++mantissa;
    const std::uint32_t magnitude = exponent > 0 ? (static_cast<std::uint32_t>(exponent - 1) << 10) + mantissa : mantissa;
    return static_cast<std::uint16_t>(sign | magnitude);
}

template <class T>
void store(T value, std::uint8_t* to) {
    std::memcpy(to, &value, sizeof(T));
}

void store_element(std::string_view type, double value, std::uint8_t* to) {
    if (type == "f32") store(static_cast<float>(value), to);
    else if (type == "f64") store(value, to);
    else if (type == "f16") store(half_bits(value), to);
    else if (type == "i8" || type == "u8") store(static_cast<std::uint8_t>(static_cast<std::int64_t>(value)), to);
    else if (type == "i16" || type == "u16") store(static_cast<std::uint16_t>(static_cast<std::int64_t>(value)), to);
    else if (type == "i32" || type == "u32") store(static_cast<std::uint32_t>(static_cast<std::int64_t>(value)), to);
    else store(static_cast<std::int64_t>(value), to);
}

Result<double> fill_parameter(const RecordedBuffer& buffer) {
    const std::size_t colon = buffer.fill.find(':');
    double value = 0;
    const char* begin = buffer.fill.data() + colon + 1;
    const char* end = buffer.fill.data() + buffer.fill.size();
    if (colon == std::string::npos || std::from_chars(begin, end, value).ec != std::errc()) {
        return user_error(fmt::format("the fill '{}' of buffer '{}' lacks its number", buffer.fill, buffer.name));
    }
    return value;
}

Result<ElementValue> element_value(const RecordedBuffer& buffer, std::uint32_t number) {
    const std::string kind = buffer.fill.substr(0, buffer.fill.find(':'));
    if (kind == "uniform") return [number](std::uint64_t i) { return 2 * random_unit(number, i) - 1; };
    if (kind == "uniform01") return [number](std::uint64_t i) { return random_unit(number, i); };
    if (kind == "index") return [](std::uint64_t i) { return static_cast<double>(i); };
    if (kind == "zero") return [](std::uint64_t) { return 0.0; };
    if (kind == "permutation") {
        return [count = buffer.count](std::uint64_t i) { return static_cast<double>(i * 2654435761u % count); };
    }
    const Result<double> parameter = fill_parameter(buffer);
    if (!parameter) return tl::unexpected(parameter.error());
    if (kind == "const") return [value = *parameter](std::uint64_t) { return value; };
    const auto modulus = static_cast<std::uint64_t>(*parameter);
    if (modulus > 0 && kind == "index_mod") return [modulus](std::uint64_t i) { return static_cast<double>(i % modulus); };
    if (modulus > 0 && kind == "random_mod") {
        return [modulus, number](std::uint64_t i) { return static_cast<double>(random_bits(number, i) % modulus); };
    }
    return user_error(fmt::format("unknown fill '{}' of buffer '{}'", buffer.fill, buffer.name));
}

}  // namespace

std::uint32_t element_bytes(std::string_view type) {
    if (type == "i8" || type == "u8") return 1;
    if (type == "i16" || type == "u16" || type == "f16") return 2;
    if (type == "i32" || type == "u32" || type == "f32") return 4;
    if (type == "i64" || type == "u64" || type == "f64") return 8;
    return 0;
}

Result<emulator::ByteGenerator> recorded_fill(const RecordedBuffer& buffer, std::uint32_t number) {
    const std::uint32_t width = element_bytes(buffer.type);
    if (width == 0) return user_error(fmt::format("unknown type '{}' of buffer '{}'", buffer.type, buffer.name));
    if (buffer.fill == "poison" || buffer.fill == "zero" || buffer.zero_before_each) {
        const int byte = buffer.fill == "poison" && !buffer.zero_before_each ? 0xff : 0;
        return [byte](std::uint64_t, std::uint64_t count, std::uint8_t* bytes) { std::memset(bytes, byte, count); };
    }
    const Result<ElementValue> value = element_value(buffer, number);
    if (!value) return tl::unexpected(value.error());
    return [element = *value, type = buffer.type, width](std::uint64_t offset, std::uint64_t count, std::uint8_t* bytes) {
        std::uint8_t whole[8];
        for (std::uint64_t done = 0; done < count;) {
            const std::uint64_t within = (offset + done) % width;
            const std::uint64_t here = std::min(width - within, count - done);
            store_element(type, element((offset + done) / width), whole);
            std::memcpy(bytes + done, whole + within, here);
            done += here;
        }
    };
}

}  // namespace optiml::evaluation
