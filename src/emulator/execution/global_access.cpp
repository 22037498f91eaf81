#include "emulator/execution/global_access.h"

#include <bit>

#include "emulator/execution/access_faults.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

bool is_aligned(std::uint64_t address, std::uint32_t bytes) { return (address & (bytes - 1)) == 0; }

// Where pages come from, by space.
class Source {
public:
    Source(Executor& executor, Space space) : executor_(executor), space_(space) {}

    bool contains(std::uint64_t address, std::uint32_t bytes) {
        if (space_ == Space::shared) return executor_.block().shared.contains(address, bytes);
        const std::uint64_t slot = address >> kSlotShift;
        if (slot != slot_) {
            slot_ = slot;
            region_ = executor_.state().memory.region_near(address);
        }
        return region_ != nullptr && region_->contains(address, bytes);
    }
    // Of an address that the last contains() found inside.
    Page& page(std::uint64_t address) { return space_ == Space::shared ? executor_.block().shared.page(address) : region_->page(address); }
    bool tracked() const { return space_ == Space::shared || region_->may_be_written; }

private:
    Executor& executor_;
    Space space_;
    std::uint64_t slot_ = 0;
    Region* region_ = nullptr;
};

void form_contiguous(Source& source, const Request& request, Spans& spans) {
    std::uint64_t address = request.addresses[0];
    std::uint32_t left = kLanes * request.lane_bytes;
    std::uint8_t lane = 0;
    spans.count = 0;
    while (left > 0) {
        const std::uint32_t offset = address % kPageBytes;
        const std::uint32_t bytes = std::min(left, kPageBytes - offset);
        const auto lanes = static_cast<std::uint8_t>(bytes / request.lane_bytes);
        spans.spans[spans.count++] = {.page = &source.page(address),
                                      .offset = offset,
                                      .bytes = bytes,
                                      .first_lane = lane,
                                      .lanes = lanes,
                                      .tracked = source.tracked()};
        lane = static_cast<std::uint8_t>(lane + lanes);
        address += bytes;
        left -= bytes;
    }
}

void drop_faulty_lanes(Executor& executor, const Operation& operation, Source& source, Request& request) {
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = request.addresses[lane];
        const bool inside = source.contains(address, request.lane_bytes);
        if (inside && is_aligned(address, request.lane_bytes)) continue;
        if (!inside)
            report_out_of_bounds(executor, operation, request, lane);
        else
            report_misaligned(executor, operation, request, lane);
        request.active &= ~(1u << lane);
        request.contiguous = false;
    }
}

// False: some lane's access is faulty.
bool form_scattered(Source& source, const Request& request, bool merge_equal, Spans& spans) {
    const std::uint32_t bytes = request.lane_bytes;
    spans.count = 0;
    Span* last = nullptr;
    std::uint64_t last_address = 0;
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = request.addresses[lane];
        if (last != nullptr && lane == std::uint32_t{last->first_lane} + last->lanes) {
            if (merge_equal && address == last_address && (last->same || last->lanes == 1)) {
                last->same = true;
                ++last->lanes;
                continue;
            }
            if (!last->same && address == last_address + bytes && last->offset + last->bytes < kPageBytes &&
                source.contains(address, bytes)) {
                last->bytes += bytes;
                ++last->lanes;
                last_address = address;
                continue;
            }
        }
        if (!source.contains(address, bytes) || !is_aligned(address, bytes)) return false;
        last = &spans.spans[spans.count++];
        *last = {.page = &source.page(address),
                 .offset = static_cast<std::uint32_t>(address % kPageBytes),
                 .bytes = bytes,
                 .first_lane = static_cast<std::uint8_t>(lane),
                 .lanes = 1,
                 .tracked = source.tracked()};
        last_address = address;
    }
    return true;
}

}  // namespace

void form_spans(Executor& executor, const Operation& operation, Request& request, bool merge_equal) {
    Source source(executor, request.space);
    const std::uint32_t warp_bytes = kLanes * request.lane_bytes;
    if (request.contiguous && source.contains(request.addresses[0], warp_bytes) && is_aligned(request.addresses[0], request.lane_bytes))
        return form_contiguous(source, request, executor.spans);
    if (form_scattered(source, request, merge_equal, executor.spans)) return;
    drop_faulty_lanes(executor, operation, source, request);
    form_scattered(source, request, merge_equal, executor.spans);
}

}  // namespace optiml::emulator
