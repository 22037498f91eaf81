// Dot products and differences of packed integers: dp4a dp2a vabsdiff2 vabsdiff4.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

bool is_signed_type(Type type) { return type == Type::s32; }

// Fields are read through shifts to the top of the word; as signed ones if `sign` has the field's highest bit.
template <int bits>
[[gnu::always_inline]] inline std::int32_t field(std::uint32_t word, int index, std::uint32_t sign) {
    const std::uint32_t value = word >> (bits * index) & ((1u << bits) - 1);
    return static_cast<std::int32_t>((value ^ sign) - sign);
}

// The types of the first and second source, as sign bits of their fields.
template <int first_bits, int second_bits>
struct SourceSigns {
    explicit SourceSigns(const ptx::Modifiers& modifiers)
        : first(is_signed_type(modifiers.source_type) ? 1u << (first_bits - 1) : 0),
          second(is_signed_type(modifiers.third_type) ? 1u << (second_bits - 1) : 0) {}
    [[gnu::always_inline]] std::uint32_t product(std::uint32_t a, std::uint32_t b, int index, int second_index) const {
        return static_cast<std::uint32_t>(field<first_bits>(a, index, first) * field<second_bits>(b, second_index, second));
    }
    std::uint32_t first, second;
};

struct DotOfBytes : SourceSigns<8, 8> {
    using SourceSigns::SourceSigns;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        return c + product(a, b, 0, 0) + product(a, b, 1, 1) + product(a, b, 2, 2) + product(a, b, 3, 3);
    }
};

// 16-bit values with the low (or high) two bytes.
struct DotOfHalves : SourceSigns<16, 8> {
    explicit DotOfHalves(const ptx::Modifiers& modifiers) : SourceSigns(modifiers), from(modifiers.half == ptx::Half::hi ? 2 : 0) {}
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        return c + product(a, b, 0, from) + product(a, b, 1, from + 1);
    }
    int from;
};

// |a - b| a field; .add sums them up with c. Without it c would supply fields that the destination leaves out, and it leaves out none.
template <int bits>
struct AbsoluteDifference : SourceSigns<bits, bits> {
    explicit AbsoluteDifference(const ptx::Modifiers& modifiers)
        : SourceSigns<bits, bits>(modifiers), add(modifiers.atomic == ptx::AtomicOperation::add),
          limit(!modifiers.saturate ? 2 << bits : is_signed_type(modifiers.type) ? (1 << (bits - 1)) - 1 : (1 << bits) - 1) {}
    std::uint32_t difference(std::uint32_t a, std::uint32_t b, int index) const {
        const std::int32_t signed_difference = field<bits>(a, index, this->first) - field<bits>(b, index, this->second);
        const std::int32_t value = signed_difference < 0 ? -signed_difference : signed_difference;
        return static_cast<std::uint32_t>(value < limit ? value : limit);
    }
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        std::uint32_t sum = c, fields = 0;
        for (int index = 0; index < 32 / bits; ++index) {
            sum += difference(a, b, index);
            fields |= (difference(a, b, index) & ((1u << bits) - 1)) << (bits * index);
        }
        return add ? sum : fields;
    }
    bool add;
    std::int32_t limit;
};

}  // namespace

LaneFunction find_video(const Form& form) {
    switch (form.opcode) {
        case Opcode::dp4a: return uniform<DotOfBytes, 3, std::uint32_t>();
        case Opcode::dp2a: return uniform<DotOfHalves, 3, std::uint32_t>();
        case Opcode::vabsdiff2: return uniform<AbsoluteDifference<16>, 3, std::uint32_t>();
        case Opcode::vabsdiff4: return uniform<AbsoluteDifference<8>, 3, std::uint32_t>();
        default: return nullptr;
    }
}

}  // namespace optiml::emulator::OPTIML_LEVEL
