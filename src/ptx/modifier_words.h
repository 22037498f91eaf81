#pragma once

#include <optional>
#include <string_view>

#include "ptx/opcode_table.h"

namespace optiml::ptx {

struct ModifierWord {
    std::string_view word;
    ModifierKind kind;
    std::uint8_t value;  // of the enum that belongs to the kind
};

// The meaning of a word that is of one of the allowed kinds; nullopt: none. Matrix shapes are not among the words.
std::optional<ModifierWord> find_modifier_word(std::string_view word, ModifierKinds allowed);

}  // namespace optiml::ptx
