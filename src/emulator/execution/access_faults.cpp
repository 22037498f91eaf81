#include "emulator/execution/access_faults.h"

#include <fmt/format.h>

namespace optiml::emulator {
namespace {

std::string_view verb_of(AccessKind kind) {
    switch (kind) {
        case AccessKind::store: return "write";
        case AccessKind::atomic: case AccessKind::reduction: return "atomic access";
        default: return "read";
    }
}

struct Bounds {
    std::string name;
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
};

Bounds bounds_near(Executor& executor, ptx::Space space, std::uint64_t address) {
    if (space == ptx::Space::shared) {
        const SharedVariable* variable = executor.block().shared.variable_near(address);
        if (variable == nullptr) return {.name = "shared"};
        return {.name = variable->name, .start = variable->offset, .bytes = variable->bytes};
    }
    if (space == ptx::Space::local) return {.name = "local", .bytes = executor.warp().local.bytes()};
    if (space == ptx::Space::param) return {.name = "parameters", .bytes = executor.state().parameters.size()};
    if (const Region* region = executor.state().memory.region_near(address))
        return {.name = region->spec().name, .start = region->address(), .bytes = region->bytes()};
    return {};
}

std::string distance(const Bounds& bounds, std::uint64_t address, std::uint64_t count) {
    if (address < bounds.start) return fmt::format("{} bytes before the start of", bounds.start - address);
    const std::uint64_t end = bounds.start + bounds.bytes;
    if (address >= end) return address == end ? std::string("just past the end of") : fmt::format("{} bytes past the end of", address - end);
    return fmt::format("across the end ({} of its bytes) of", address + count - end);
}

Finding address_finding(Executor& executor, const Operation& operation, const Request& request, std::uint32_t lane, FindingKind kind) {
    const PlaceInBuffer place = place_of(executor, request.space, request.addresses[lane]);
    Finding finding = executor.finding(kind, operation, lane, {});
    finding.buffer = place.buffer;
    finding.address = place.offset;
    return finding;
}

}  // namespace

PlaceInBuffer place_of(Executor& executor, ptx::Space space, std::uint64_t address) {
    const Bounds bounds = bounds_near(executor, space, address);
    const std::string buffer = space == ptx::Space::shared ? "shared" : bounds.name;
    return {.buffer = buffer, .offset = address - bounds.start};
}

void report_out_of_bounds(Executor& executor, const Operation& operation, const Request& request, std::uint32_t lane) {
    const std::uint64_t address = request.addresses[lane];
    const Bounds bounds = bounds_near(executor, request.space, address);
    const std::string access = fmt::format("{}-byte {}", request.lane_bytes, verb_of(operation.memory.kind));
    Finding finding = address_finding(executor, operation, request, lane, FindingKind::out_of_bounds);
    const Region* region = request.space == ptx::Space::global ? executor.state().memory.region_near(address) : nullptr;
    if (region != nullptr && region->is_released())
        finding.message = fmt::format("{} of memory that was freed", access);
    else if (bounds.name.empty())
        finding.message = fmt::format("{} at address {:#x}, which belongs to no buffer", access, address);
    else
        finding.message = fmt::format("{} {} '{}' ({} bytes{})", access, distance(bounds, address, request.lane_bytes), bounds.name,
                                      bounds.bytes, request.space == ptx::Space::shared ? " of shared memory" : "");
    executor.report(std::move(finding));
}

void report_misaligned(Executor& executor, const Operation& operation, const Request& request, std::uint32_t lane) {
    const Bounds bounds = bounds_near(executor, request.space, request.addresses[lane]);
    Finding finding = address_finding(executor, operation, request, lane, FindingKind::misaligned);
    finding.message = fmt::format("{}-byte {} at offset {} of '{}', whose address is no multiple of {}", request.lane_bytes,
                                  verb_of(operation.memory.kind), static_cast<std::int64_t>(finding.address), bounds.name,
                                  request.lane_bytes);
    executor.report(std::move(finding));
}

}  // namespace optiml::emulator
