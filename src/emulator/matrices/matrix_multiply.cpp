// wmma.mma and mma.sync: D = A * B + C.

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/half.h"
#include "emulator/execution/handlers.h"
#include "emulator/matrices/fragment_values.h"

namespace optiml::emulator::handlers {
namespace {

using ptx::MatrixFragment;
using ptx::Type;

constexpr std::uint32_t kMaxExtent = 32;

// Any element of any type is a double (integers of at most 32 bits).
using Values = std::array<std::array<double, kMaxExtent>, kMaxExtent>;

bool is_supported(Type type) {
    switch (type) {
        case Type::f16: case Type::bf16: case Type::tf32: case Type::f32: case Type::f64: case Type::s8: case Type::u8: case Type::s32:
            return true;
        default: return false;
    }
}

double value_of(const std::uint8_t* bytes, Type type) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes, std::max(1u, ptx::bits_of(type) / 8));
    switch (type) {
        case Type::f16: return float_of_f16(static_cast<std::uint16_t>(bits));
        case Type::bf16: return float_of_bf16(static_cast<std::uint16_t>(bits));
        case Type::tf32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits) & 0xffffe000u);  // the unit reads 10 bits of fraction
        case Type::f32: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case Type::f64: return std::bit_cast<double>(bits);
        case Type::s8: return static_cast<std::int8_t>(bits);
        case Type::s32: return static_cast<std::int32_t>(bits);
        default: return static_cast<double>(bits);
    }
}

void set_value(std::uint8_t* bytes, Type type, double value, bool saturate) {
    std::uint64_t bits = 0;
    switch (type) {
        case Type::f16: bits = f16_of(static_cast<float>(value)); break;
        case Type::f32: bits = std::bit_cast<std::uint32_t>(static_cast<float>(value)); break;
        case Type::f64: bits = std::bit_cast<std::uint64_t>(value); break;
        default: {
            using Limits = std::numeric_limits<std::int32_t>;
            const double limited = saturate ? std::clamp<double>(value, Limits::min(), Limits::max()) : value;
            bits = static_cast<std::uint32_t>(static_cast<std::int64_t>(limited));
        }
    }
    std::memcpy(bytes, &bits, std::max(1u, ptx::bits_of(type) / 8));
}

// An operand of the instruction: its fragment, and which of the program's slots hold it.
struct Operand {
    Fragment fragment;
    Type type = Type::none;
    std::uint32_t first_slot = 0;
    std::uint32_t registers = 0;
};

// wide: the values' shadows where they have one.
Values read(Executor& executor, const Operand& operand, bool wide) {
    const ShadowRows& shadows = executor.frame().shadows;
    FragmentBytes bytes;
    read_registers(executor, operand.first_slot, operand.registers, operand.fragment.register_bytes(), bytes);
    Values values{};
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        for (std::uint32_t slot = 0; slot < operand.fragment.distinct_slots(); ++slot) {
            const Element element = operand.fragment.element(lane, slot);
            double& value = values[element.row][element.column];
            value = value_of(&bytes.bytes[lane][slot * operand.fragment.element_bytes()], operand.type);
            if (!wide || operand.fragment.slots_per_register() != 1) continue;
            const std::uint32_t row = executor.program().slots[operand.first_slot + slot].row;
            if (shadows.has(row, lane)) value = shadows.get(row, lane).high;
        }
    }
    return values;
}

// Products and sums in f64: exact for the narrow types up to the last rounding, which real units do with fewer bits.
void multiply(const Values& a, const Values& b, ptx::MatrixShape shape, Values& sums, bool fused) {
    for (std::uint32_t row = 0; row < shape.m; ++row)
        for (std::uint32_t k = 0; k < shape.k; ++k)
            for (std::uint32_t column = 0; column < shape.n; ++column)
                sums[row][column] = fused ? std::fma(a[row][k], b[k][column], sums[row][column]) : sums[row][column] + a[row][k] * b[k][column];
}

struct Product {
    Operand a, b, c, d;
    ptx::MatrixShape shape;
};

Values compute(Executor& executor, const Product& product, bool wide) {
    Values sums = read(executor, product.c, wide);
    multiply(read(executor, product.a, wide), read(executor, product.b, wide), product.shape, sums, product.d.type == Type::f64);
    return sums;
}

// The sums of f32 results are their shadows. (Those of f64 would need more than an f64.)
void set_shadows(Executor& executor, const Operand& d, const Values& sums, LaneMask active) {
    for (std::uint32_t slot = 0; slot < d.registers; ++slot) {
        const std::uint32_t row = executor.program().slots[d.first_slot + slot].row;
        executor.frame().shadows.forget(row, active);
        if (d.type != Type::f32) continue;
        for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            const Element element = d.fragment.element(lane, slot);
            executor.frame().shadows.set(row, lane, {.high = sums[element.row][element.column], .low = 0});
        }
    }
}

}  // namespace

Flow multiply_matrices(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Instruction& instruction = *operation.instruction;
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const auto registers = [&](const ptx::Operand& operand) { return operand.kind == ptx::OperandKind::vector ? operand.count : 1u; };
    const Type types[] = {modifiers.source_type, modifiers.third_type, modifiers.fourth_type, modifiers.type};
    const bool plain = modifiers.boolean == ptx::BooleanOperation::none && instruction.sources.size() == 3;
    if (!plain || !std::ranges::all_of(types, is_supported)) return not_emulated(executor, operation, active);
    check_whole_warp(executor, operation, active);
    std::uint32_t next = operation.first_slot;
    const auto operand = [&](MatrixFragment role, Type type, const ptx::Operand& from) {
        const std::uint32_t count = registers(from);
        Operand made{Fragment(role, modifiers.shape, type, count), type, next, count};
        next += count;
        return made;
    };
    const Operand d = operand(MatrixFragment::d, modifiers.type, instruction.destinations[0]);
    const Operand a = operand(MatrixFragment::a, types[0], instruction.sources[0]);
    const Operand b = operand(MatrixFragment::b, types[1], instruction.sources[1]);
    const Operand c = operand(MatrixFragment::c, types[2], instruction.sources[2]);
    const Product product{.a = a, .b = b, .c = c, .d = d, .shape = modifiers.shape};
    const Values sums = compute(executor, product, false);
    const bool wide = executor.state().wide();
    const Values wide_sums = wide ? compute(executor, product, true) : Values{};
    FragmentBytes results;
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
        for (std::uint32_t slot = 0; slot < d.fragment.slots(); ++slot) {
            const Element element = d.fragment.element(lane, slot);
            set_value(&results.bytes[lane][slot * d.fragment.element_bytes()], d.type, sums[element.row][element.column], modifiers.saturate);
        }
    }
    if (executor.frame().taint.any) taint_flow::combine_lanes(executor, operation, active);
    const RegisterTaint taint = executor.frame().taint;
    write_registers(executor, d.first_slot, d.registers, d.fragment.register_bytes(), active, results);
    executor.frame().taint = taint;
    if (wide) set_shadows(executor, d, wide_sums, active);
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
