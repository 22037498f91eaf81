#pragma once
// 4 KiB of device memory. The size of an operating system's page, so that a kernel that walks down a column of a huge matrix made on
// demand materialises 4 KiB a row and not more.

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>

namespace optiml::emulator {

class AccessHistory;
class ShadowPage;

constexpr std::uint32_t kPageShift = 12;
constexpr std::uint32_t kPageBytes = 1u << kPageShift;
constexpr std::uint32_t kGranuleBytes = 4;
constexpr std::uint32_t kGranulesPerPage = kPageBytes / kGranuleBytes;

// Which bytes of a granule (4 bytes) are initialised: bit b for byte b. One std::uint8_t a granule, so that a whole-word store writes
// one byte and a warp's store of 32 words 32 neighbouring ones.
using WrittenBytes = std::uint8_t;
constexpr WrittenBytes kAllWritten = 0x0f;

struct Page {
    Page();
    ~Page();

    alignas(64) std::array<std::uint8_t, kPageBytes> bytes;
    std::unique_ptr<WrittenBytes[]> written;   // by granule; null: every byte is initialised
    std::unique_ptr<AccessHistory> history;    // of this launch, for race detection; null: not accessed yet
    std::unique_ptr<ShadowPage> shadow;        // values in the wider domain; null: none
    bool modified = false;                     // since it was generated: cannot be made again on demand
};

// Content of bytes that nobody has written: a NaN as a float, -1 as an integer.
constexpr std::uint8_t kPoison = 0xff;

}  // namespace optiml::emulator
