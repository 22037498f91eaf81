// Dot products and differences of packed integers: dp4a dp2a vabsdiff2 vabsdiff4.

#include "emulator/arithmetic/vector/by_type.h"
#include "emulator/arithmetic/vector/find.h"

namespace optiml::emulator::OPTIML_LEVEL {
namespace {

using ptx::Opcode;
using ptx::Type;

bool is_signed_type(Type type) { return type == Type::s32; }

// Field number `index` of `bits` bits.
constexpr std::int32_t field(std::uint32_t word, int index, int bits, bool is_signed) {
    const std::uint32_t top = word << (32 - bits * (index + 1));
    return is_signed ? static_cast<std::int32_t>(top) >> (32 - bits) : static_cast<std::int32_t>(top >> (32 - bits));
}

// The types of the first and second source.
struct SourceSigns {
    explicit SourceSigns(const ptx::Modifiers& modifiers)
        : first(is_signed_type(modifiers.source_type)), second(is_signed_type(modifiers.third_type)) {}
    bool first, second;
};

struct DotOfBytes : SourceSigns {
    using SourceSigns::SourceSigns;
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        for (int byte = 0; byte < 4; ++byte) c += static_cast<std::uint32_t>(field(a, byte, 8, first) * field(b, byte, 8, second));
        return c;
    }
};

// 16-bit values with the low (or high) two bytes.
struct DotOfHalves : SourceSigns {
    explicit DotOfHalves(const ptx::Modifiers& modifiers) : SourceSigns(modifiers), from(modifiers.half == ptx::Half::hi ? 2 : 0) {}
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        for (int half = 0; half < 2; ++half)
            c += static_cast<std::uint32_t>(field(a, half, 16, first) * field(b, from + half, 8, second));
        return c;
    }
    int from;
};

// |a - b| a field; .add sums them up with c. Without it c supplies the fields that the destination does not name: none here.
template <int bits>
struct AbsoluteDifference : SourceSigns {
    explicit AbsoluteDifference(const ptx::Modifiers& modifiers)
        : SourceSigns(modifiers), is_signed(is_signed_type(modifiers.type)), saturate(modifiers.saturate),
          add(modifiers.atomic == ptx::AtomicOperation::add) {}
    std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
        std::uint32_t result = add ? c : 0;
        for (int index = 0; index < 32 / bits; ++index) {
            const std::int32_t difference = field(a, index, bits, first) - field(b, index, bits, second);
            std::int32_t value = difference < 0 ? -difference : difference;
            if (saturate && value > limit()) value = limit();
            result += add ? static_cast<std::uint32_t>(value)
                          : (static_cast<std::uint32_t>(value) & ((1u << bits) - 1)) << (bits * index);
        }
        return result;
    }
    std::int32_t limit() const { return (1 << (is_signed ? bits - 1 : bits)) - 1; }
    bool is_signed, saturate, add;
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
