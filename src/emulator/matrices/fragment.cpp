#include "emulator/matrices/fragment.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

using ptx::MatrixFragment;

std::uint32_t row_count(MatrixFragment role, ptx::MatrixShape shape) { return role == MatrixFragment::b ? shape.k : shape.m; }
std::uint32_t column_count(MatrixFragment role, ptx::MatrixShape shape) { return role == MatrixFragment::a ? shape.k : shape.n; }

constexpr std::uint32_t kTile = 8;

}  // namespace

Fragment::Fragment(MatrixFragment role, ptx::MatrixShape shape, ptx::Type type, std::uint32_t registers)
    : role_(role),
      rows_(row_count(role, shape)),
      columns_(column_count(role, shape)),
      element_bytes_(std::max(1u, ptx::bits_of(type) / 8)),
      register_bytes_(std::max(4u, element_bytes_)),
      slots_(registers * (register_bytes_ / element_bytes_)),
      is_tiled_(shape.m == 16 || (shape.m == 8 && shape.n == 8)) {}

Element Fragment::element(std::uint32_t lane, std::uint32_t slot) const {
    slot %= distinct_slots();
    if (!is_tiled_) {
        const std::uint32_t number = lane * distinct_slots() + slot;
        return {.row = number / columns_, .column = number % columns_};
    }
    const std::uint32_t group = lane / 4;
    const std::uint32_t member = lane % 4;
    const std::uint32_t each = slots_per_register();
    const std::uint32_t number = slot / each;  // of the register
    const std::uint32_t place = slot % each;
    if (role_ == MatrixFragment::a) {
        const std::uint32_t halves = rows_ / kTile;
        return {.row = group + kTile * (number % halves), .column = number / halves * 4 * each + member * each + place};
    }
    if (role_ == MatrixFragment::b) {
        const std::uint32_t registers_a_tile = rows_ / (4 * each);
        const std::uint32_t within = number % registers_a_tile;
        return {.row = within * 4 * each + member * each + place, .column = group + kTile * (number / registers_a_tile)};
    }
    // Two neighbouring columns a row half: 2 slots, whatever their width.
    const std::uint32_t pair = slot / 2;
    const std::uint32_t halves = rows_ / kTile;
    return {.row = group + kTile * (pair % halves), .column = kTile * (pair / halves) + 2 * member + slot % 2};
}

}  // namespace optiml::emulator
