// ld.param and st.param: a kernel's parameters, and those of calls.

#include <bit>
#include <cstring>

#include "emulator/checks/taint_flow.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/local_access.h"
#include "emulator/execution/rows.h"
#include "emulator/values/shadow_flow.h"

namespace optiml::emulator::handlers {

Flow load_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    const AddressForm& address = operation.memory.address;
    const std::uint32_t bytes = operation.memory.lane_bytes();
    if (!address.in_frame && address.base.width != 0) {
        form_request(executor, operation, active, executor.request);
        load_kernel_parameters(executor, operation, executor.request);
    } else {
        Frame& frame = executor.frame();
        const std::uint8_t* from = address.in_frame ? frame.parameters.data() : executor.state().parameters.data();
        const std::size_t stride = address.in_frame ? frame.program->parameter_bytes : 0;
        for (std::uint32_t lane = 0; lane < kLanes; ++lane)
            std::memcpy(executor.staging.data() + lane * bytes, from + address.offset + lane * stride, bytes);
    }
    if (executor.frame().taint.any) taint_flow::clear_destinations(executor, operation, active);
    if (address.in_frame) taint_flow::load_parameter(executor, operation, active);
    if (address.in_frame && executor.state().wide()) shadow_flow::load_parameter(executor, operation, active);
    unpack(executor, operation, active);
    return Flow::next;
}

Flow store_parameter(Executor& executor, const Operation& operation, LaneMask active) {
    Frame& frame = executor.frame();
    const std::uint32_t bytes = operation.memory.lane_bytes();
    pack(executor, operation);
    for (LaneMask rest = active; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        std::memcpy(frame.parameters.data() + lane * std::size_t{frame.program->parameter_bytes} + operation.memory.address.offset,
                    executor.staging.data() + lane * bytes, bytes);
    }
    taint_flow::store_parameter(executor, operation, active);
    if (executor.state().wide()) shadow_flow::store_parameter(executor, operation, active);
    return Flow::next;
}

}  // namespace optiml::emulator::handlers
