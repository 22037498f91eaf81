#include "transforms/uniform.h"

#include <algorithm>

namespace optiml::transforms {

using cuda_source::BuiltinIndex;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Storage;

bool is_uniform(const KernelTree& tree, ExpressionId id) {
    const auto& source = tree.source();
    const auto& node = source.expressions[id];
    if (node.constant) return true;
    const auto all_children = [&] {
        return std::all_of(node.children.begin(), node.children.end(), [&](ExpressionId child) { return is_uniform(tree, child); });
    };
    switch (node.kind) {
        case ExpressionKind::integer_literal:
        case ExpressionKind::float_literal:
        case ExpressionKind::bool_literal: return true;
        case ExpressionKind::builtin_index: {
            const bool varies = node.builtin == BuiltinIndex::thread_idx || (node.builtin == BuiltinIndex::block_idx && node.axis == 0);
            return !varies;
        }
        case ExpressionKind::variable: {
            const auto& variable = source.variables[node.variable];
            if (variable.is_written) return false;
            if (variable.storage == Storage::local) return variable.initializer != none && is_uniform(tree, variable.initializer);
            return variable.storage == Storage::parameter || variable.storage == Storage::template_value;
        }
        case ExpressionKind::unary: return node.op != "*" && node.op != "&" && is_pure(source, id) && all_children();
        case ExpressionKind::binary:
        case ExpressionKind::conditional:
        case ExpressionKind::cast: return all_children();
        default: return false;
    }
}

bool is_uniform_address(const KernelTree& tree, ExpressionId address) {
    const auto& source = tree.source();
    address = without_implicit_casts(source, address);
    const auto& node = source.expressions[address];
    if (node.kind == ExpressionKind::unary && node.op == "&") {
        const auto& element = source.expressions[without_implicit_casts(source, node.children[0])];
        return element.kind == ExpressionKind::subscript && is_uniform_address(tree, element.children[0]) &&
               is_uniform(tree, element.children[1]);
    }
    return source.type_of(address).kind == cuda_source::TypeKind::pointer && is_uniform(tree, address);
}

}  // namespace optiml::transforms
