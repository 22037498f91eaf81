#pragma once
// How the lanes of one warp instruction fall on 128-byte lines and 32-byte sectors of global and local memory.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/lanes.h"

namespace optiml::emulator {

constexpr std::uint32_t kLineBytes = 128;
constexpr std::uint32_t kSectorBytes = 32;
constexpr std::uint32_t kSectorsPerLine = kLineBytes / kSectorBytes;

// One line that a request touches, and which of its four sectors (bit s: bytes [32s, 32s+32)).
struct LineAccess {
    std::uint64_t line = 0;  // address / 128
    std::uint8_t sectors = 0;
};

// Lanes of 32 bytes and less, aligned to their size, touch one line each; others at most two.
constexpr std::uint32_t kMaxLinesPerRequest = 2 * kLanes;

// Writes the lines of one request, each once, and returns how many there are. bytes: a lane, at most 128.
std::uint32_t coalesce(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, LineAccess* lines);

// The device address at which a thread's local memory lies: words of 4 bytes of the 32 lanes of a warp stand side by side, so that
// lanes that read the same offset read one line.
//   frame_base  128-byte aligned address of the warp's frame;  offset  in the thread's frame
constexpr std::uint64_t local_address(std::uint64_t frame_base, std::uint64_t offset, std::uint32_t lane) {
    return frame_base + (offset / 4) * kLineBytes + lane * 4ull + offset % 4;
}

// Bytes that the lanes write in each sector of the lines that coalesce() found; lanes on the same bytes count each, up to 32.
void count_sector_bytes(LaneMask active, std::uint32_t bytes, const std::uint64_t* addresses, const LineAccess* lines, std::uint32_t count,
                        std::array<std::uint8_t, kSectorsPerLine>* sector_bytes);

// The lines and sectors of a texture fetch, each once, in ascending order. Texels do not cross sectors.
std::vector<LineAccess> lines_of_texels(std::span<const std::uint64_t> addresses);

std::uint32_t count_sectors(const LineAccess* lines, std::uint32_t count);

}  // namespace optiml::emulator
