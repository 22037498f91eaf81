#include "transforms/aliasing.h"

#include <algorithm>

#include "transforms/kernel_tree.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::VariableId;
using task::LaunchArgument;

const LaunchArgument* argument_of(const Context& context, std::size_t kernel, std::size_t step, VariableId parameter) {
    const auto position = parameter_position(context, kernel, parameter);
    const auto& arguments = context.candidate->plan.steps[step].launch.arguments;
    return position && *position < arguments.size() ? &arguments[*position] : nullptr;
}

bool are_distinct(const LaunchArgument& a, const LaunchArgument& b) {
    if (a.buffers.empty() || b.buffers.empty()) return false;
    if (a.buffers.size() > 1 && a.buffers.size() == b.buffers.size() && a.selector == b.selector) {
        return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), std::not_equal_to<>());
    }
    return std::find_first_of(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end()) == a.buffers.end();
}

// What is left of an address besides the buffer's begin is a known multiple of `bytes`.
bool is_multiple(const task::Expression& elements, std::uint32_t element_bytes, std::uint32_t bytes) {
    const auto value = elements.evaluate({});
    return elements.is_constant() && value && (*value * element_bytes) % bytes == 0;
}

bool hands_over(const Context& context, const KernelTree& tree, ExpressionId argument, VariableId parameter) {
    const auto& type = context.source.type_of(argument);
    if (type.kind != cuda_source::TypeKind::pointer || type.element == cuda_source::none) return false;
    if (context.source.types[type.element].is_const) return false;
    const auto is_candidate = [&](ExpressionId id) {
        const auto& node = context.source.expressions[id];
        if (node.kind != ExpressionKind::variable || !tree.is_within(id, argument)) return false;
        const auto& variable = context.source.variables[node.variable];
        const bool is_local_pointer = variable.storage == cuda_source::Storage::local &&
                                      context.source.types[variable.type].kind == cuda_source::TypeKind::pointer;
        return node.variable == parameter || is_local_pointer;
    };
    return std::any_of(tree.expressions().begin(), tree.expressions().end(), is_candidate);
}

}  // namespace

std::optional<std::size_t> parameter_position(const Context& context, std::size_t kernel, VariableId variable) {
    const auto& parameters = context.source.functions[context.kernels[kernel].function].parameters;
    const auto found = std::find(parameters.begin(), parameters.end(), variable);
    if (found == parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - parameters.begin());
}

bool are_distinct_buffers(const Context& context, std::size_t kernel, VariableId a, VariableId b) {
    // Who calls a device function, and with which pointers, is not looked into.
    const auto& steps = context.kernels[kernel].steps;
    return !steps.empty() && std::all_of(steps.begin(), steps.end(), [&](std::size_t step) {
        const LaunchArgument* first = argument_of(context, kernel, step, a);
        const LaunchArgument* second = argument_of(context, kernel, step, b);
        return first != nullptr && second != nullptr && are_distinct(*first, *second);
    });
}

bool is_aligned(const Context& context, std::size_t kernel, VariableId parameter, std::uint32_t bytes) {
    const auto& steps = context.kernels[kernel].steps;
    return !steps.empty() && std::all_of(steps.begin(), steps.end(), [&](std::size_t step) {
        const LaunchArgument* argument = argument_of(context, kernel, step, parameter);
        if (argument == nullptr || argument->buffers.empty()) return false;
        return std::all_of(argument->buffers.begin(), argument->buffers.end(), [&](const std::string& name) {
            const task::Argument* buffer = context.task->find_argument(name);
            if (buffer == nullptr) return argument->offset == task::Expression(0);  // scratch begins at a multiple of 256 bytes
            const std::uint32_t element = bytes_of(buffer->type);
            return is_multiple(argument->offset, element, bytes) && is_multiple(buffer->alignment_offset, element, bytes);
        });
    });
}

bool may_be_written(const Context& context, std::size_t kernel, VariableId parameter) {
    const auto& facts = context.kernels[kernel].facts;
    if (facts.calls_unknown || facts.has_inline_assembly) return true;
    const auto writes = [&](const cuda_source::Access& access) { return access.base == parameter && (access.writes || access.atomic); };
    if (std::any_of(facts.accesses.begin(), facts.accesses.end(), writes)) return true;
    // What a called function does with a pointer is not followed: a pointer to non-const that is handed over counts as written,
    // and so does a local one, which may have been made from the parameter.
    const KernelTree tree(context.source, context.kernels[kernel].function);
    return std::any_of(tree.expressions().begin(), tree.expressions().end(), [&](ExpressionId id) {
        const auto& call = context.source.expressions[id];
        if (call.kind != ExpressionKind::call || call.name.starts_with("atomic")) return false;
        return std::any_of(call.children.begin(), call.children.end(), [&](ExpressionId argument) {
            return hands_over(context, tree, argument, parameter);
        });
    });
}

}  // namespace optiml::transforms
