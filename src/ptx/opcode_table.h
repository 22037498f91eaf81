#pragma once
// What each opcode is called and which kinds of modifiers may follow it.

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "ptx/opcode.h"

namespace optiml::ptx {

// One modifier word may be of several kinds ("lo" is a half of a product and an unsigned comparison): the opcode decides.
enum class ModifierKind : std::uint8_t {
    type, space, shared_cluster, to, vector, compare, boolean, rounding, ftz, saturate, relu, propagate_nan, xor_sign, carry, half,
    approximation, atomic, shuffle, vote, match, permute, scope, order, noncoherent, uniform, wrap, shift_amount, noftz, aligned, sync,
    cache, hint, geometry, mipmap, component, surface_bounds, shape, layout, fragment, matrix_count, transpose, parity, no_complete,
    no_increment, expect_tx, test, barrier_phase, proxy, policy
};

class ModifierKinds {
public:
    constexpr ModifierKinds(std::initializer_list<ModifierKind> kinds) {
        for (const ModifierKind kind : kinds) bits_ |= bit(kind);
    }
    constexpr bool contains(ModifierKind kind) const { return (bits_ & bit(kind)) != 0; }
    constexpr ModifierKinds operator|(ModifierKinds other) const {
        ModifierKinds both = *this;
        both.bits_ |= other.bits_;
        return both;
    }

private:
    static constexpr std::uint64_t bit(ModifierKind kind) { return std::uint64_t{1} << static_cast<unsigned>(kind); }
    std::uint64_t bits_ = 0;
};

struct OpcodeEntry {
    Opcode opcode;
    std::string_view name;     // the words that never change, "shfl.sync"
    std::uint8_t destinations;
    std::uint8_t types;        // at most so many
    ModifierKinds modifiers;
};

const OpcodeEntry& entry_of(Opcode opcode);

// The entry with exactly this name, or nullptr. Names of other spellings are not resolved here.
const OpcodeEntry* find_opcode(std::string_view name);

}  // namespace optiml::ptx
