// mov: copies, and packing of several registers into one or the reverse.

#include "emulator/arithmetic/vector/apply.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::OperandKind;

template <class W>
void copy_lanes(const LaneOperands& operands, LaneMask active) {
    const W* source = static_cast<const W*>(operands.sources[0].data);
    Destination<W> destination(operands.destinations[0], active);
    W* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = source[lane];
    destination.finish();
}

void copy_predicate(const LaneOperands& operands, LaneMask active) {
    write_predicate(operands.destinations[0], predicate(operands, 0), active);
}

std::uint64_t read(const Row& row, int lane) { return row.width == 64 ? row.longs()[lane] : row.words()[lane]; }

void write(const Row& row, int lane, std::uint64_t value) {
    if (row.data == nullptr) return;
    if (row.width == 64)
        row.longs()[lane] = value;
    else
        row.words()[lane] = static_cast<std::uint32_t>(row.width == 16 ? value & 0xffff : value);
}

// Two or four elements of `bits` each, the first in the lowest bits.
template <int bits>
void pack_elements(const LaneOperands& operands, LaneMask active) {
    constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        std::uint64_t value = 0;
        for (int element = 0; element < operands.source_count; ++element)
            value |= (read(operands.sources[element], lane) & mask) << (bits * element);
        write(operands.destinations[0], lane, value);
    }
}

template <int bits>
void unpack_elements(const LaneOperands& operands, LaneMask active) {
    constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const std::uint64_t value = read(operands.sources[0], lane);
        for (int element = 0; element < operands.destination_count; ++element)
            write(operands.destinations[element], lane, value >> (bits * element) & mask);
    }
}

// The same for two elements of one row each, without sinks.
template <class Whole, class Part>
void pack_pair(const LaneOperands& operands, LaneMask active) {
    constexpr int bits = 4 * sizeof(Whole);
    const Part* low = static_cast<const Part*>(operands.sources[0].data);
    const Part* high = static_cast<const Part*>(operands.sources[1].data);
    Destination<Whole> destination(operands.destinations[0], active);
    Whole* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = static_cast<Whole>(high[lane]) << bits | low[lane];
    destination.finish();
}

template <class Whole, class Part, int shift>
void unpack_one(const Row& row, const Whole* source, LaneMask active) {
    constexpr Whole mask = ~Whole{0} >> (4 * sizeof(Whole));
    if (row.data == nullptr) return;
    Destination<Part> destination(row, active);
    Part* out = destination.words();
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane) out[lane] = static_cast<Part>(source[lane] >> shift & mask);
    destination.finish();
}
template <class Whole, class Part>
void unpack_pair(const LaneOperands& operands, LaneMask active) {
    const auto* source = static_cast<const Whole*>(operands.sources[0].data);
    unpack_one<Whole, Part, 0>(operands.destinations[0], source, active);
    unpack_one<Whole, Part, 4 * sizeof(Whole)>(operands.destinations[1], source, active);
}

// 128-bit values from two 64-bit ones and back, and their copies.
void pack_longs(const LaneOperands& operands, LaneMask active) {
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const std::uint64_t low = operands.sources[0].longs()[lane], high = operands.sources[1].longs()[lane];
        operands.destinations[0].longs()[2 * lane] = low;
        operands.destinations[0].longs()[2 * lane + 1] = high;
    }
}
void unpack_longs(const LaneOperands& operands, LaneMask active) {
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        for (int element = 0; element < operands.destination_count; ++element)
            write(operands.destinations[element], lane, operands.sources[0].longs()[2 * lane + element]);
    }
}
void copy_long_pairs(const LaneOperands& operands, LaneMask active) {
    for (LaneMask left = active; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        for (int half = 0; half < 2; ++half)
            operands.destinations[0].longs()[2 * lane + half] = operands.sources[0].longs()[2 * lane + half];
    }
}

std::uint32_t elements(const std::vector<ptx::Operand>& operands) {
    if (operands.size() != 1) return static_cast<std::uint32_t>(operands.size());
    return operands[0].kind == OperandKind::vector ? operands[0].count : 1;
}

}  // namespace

LaneFunction find_move(const Form& form) {
    if (form.opcode != ptx::Opcode::mov) return nullptr;
    const std::uint32_t width = row_width(form.type);
    const std::uint32_t sources = elements(form.instruction.sources), destinations = elements(form.instruction.destinations);
    if (sources == 1 && destinations == 1) {
        switch (width) {
            case 1: return copy_predicate;
            case 64: return copy_lanes<std::uint64_t>;
            case 128: return copy_long_pairs;
            default: return copy_lanes<std::uint32_t>;
        }
    }
    const bool pack = destinations == 1;
    using Word = std::uint32_t;
    using Long = std::uint64_t;
    if (width == 64 && sources + destinations == 3) return pack ? pack_pair<Long, Word> : unpack_pair<Long, Word>;
    if (width == 32 && sources + destinations == 3) return pack ? pack_pair<Word, Word> : unpack_pair<Word, Word>;
    switch (width / (pack ? sources : destinations)) {
        case 8: return pack ? pack_elements<8> : unpack_elements<8>;
        case 16: return pack ? pack_elements<16> : unpack_elements<16>;
        case 32: return pack ? pack_elements<32> : unpack_elements<32>;
        case 64: return pack ? pack_longs : unpack_longs;
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
