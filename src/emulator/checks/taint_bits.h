#pragma once
// How uninitialised bits pass through one lane of an instruction.

#include <array>
#include <cstdint>

#include "emulator/checks/taint.h"

namespace optiml::emulator {

constexpr int kMaxTaintSources = 4;

// The sources of one lane: values and taint.
struct TaintedLane {
    std::array<std::uint64_t, kMaxTaintSources> values{};
    std::array<RegisterTaint::Lane, kMaxTaintSources> taints{};
    int sources = 0;
};

// Whether an instruction moves bits without computing with them in general, so that bits_moved() can follow them.
bool moves_bits(const ptx::Instruction& instruction);

// The taint of the destination's lane for such an instruction with one destination.
RegisterTaint::Lane bits_moved(const ptx::Instruction& instruction, const TaintedLane& lane);

}  // namespace optiml::emulator
