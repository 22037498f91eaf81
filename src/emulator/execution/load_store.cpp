// ld and st of every space and width.

#include <cstring>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/access_parts.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/local_access.h"
#include "emulator/execution/memory_steps.h"
#include "emulator/execution/rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator {
namespace {

using ptx::Space;

void load_part(Executor& executor, const Operation& operation, Request& request) {
    switch (request.space) {
        case Space::local: load_local(executor, operation, request); break;
        case Space::param: load_kernel_parameters(executor, operation, request); break;
        default:
            load_pages(executor, operation, request);
            if (executor.state().options.checks) taint_flow::load(executor, operation, request);
            if (executor.state().wide()) shadow_flow::load(executor, operation, request);
            break;
    }
    if (request.space != Space::param) executor.observe(operation, request);
}

void store_part(Executor& executor, const Operation& operation, Request& request) {
    if (request.space == Space::local) {
        store_local(executor, operation, request);
    } else {
        store_pages(executor, operation, request);
        if (executor.frame().taint.any) taint_flow::store(executor, operation, request);
        if (executor.state().wide()) shadow_flow::store(executor, operation, request);
    }
    executor.observe(operation, request);
}

}  // namespace

void form_request(Executor& executor, const Operation& operation, const AddressForm& form, ptx::Space space, LaneMask active,
                  Request& request) {
    request.active = active;
    request.lane_bytes = operation.memory.lane_bytes();
    request.space = space;
    const Slot& base = form.base;
    const std::uint64_t offset = form.offset + (form.in_frame ? executor.frame().local_base : 0);
    bool follow = false;
    if (base.width == 0)
        request.addresses.fill(offset);
    else if (base.width == 64)
        follow = form_addresses(executor.frame().row_of(base).longs(), offset, request.lane_bytes, request.addresses.data());
    else
        follow = form_addresses(executor.frame().row_of(base).words(), static_cast<std::uint32_t>(offset), request.lane_bytes,
                                request.addresses.data());
    request.contiguous = follow && active == ~LaneMask{0};
    if (executor.frame().taint.any) taint_flow::reaches_address(executor, operation, base.row, active);
}

void form_request(Executor& executor, const Operation& operation, LaneMask active, Request& request) {
    form_request(executor, operation, operation.memory.address, operation.memory.space, active, request);
}

namespace handlers {

Flow load(Executor& executor, const Operation& operation, LaneMask active) {
    form_request(executor, operation, active, executor.request);
    if (operation.memory.strength != AccessStrength::weak) executor.path().has_polled = true;
    if (executor.frame().taint.any) taint_flow::clear_destinations(executor, operation, active);
    const LaneMask done = for_each_part(executor.request, [&](Request& part) { load_part(executor, operation, part); });
    clear_staging(executor, operation.memory.lane_bytes(), active & ~done);
    unpack(executor, operation, active);
    return Flow::next;
}

Flow store(Executor& executor, const Operation& operation, LaneMask active) {
    form_request(executor, operation, active, executor.request);
    if (operation.memory.strength != AccessStrength::weak) executor.path().idle_rounds = 0;
    pack(executor, operation);
    if (executor.frame().taint.any) taint_flow::reaches_store(executor, operation, active);
    for_each_part(executor.request, [&](Request& part) { store_part(executor, operation, part); });
    return Flow::next;
}

}  // namespace handlers
}  // namespace optiml::emulator
