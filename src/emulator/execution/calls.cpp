// call: device functions with frames of their own, through names and pointers.

#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "emulator/execution/builtins.h"
#include "emulator/execution/calls.h"
#include "emulator/execution/executor.h"
#include "emulator/execution/handlers.h"
#include "emulator/execution/rows.h"
#include "emulator/storage/address_space.h"

namespace optiml::emulator {
namespace {

using ptx::OperandKind;

constexpr std::uint32_t kMaxDepth = 4096;
constexpr std::uint32_t kMaxLocalBytes = 512 * 1024;  // a thread, as on a GPU

// A place among the .param variables of a frame: `bytes` bytes of each lane.
struct ParameterPlace {
    Frame* frame = nullptr;
    std::uint32_t offset = 0;
};

void copy_lanes(ParameterPlace from, ParameterPlace to, std::uint64_t bytes, LaneMask lanes) {
    const std::size_t from_stride = from.frame->program->parameter_bytes;
    const std::size_t to_stride = to.frame->program->parameter_bytes;
    if (!from.frame->parameter_notes.empty()) to.frame->parameter_notes.open(to.frame->parameters.size());
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
        const std::size_t source = lane * from_stride + from.offset;
        const std::size_t target = lane * to_stride + to.offset;
        std::memcpy(to.frame->parameters.data() + target, from.frame->parameters.data() + source, bytes);
        to.frame->parameter_notes.copy(from.frame->parameter_notes, source, target, bytes);
    }
}

void copy_register(const Row& row, ParameterPlace to, std::uint64_t bytes, LaneMask lanes) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t value = lane_value(row, lane);
        std::memcpy(to.frame->parameters.data() + lane * std::size_t{to.frame->program->parameter_bytes} + to.offset, &value,
                    std::min<std::uint64_t>(bytes, sizeof value));
    }
}

// Arguments that are .param variables, or registers and immediates as in hand-written PTX.
void pass_arguments(Executor& executor, const Operation& operation, Frame& callee, LaneMask lanes) {
    Frame& caller = executor.frame();
    const ptx::Function& function = *callee.program->function;
    for (std::uint32_t index = 0; index < function.parameters.size(); ++index) {
        const ptx::Parameter& parameter = function.parameters[index];
        const ptx::Operand& argument = operation.instruction->sources[index + 1];
        const ParameterPlace to{&callee, callee.program->symbol_offsets[index]};
        if (argument.kind == OperandKind::symbol)
            copy_lanes({&caller, caller.program->symbol_offsets[argument.index]}, to, parameter.bytes, lanes);
        else
            copy_register(executor.source(operation, index + 1), to, parameter.bytes, lanes);
        if (parameter.register_index == ptx::none) continue;
        const Row row = callee.row_of(callee.program->registers[parameter.register_index]);
        for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            std::uint64_t value = 0;
            std::memcpy(&value, callee.parameters.data() + lane * std::size_t{callee.program->parameter_bytes} + to.offset,
                        std::min<std::uint64_t>(parameter.bytes, sizeof value));
            set_lane_value(row, lane, value);
        }
    }
}

// The function that a lane calls; nullptr: the register points to none.
const ptx::Function* target_of(Executor& executor, const Operation& operation, std::uint32_t lane) {
    const ptx::Module& module = executor.state().image.module();
    const ptx::Operand& operand = operation.instruction->sources[0];
    if (operand.kind == OperandKind::function) return &module.functions[operand.index];
    const std::uint64_t number = lane_value(executor.source(operation, 0), lane) - kFunctionWindow;
    return number < module.functions.size() ? &module.functions[number] : nullptr;
}

LaneMask lanes_calling(Executor& executor, const Operation& operation, const ptx::Function* target, LaneMask active) {
    LaneMask lanes = 0;
    for (LaneMask rest = active; rest != 0; rest &= rest - 1)
        if (target_of(executor, operation, static_cast<std::uint32_t>(std::countr_zero(rest))) == target) lanes |= rest & (0 - rest);
    return lanes;
}

Flow refuse(Executor& executor, const Operation& operation, LaneMask active, FindingKind kind, std::string message) {
    executor.report(executor.finding(kind, operation, static_cast<std::uint32_t>(std::countr_zero(active)), std::move(message)));
    return Flow::stop;
}

}  // namespace

void return_values(Path& path, LaneMask lanes) {
    const Path* activation = &path;
    while (!activation->is_activation) activation = activation->parent;
    if (activation->parent == nullptr) return;
    Frame& callee = *path.frame;
    Frame& caller = *activation->parent->frame;
    const ptx::Instruction& call = *caller.program->operations[activation->parent->place - 1].instruction;
    const ptx::Function& function = *callee.program->function;
    for (std::uint32_t index = 0; index < std::min(call.destinations.size(), function.returns.size()); ++index) {
        const ptx::Parameter& parameter = function.returns[index];
        const std::uint32_t symbol = static_cast<std::uint32_t>(function.parameters.size()) + index;
        const ptx::Operand& destination = call.destinations[index];
        if (destination.kind != OperandKind::symbol) continue;
        copy_lanes({&callee, callee.program->symbol_offsets[symbol]}, {&caller, caller.program->symbol_offsets[destination.index]},
                   parameter.bytes, lanes);
    }
}

namespace handlers {

Flow call(Executor& executor, const Operation& operation, LaneMask active) {
    const ptx::Function* target = target_of(executor, operation, static_cast<std::uint32_t>(std::countr_zero(active)));
    if (target == nullptr)
        return refuse(executor, operation, active, FindingKind::out_of_bounds, "call through a pointer that points to no function");
    const LaneMask lanes = lanes_calling(executor, operation, target, active);
    Path& path = executor.path();
    if (lanes != active) {
        // One target after another: the lanes meet again behind the call.
        executor.warp().diverge(path, lanes, operation.index, operation.index, operation.index + 1);
        return Flow::moved;
    }
    if (!target->has_body) return call_builtin(executor, operation, *target, lanes);
    const auto number = static_cast<std::size_t>(target - executor.state().image.module().functions.data());
    const Program* program = executor.state().kernel.programs[number].get();
    std::unique_ptr<Frame> frame = executor.make_frame(*program, path.frame, lanes);
    if (frame->depth > kMaxDepth || frame->local_base + program->local_bytes > kMaxLocalBytes)
        return refuse(executor, operation, active, FindingKind::trap,
                      fmt::format("stack overflow: {} calls deep with {} bytes of local memory a thread", frame->depth, frame->local_base));
    pass_arguments(executor, operation, *frame, lanes);
    executor.warp().call(path, lanes, std::move(frame));
    return Flow::moved;
}

}  // namespace handlers
}  // namespace optiml::emulator
