#include "emulator/textures/block_linear.h"

namespace optiml::emulator {
namespace {

// A group of bytes ("GOB") is 64 bytes wide and 8 rows high; a sector of it 16 bytes and 2 rows (Tegra X1 Technical Reference Manual,
// "Block Linear"). Up to 16 groups stand on each other before the next column begins.
constexpr std::uint64_t kGroupWidth = 64;
constexpr std::uint64_t kGroupRows = 8;
constexpr std::uint64_t kGroupBytes = kGroupWidth * kGroupRows;
constexpr std::uint64_t kMostGroupsInBlock = 16;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t groups_in_block(std::uint64_t rows) {
    std::uint64_t groups = 1;
    while (groups < kMostGroupsInBlock && groups * kGroupRows < rows) groups *= 2;
    return groups;
}

std::uint64_t offset_in_group(std::uint64_t x, std::uint64_t y) {
    return x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

}  // namespace

std::uint64_t BlockLinear::slice_bytes(std::uint32_t level) const {
    const std::uint64_t rows = layout_.height_of(level);
    const std::uint64_t block_rows = groups_in_block(rows) * kGroupRows;
    return ceil_div(layout_.width_of(level) * layout_.texel_bytes(), kGroupWidth) * kGroupWidth * ceil_div(rows, block_rows) * block_rows;
}

std::uint64_t BlockLinear::offset_of(const Tap& tap) const {
    const std::uint64_t texel_bytes = layout_.texel_bytes();
    if (layout_.shape == TextureShape::linear) return tap.texel[0] * texel_bytes;
    std::uint64_t start = (tap.layer * layout_.depth_of(tap.level) + tap.texel[2]) * slice_bytes(tap.level);
    for (std::uint32_t level = 0; level < tap.level; ++level) start += level_bytes(level);
    const std::uint64_t x = tap.texel[0] * texel_bytes;
    const std::uint64_t y = tap.texel[1];
    const std::uint64_t groups = groups_in_block(layout_.height_of(tap.level));
    const std::uint64_t columns = ceil_div(layout_.width_of(tap.level) * texel_bytes, kGroupWidth);
    const std::uint64_t block_row = y / (groups * kGroupRows);
    const std::uint64_t group = (block_row * columns + x / kGroupWidth) * groups + y / kGroupRows % groups;
    return start + group * kGroupBytes + offset_in_group(x % kGroupWidth, y % kGroupRows);
}

std::uint64_t BlockLinear::bytes() const {
    if (layout_.shape == TextureShape::linear) return layout_.bytes();
    std::uint64_t bytes = 0;
    for (std::uint32_t level = 0; level < layout_.levels; ++level) bytes += level_bytes(level);
    return bytes;
}

}  // namespace optiml::emulator
