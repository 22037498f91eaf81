#include "emulator/checks/taint_bits.h"

#include <algorithm>
#include <bit>

namespace optiml::emulator {
namespace {

using Lane = RegisterTaint::Lane;
using ptx::Opcode;

std::uint64_t low_bits(std::uint32_t count) { return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1; }

// Everything depends on everything.
Lane computed(const TaintedLane& lane, std::uint32_t width) {
    const bool any = std::any_of(lane.taints.begin(), lane.taints.begin() + lane.sources, [](const Lane& taint) { return taint.bits != 0; });
    return any ? Lane{.bits = low_bits(width), .computed = true} : Lane{};
}

// absorbing: the bit value of one operand that decides the result whatever the other is (0 for and, 1 for or).
Lane logic(const TaintedLane& lane, std::uint64_t absorbing) {
    const auto decides = [&](int source) { return ~(lane.values[source] ^ absorbing) & ~lane.taints[source].bits; };
    const bool both = lane.taints[0].bits != 0 && lane.taints[1].bits != 0;
    const std::uint64_t bits = (lane.taints[0].bits | lane.taints[1].bits) & ~decides(0) & ~decides(1);
    return {.bits = bits, .computed = lane.taints[0].computed || lane.taints[1].computed || both};
}

Lane shift(const ptx::Instruction& instruction, const TaintedLane& lane, std::uint32_t width) {
    if (lane.taints[1].bits != 0) return computed(lane, width);
    const auto amount = static_cast<std::uint32_t>(std::min<std::uint64_t>(lane.values[1], width));
    const std::uint64_t bits = lane.taints[0].bits & low_bits(width);
    Lane result{.bits = 0, .computed = lane.taints[0].computed};
    if (instruction.opcode == Opcode::shl) {
        result.bits = amount >= width ? 0 : bits << amount & low_bits(width);
        return result;
    }
    result.bits = amount >= width ? 0 : bits >> amount;
    const bool fills_with_sign = ptx::is_signed(instruction.modifiers.type) && (bits >> (width - 1) & 1) != 0;
    if (fills_with_sign) result.bits |= low_bits(width) & ~low_bits(width - amount);
    return result;
}

Lane extend(const ptx::Instruction& instruction, const TaintedLane& lane, std::uint32_t width) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    const std::uint32_t from = ptx::bits_of(modifiers.source_type);
    Lane result{.bits = lane.taints[0].bits & low_bits(from), .computed = lane.taints[0].computed};
    if (ptx::is_signed(modifiers.source_type) && (result.bits >> (from - 1) & 1) != 0) result.bits |= low_bits(width) & ~low_bits(from);
    result.bits &= low_bits(width);
    return result;
}

Lane permute(const TaintedLane& lane) {
    if (lane.taints[2].bits != 0) return computed(lane, 32);
    const std::uint64_t bits = (lane.taints[0].bits & low_bits(32)) | lane.taints[1].bits << 32;
    Lane result{.bits = 0, .computed = lane.taints[0].computed || lane.taints[1].computed};
    for (std::uint32_t byte = 0; byte < 4; ++byte) {
        const auto selector = static_cast<std::uint32_t>(lane.values[2] >> 4 * byte & 15);
        const std::uint64_t selected = bits >> 8 * (selector & 7) & 0xff;
        const bool replicates_sign = (selector & 8) != 0;
        result.bits |= (!replicates_sign ? selected : (selected & 0x80) != 0 ? 0xff : 0) << 8 * byte;
    }
    return result;
}

Lane insert(const TaintedLane& lane, std::uint32_t width) {
    if (lane.taints[2].bits != 0 || lane.taints[3].bits != 0) return computed(lane, width);
    const auto position = static_cast<std::uint32_t>(lane.values[2] & 0xff);
    const auto count = static_cast<std::uint32_t>(lane.values[3] & 0xff);
    const std::uint64_t field = position >= width ? 0 : low_bits(count) << position & low_bits(width);
    return {.bits = (lane.taints[1].bits & ~field) | (position >= 64 ? 0 : lane.taints[0].bits << position & field),
            .computed = lane.taints[0].computed || lane.taints[1].computed};
}

Lane select(const TaintedLane& lane, std::uint32_t width) {
    if (lane.taints[2].bits != 0) return computed(lane, width);
    return lane.taints[lane.values[2] != 0 ? 0 : 1];
}

bool is_integer_extension(const ptx::Modifiers& modifiers) {
    return !ptx::is_float(modifiers.type) && !ptx::is_float(modifiers.source_type) && !modifiers.saturate;
}

}  // namespace

bool moves_bits(const ptx::Instruction& instruction) {
    switch (instruction.opcode) {
        case Opcode::and_: case Opcode::or_: case Opcode::shl: case Opcode::shr: case Opcode::selp: case Opcode::bfi: return true;
        case Opcode::prmt: return instruction.modifiers.permute == ptx::PermuteMode::none;
        case Opcode::cvt: return is_integer_extension(instruction.modifiers);
        default: return false;
    }
}

Lane bits_moved(const ptx::Instruction& instruction, const TaintedLane& lane) {
    const std::uint32_t width = ptx::bits_of(instruction.modifiers.type);
    switch (instruction.opcode) {
        case Opcode::and_: return logic(lane, 0);
        case Opcode::or_: return logic(lane, ~std::uint64_t{0});
        case Opcode::shl: case Opcode::shr: return shift(instruction, lane, width);
        case Opcode::selp: return select(lane, width);
        case Opcode::bfi: return insert(lane, width);
        case Opcode::prmt: return permute(lane);
        case Opcode::cvt: return extend(instruction, lane, width);
        default: return computed(lane, width);
    }
}

}  // namespace optiml::emulator
