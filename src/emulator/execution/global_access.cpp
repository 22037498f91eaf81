#include "emulator/execution/global_access.h"

#include <algorithm>
#include <bit>

#include "emulator/execution/access_faults.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

bool is_aligned(std::uint64_t address, std::uint32_t bytes) { return (address & (bytes - 1)) == 0; }

struct SharedSource {
    SharedMemory& shared;

    bool contains(std::uint64_t address, std::uint32_t bytes) { return shared.contains(address, bytes); }
    Page& page(std::uint64_t address) { return shared.page(address); }
    bool tracked() const { return true; }
};

struct RegionSource {
    Memory::Implementation& memory;
    std::uint64_t slot = 0;
    Region* region = nullptr;

    bool contains(std::uint64_t address, std::uint32_t bytes) {
        if (address >> kSlotShift != slot) {
            slot = address >> kSlotShift;
            region = memory.region_near(address);
        }
        return region != nullptr && region->contains(address, bytes);
    }
    // Of an address that the last contains() found inside.
    Page& page(std::uint64_t address) { return region->page(address); }
    bool tracked() const { return region->may_be_written; }
};

// Lanes of a request whose addresses follow the lane before: at the same address, or right behind it.
struct Steps {
    LaneMask same = 0;
    LaneMask next = 0;
};

Steps steps_of(const Request& request) {
    const std::uint64_t* addresses = request.addresses.data();
    Steps steps;
    for (std::uint32_t lane = 1; lane < kLanes; ++lane) {
        const std::uint64_t step = addresses[lane] - addresses[lane - 1];
        steps.same |= static_cast<LaneMask>(step == 0) << lane;
        steps.next |= static_cast<LaneMask>(step == request.lane_bytes) << lane;
    }
    const LaneMask follows = request.active & request.active << 1;
    steps.same &= follows;
    steps.next &= follows;
    return steps;
}

// How many lanes behind `lane` follow in the way that `steps` says.
std::uint32_t run_behind(LaneMask steps, std::uint32_t lane) {
    return lane == kLanes - 1 ? 0 : static_cast<std::uint32_t>(std::countr_one(steps >> (lane + 1)));
}

template <class Source>
void add_span(Source& source, Spans& spans, std::uint64_t address, std::uint32_t bytes, std::uint32_t lane, std::uint32_t lanes, bool same) {
    spans.spans[spans.count++] = {.page = &source.page(address),
                                  .offset = static_cast<std::uint32_t>(address % kPageBytes),
                                  .bytes = bytes,
                                  .first_lane = static_cast<std::uint8_t>(lane),
                                  .lanes = static_cast<std::uint8_t>(lanes),
                                  .same = same,
                                  .tracked = source.tracked()};
}

// Consecutive lanes side by side; spans end at the ends of pages.
template <class Source>
void add_run(Source& source, Spans& spans, std::uint32_t lane_bytes, std::uint64_t address, std::uint32_t lane, std::uint32_t lanes) {
    while (lanes > 0) {
        const std::uint32_t room = static_cast<std::uint32_t>(kPageBytes - address % kPageBytes) / lane_bytes;
        const std::uint32_t part = std::min(lanes, room);
        add_span(source, spans, address, part * lane_bytes, lane, part, false);
        address += part * lane_bytes;
        lane += part;
        lanes -= part;
    }
}

// False: some lane's access is faulty.
template <class Source>
bool add_runs(Source& source, const Request& request, bool merge_equal, Spans& spans) {
    const std::uint32_t bytes = request.lane_bytes;
    spans.count = 0;
    if (request.contiguous) {
        if (!source.contains(request.addresses[0], kLanes * bytes) || !is_aligned(request.addresses[0], bytes)) return false;
        add_run(source, spans, bytes, request.addresses[0], 0, kLanes);
        return true;
    }
    const Steps steps = steps_of(request);
    for (LaneMask rest = request.active; rest != 0;) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = request.addresses[lane];
        const std::uint32_t next = run_behind(steps.next, lane);
        const std::uint32_t same = merge_equal && next == 0 ? run_behind(steps.same, lane) : 0;
        if (!source.contains(address, (1 + next) * bytes) || !is_aligned(address, bytes)) return false;
        if (same > 0)
            add_span(source, spans, address, bytes, lane, 1 + same, true);
        else
            add_run(source, spans, bytes, address, lane, 1 + next);
        const std::uint32_t end = lane + 1 + next + same;
        rest = end == kLanes ? 0 : rest >> end << end;
    }
    return true;
}

template <class Source>
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

template <class Source>
void form(Executor& executor, const Operation& operation, Source source, Request& request, bool merge_equal) {
    if (add_runs(source, request, merge_equal, executor.spans)) return;
    drop_faulty_lanes(executor, operation, source, request);
    add_runs(source, request, merge_equal, executor.spans);
}

}  // namespace

void form_spans(Executor& executor, const Operation& operation, Request& request, bool merge_equal) {
    if (request.space == Space::shared)
        form(executor, operation, SharedSource{executor.block().shared}, request, merge_equal);
    else
        form(executor, operation, RegionSource{executor.state().memory}, request, merge_equal);
}

}  // namespace optiml::emulator
