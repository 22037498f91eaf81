#include "emulator/execution/atomic_operations.h"

#include <algorithm>
#include <cmath>

#include "emulator/execution/half.h"

namespace optiml::emulator {
namespace {

using ptx::AtomicOperation;
using ptx::Type;

float flushed(float value, bool flush) {
    return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

// min and max give the operand that is a number where the other is NaN.
template <class Float>
Float combine(AtomicOperation operation, Float old, Float value) {
    switch (operation) {
        case AtomicOperation::min: return std::fmin(old, value);
        case AtomicOperation::max: return std::fmax(old, value);
        default: return old + value;
    }
}

std::uint16_t half_result(AtomicOperation operation, Type type, std::uint16_t old, std::uint16_t value) {
    if (type == Type::bf16 || type == Type::bf16x2) return bf16_of(combine(operation, float_of_bf16(old), float_of_bf16(value)));
    return f16_of(combine(operation, float_of_f16(old), float_of_f16(value)));
}

std::uint64_t float_result(AtomicOperation operation, Type type, std::uint64_t old, std::uint64_t value, bool flush) {
    switch (type) {
        case Type::f32: {
            const float sum = combine(operation, flushed(std::bit_cast<float>(static_cast<std::uint32_t>(old)), flush),
                                      flushed(std::bit_cast<float>(static_cast<std::uint32_t>(value)), flush));
            return std::bit_cast<std::uint32_t>(flushed(sum, flush));
        }
        case Type::f64: return std::bit_cast<std::uint64_t>(combine(operation, std::bit_cast<double>(old), std::bit_cast<double>(value)));
        case Type::f16x2: case Type::bf16x2: {
            const std::uint64_t low = half_result(operation, type, static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(value));
            const std::uint64_t high =
                half_result(operation, type, static_cast<std::uint16_t>(old >> 16), static_cast<std::uint16_t>(value >> 16));
            return high << 16 | low;
        }
        default: return half_result(operation, type, static_cast<std::uint16_t>(old), static_cast<std::uint16_t>(value));
    }
}

std::uint64_t integer_result(AtomicOperation operation, Type type, std::uint64_t old, AtomicOperands operands) {
    const std::uint64_t value = operands.value;
    const auto as_signed = [&](std::uint64_t bits) {
        return type == Type::s32 ? std::int64_t{static_cast<std::int32_t>(bits)} : static_cast<std::int64_t>(bits);
    };
    const bool less = ptx::is_signed(type) ? as_signed(value) < as_signed(old) : value < old;
    switch (operation) {
        case AtomicOperation::add: return old + value;
        case AtomicOperation::min: return less ? value : old;
        case AtomicOperation::max: return less ? old : value;
        case AtomicOperation::inc: return old >= value ? 0 : old + 1;
        case AtomicOperation::dec: return old == 0 || old > value ? value : old - 1;
        case AtomicOperation::cas: return old == value ? operands.replacement : old;
        case AtomicOperation::exch: return value;
        case AtomicOperation::and_: return old & value;
        case AtomicOperation::or_: return old | value;
        case AtomicOperation::xor_: return old ^ value;
        default: return old;
    }
}

}  // namespace

std::uint64_t apply_atomic(AtomicOperation operation, Type type, std::uint64_t old, AtomicOperands operands, bool flush) {
    const std::uint32_t bits = ptx::bits_of(type);
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    const std::uint64_t result = ptx::is_float(type) ? float_result(operation, type, old, operands.value, flush)
                                                     : integer_result(operation, type, old, operands);
    return result & mask;
}

bool is_atomic(AtomicOperation operation, Type type) {
    if (operation == AtomicOperation::none || operation == AtomicOperation::popc) return false;
    const bool arithmetic = operation == AtomicOperation::add || operation == AtomicOperation::min || operation == AtomicOperation::max;
    switch (type) {
        case Type::f32: case Type::f64: case Type::f16: case Type::bf16: case Type::f16x2: case Type::bf16x2: return arithmetic;
        case Type::b16: case Type::u16: return operation == AtomicOperation::cas || operation == AtomicOperation::exch;
        case Type::b32: case Type::b64: case Type::u32: case Type::u64: case Type::s32: case Type::s64: return true;
        default: return false;
    }
}

}  // namespace optiml::emulator
