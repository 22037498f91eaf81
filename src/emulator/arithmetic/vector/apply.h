#pragma once
// How an operation on single values becomes a function over rows of 32 lanes: a loop that the compiler vectorises.
// Everything here lives in the namespace of the level it is compiled for (levels.cmake).

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "emulator/arithmetic/vector/values.h"
#include "emulator/lanes.h"

#if defined(__clang__)
#define OPTIML_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define OPTIML_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

namespace optiml::emulator::OPTIML_LEVEL {

constexpr LaneMask kAllLanes = ~LaneMask{0};

template <class T>
const Word<T>* source_words(const LaneOperands& operands, std::size_t index) {
    return static_cast<const Word<T>*>(operands.sources[index].data);
}

inline LaneMask predicate(const LaneOperands& operands, std::size_t index) {
    const LaneMask mask = *operands.sources[index].words();
    return (operands.source_negated >> index & 1) != 0 ? ~mask : mask;
}

inline void write_predicate(const Row& row, LaneMask value, LaneMask active) {
    if (row.data != nullptr) *row.words() = (*row.words() & ~active) | (value & active);
}

// Lane l of a mask as a word of all ones or all zeros.
template <class W>
inline W spread(LaneMask mask, int lane) {
    return static_cast<W>(0) - static_cast<W>(mask >> lane & 1);
}

// Where an operation writes its 32 results: straight into the row if all lanes are active, else aside, to be blended in.
template <class W>
class Destination {
public:
    Destination(const Row& row, LaneMask active)
        : row_(static_cast<W*>(row.data)), active_(active), words_(active == kAllLanes ? row_ : aside_) {}

    W* words() { return words_; }

    void finish() {
        if (active_ == kAllLanes) return;
        OPTIML_INDEPENDENT_LANES
        for (int lane = 0; lane < kLanes; ++lane) {
            const W keep = ~spread<W>(active_, lane);
            row_[lane] = (row_[lane] & keep) | (aside_[lane] & ~keep);
        }
    }

private:
    W* row_;
    LaneMask active_;
    W* words_;
    alignas(64) W aside_[kLanes];
};

// What an operation is made from: nothing, or the instruction's modifiers.
template <class Operation>
Operation make_operation(const LaneOperands& operands) {
    if constexpr (std::is_constructible_v<Operation, const ptx::Modifiers&>)
        return Operation(*operands.modifiers);
    else
        return Operation();
}

template <class Result, class... Sources, class Operation, std::size_t... Index>
[[gnu::always_inline]] inline void map_rows(Word<Result>* out, const Operation& operation, const LaneOperands& operands,
                                            std::index_sequence<Index...>) {
    [&](const Word<Sources>*... sources) {
        OPTIML_INDEPENDENT_LANES
        for (int lane = 0; lane < kLanes; ++lane)
            out[lane] = to_word<Result>(operation(from_word<Sources>(sources[lane])...));
    }(source_words<Sources>(operands, Index)...);
}

// A lane function: destination 0 = Operation(source 0, source 1, ...), values of type Result and Sources.
// Flattened: a call that is left in the loop would keep it from being vectorised.
template <class Operation, class Result, class... Sources>
[[gnu::flatten]] void map_lanes(const LaneOperands& operands, LaneMask active) {
    Destination<Word<Result>> destination(operands.destinations[0], active);
    map_rows<Result, Sources...>(destination.words(), make_operation<Operation>(operands), operands,
                                 std::index_sequence_for<Sources...>{});
    destination.finish();
}

// The same one active lane after the other, for operations that cost more than the loop or do not vectorise.
template <class Operation, class Result, class... Sources>
void map_active_lanes(const LaneOperands& operands, LaneMask active) {
    const auto operation = make_operation<Operation>(operands);
    auto* out = static_cast<Word<Result>*>(operands.destinations[0].data);
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
        for (LaneMask left = active; left != 0; left &= left - 1) {
            const int lane = __builtin_ctz(left);
            out[lane] = to_word<Result>(operation(from_word<Sources>(source_words<Sources>(operands, Index)[lane])...));
        }
    }(std::index_sequence_for<Sources...>{});
}

// Packs 32 words of all ones or all zeros into a mask.
LaneMask pack_lanes(const std::uint32_t (&lanes)[kLanes]);

// The lanes in which Operation(source 0, source 1) holds.
template <class Operation, class Source>
[[gnu::always_inline]] inline LaneMask test_lanes(const LaneOperands& operands) {
    const auto operation = make_operation<Operation>(operands);
    const auto* left = source_words<Source>(operands, 0);
    const auto* right = source_words<Source>(operands, 1);
    alignas(64) std::uint32_t lanes[kLanes];
    OPTIML_INDEPENDENT_LANES
    for (int lane = 0; lane < kLanes; ++lane)
        lanes[lane] = operation(from_word<Source>(left[lane]), from_word<Source>(right[lane])) ? ~0u : 0u;
    return pack_lanes(lanes);
}

}  // namespace optiml::emulator::OPTIML_LEVEL
