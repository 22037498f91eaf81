#pragma once
// A request turned into pieces of pages.

#include <array>
#include <cstdint>

#include "emulator/execution/request.h"
#include "emulator/storage/page.h"

namespace optiml::emulator {

// Neighbouring bytes of one page that lanes first_lane, first_lane + 1, ... access one after another; or, if shared, the same bytes
// that all of these lanes read.
struct Span {
    Page* page = nullptr;
    std::uint32_t offset = 0;       // in the page
    std::uint32_t bytes = 0;
    std::uint8_t first_lane = 0;
    std::uint8_t lanes = 0;
    bool same = false;              // every lane accesses all of it
    bool tracked = false;           // its accesses are remembered to find races
};

struct Spans {
    std::array<Span, kLanes + 1> spans;
    std::uint32_t count = 0;

    const Span* begin() const { return spans.data(); }
    const Span* end() const { return spans.data() + count; }
};

}  // namespace optiml::emulator
