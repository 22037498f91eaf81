#include "emulator/execution/local_access.h"

#include <bit>
#include <cstring>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_faults.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

// Copies a lane's bytes piece by piece: words of a lane lie kLanes words apart.
template <class Copy>
void for_each_piece(std::uint64_t offset, std::uint32_t bytes, Copy copy) {
    for (std::uint32_t done = 0; done < bytes;) {
        const std::uint64_t place = offset + done;
        const std::uint32_t within = place % kGranuleBytes;
        const std::uint32_t part = std::min(bytes - done, kGranuleBytes - within);
        copy(place / kGranuleBytes, within, done, part);
        done += part;
    }
}

void drop_faulty_lanes(Executor& executor, const Operation& operation, Request& request, std::uint64_t limit) {
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t address = request.addresses[lane];
        const bool inside = address < limit && request.lane_bytes <= limit - address;
        const bool aligned = address % request.lane_bytes == 0;
        if (inside && aligned) continue;
        if (!inside)
            report_out_of_bounds(executor, operation, request, lane);
        else
            report_misaligned(executor, operation, request, lane);
        request.active &= ~(1u << lane);
    }
}

}  // namespace

void load_local(Executor& executor, const Operation& operation, Request& request) {
    LocalMemory& local = executor.warp().local;
    drop_faulty_lanes(executor, operation, request, local.bytes());
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::uint8_t* to = executor.staging.data() + static_cast<std::uint32_t>(lane) * request.lane_bytes;
        for_each_piece(request.addresses[lane], request.lane_bytes,
                       [&](std::uint64_t granule, std::uint32_t within, std::uint32_t done, std::uint32_t part) {
                           std::memcpy(to + done, reinterpret_cast<const std::uint8_t*>(&local.words[granule][lane]) + within, part);
                       });
    }
    if (executor.state().options.checks) taint_flow::load_local(executor, operation, request);
    if (executor.state().wide()) shadow_flow::load_local(executor, operation, request);
}

void store_local(Executor& executor, const Operation& operation, Request& request) {
    LocalMemory& local = executor.warp().local;
    drop_faulty_lanes(executor, operation, request, local.bytes());
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        const std::uint8_t* from = executor.staging.data() + static_cast<std::uint32_t>(lane) * request.lane_bytes;
        for_each_piece(request.addresses[lane], request.lane_bytes,
                       [&](std::uint64_t granule, std::uint32_t within, std::uint32_t done, std::uint32_t part) {
                           std::memcpy(reinterpret_cast<std::uint8_t*>(&local.words[granule][lane]) + within, from + done, part);
                           local.written[granule][lane] |= static_cast<WrittenBytes>(((1u << part) - 1) << within);
                       });
    }
    if (executor.frame().taint.any) taint_flow::store_local(executor, operation, request);
    if (executor.state().wide()) shadow_flow::store_local(executor, operation, request);
}

void load_kernel_parameters(Executor& executor, const Operation& operation, Request& request) {
    const std::vector<std::uint8_t>& parameters = executor.state().parameters;
    drop_faulty_lanes(executor, operation, request, parameters.size());
    for (LaneMask rest = request.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        std::memcpy(executor.staging.data() + static_cast<std::uint32_t>(lane) * request.lane_bytes,
                    parameters.data() + request.addresses[lane], request.lane_bytes);
    }
}

}  // namespace optiml::emulator
