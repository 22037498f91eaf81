#include "emulator/execution/access_parts.h"

#include <cstring>

namespace optiml::emulator {

Request take_window(const Request& whole, LaneMask& rest) {
    Request part = whole;
    part.space = space_of(whole.addresses[std::countr_zero(rest)]);
    part.active = 0;
    for (LaneMask left = rest; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        if (space_of(whole.addresses[lane]) == part.space) part.active |= 1u << lane;
    }
    const std::uint64_t window = window_of(part.space);
    for (std::uint64_t& address : part.addresses) address -= window;
    part.contiguous = whole.contiguous && part.active == ~LaneMask{0};
    rest &= ~part.active;
    return part;
}

void clear_staging(Executor& executor, std::uint32_t lane_bytes, LaneMask lanes) {
    for (; lanes != 0; lanes &= lanes - 1)
        std::memset(executor.staging.data() + static_cast<std::uint32_t>(std::countr_zero(lanes)) * lane_bytes, 0, lane_bytes);
}

void mark_written(const Spans& spans) {
    for (const Span& span : spans) {
        WrittenBytes* written = span.page->written.get();
        if (written == nullptr) continue;
        if (((span.offset | span.bytes) & (kGranuleBytes - 1)) == 0) {
            std::memset(written + span.offset / kGranuleBytes, kAllWritten, span.bytes / kGranuleBytes);
        } else {
            for (std::uint32_t byte = span.offset; byte < span.offset + span.bytes; ++byte)
                written[byte / kGranuleBytes] |= static_cast<WrittenBytes>(1u << byte % kGranuleBytes);
        }
    }
}

}  // namespace optiml::emulator
