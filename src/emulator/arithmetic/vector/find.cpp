#include "emulator/arithmetic/vector/find.h"

#include "emulator/arithmetic/vector/shadow.h"

namespace optiml::emulator::OPTIML_LEVEL {

LaneFunction find(const ptx::Function& function, const ptx::Instruction& instruction) {
    const Form form{.function = function, .instruction = instruction};
    for (const auto topic : {find_integer, find_carry, find_logic, find_shift, find_bits, find_video, find_floating, find_half,
                             find_approximate, find_compare, find_set, find_select, find_convert, find_move})
        if (const LaneFunction found = topic(form)) return found;
    return nullptr;
}

ShadowFunction find_shadow(const ptx::Function& function, const ptx::Instruction& instruction) {
    const Form form{.function = function, .instruction = instruction};
    for (const auto topic : {find_single_shadow, find_double_shadow, find_conversion_shadow, find_copied_shadow, find_bits_shadow})
        if (const ShadowFunction found = topic(form)) return found;
    return nullptr;
}

}  // namespace optiml::emulator::OPTIML_LEVEL
