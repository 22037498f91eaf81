#include "transforms/element_body.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/accumulator.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::none;
using cuda_source::Statement;
using cuda_source::StatementId;
using cuda_source::StatementKind;

bool is_loop_or_switch(StatementKind kind) {
    return kind == StatementKind::for_ || kind == StatementKind::while_ || kind == StatementKind::do_ || kind == StatementKind::switch_;
}

// Guards whose every condition is a bound stay as they are: an index that only grows stays beyond its bound.
bool belongs_to_bounds(const KernelTree& tree, const ThreadMapping& mapping, StatementId id) {
    return std::any_of(mapping.guards.begin(), mapping.guards.end(), [&](const Guard& guard) {
        return guard.returns && guard.only_bounds && tree.is_inside(id, guard.statement);
    });
}

// The returns that end an element early; nullopt if one stands inside a loop, where `continue` would mean another loop.
std::optional<std::vector<StatementId>> early_returns_of(const KernelTree& tree, const ThreadMapping& mapping) {
    const auto& statements = tree.source().statements;
    std::vector<StatementId> returns;
    for (const StatementId id : tree.statements()) {
        if (statements[id].kind != StatementKind::return_ || belongs_to_bounds(tree, mapping, id)) continue;
        for (StatementId above = statements[id].parent; above != none; above = statements[above].parent) {
            if (is_loop_or_switch(statements[above].kind)) return std::nullopt;
        }
        returns.push_back(id);
    }
    return returns;
}

// Everything that the statements from the declaration on change is declared among them, and so begins anew for every element.
bool begins_anew(const KernelTree& tree, StatementId declaration) {
    const auto& source = tree.source();
    const std::uint32_t begin = source.statements[declaration].span.begin;
    return std::all_of(tree.expressions().begin(), tree.expressions().end(), [&](cuda_source::ExpressionId id) {
        const auto& node = source.expressions[id];
        if (node.kind != cuda_source::ExpressionKind::variable || node.span.begin < begin || !writes_object(tree, id)) return true;
        const StatementId at = tree.declaration_of(node.variable);
        return at != none && source.statements[at].span.begin >= begin;
    });
}

std::string without_const(std::string text) {
    for (std::size_t at = text.find("const"); at != std::string::npos; at = text.find("const")) {
        const std::size_t end = text.find_first_not_of(' ', at + 5);
        text.erase(at, (end == std::string::npos ? text.size() : end) - at);
    }
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

std::string type_text(const Context& context, const cuda_source::Variable& variable, const cuda_source::Type& type) {
    const std::string written = without_const(std::string(context.source.text_of(variable.type_span)));
    return written == "auto" || written.empty() ? without_const(type.spelling) : written;
}

}  // namespace

std::optional<ElementBody> element_body(const Context& context, std::size_t kernel, const KernelTree& tree, const ThreadMapping& mapping,
                                        std::uint8_t axis) {
    const ThreadIndex* index = mapping.along(axis);
    if (index == nullptr || !index->is_only_use || index->bound == none) return std::nullopt;
    if (!is_editable(context, kernel) || !has_independent_threads(context, kernel)) return std::nullopt;
    const Statement& declaration = context.source.statements[index->declaration];
    auto returns = early_returns_of(tree, mapping);
    if (declaration.variables.size() != 1 || declaration.in_macro || !returns || !begins_anew(tree, index->declaration)) return std::nullopt;

    const auto& variable = context.source.variables[index->variable];
    const auto& type = context.source.types[variable.type];
    ElementBody body{.index = *index,
                     .last = context.source.statements[tree.body()].children.back(),
                     .early_returns = std::move(*returns),
                     .own_guard = {},
                     .index_type = type_text(context, variable, type),
                     .index_bits = type.bits,
                     .index_is_signed = type.is_signed};
    const Guard& guard = mapping.guards[index->guard];
    const auto& condition = context.source.statements[guard.statement].expression;
    if (without_implicit_casts(context.source, condition) == index->comparison) body.own_guard = guard;
    return body;
}

std::optional<ElementBody> element_body_under_one_guard(const Context& context, std::size_t kernel, const KernelTree& tree) {
    const auto block = constant_block(context, kernel);
    if (!block || (*block)[1] != 1 || (*block)[2] != 1) return std::nullopt;
    const ThreadMapping mapping = thread_mapping(tree);
    auto body = element_body(context, kernel, tree, mapping, 0);
    return body && body->own_guard && mapping.guards.size() == 1 ? body : std::nullopt;
}

std::string flat_index_text(const ElementBody& body) {
    const char axis = "xyz"[body.index.axis];
    return body.index_bits == 64
               ? fmt::format("static_cast<{0}>(blockIdx.{1}) * blockDim.{1} + threadIdx.{1}", body.index_type, axis)
               : fmt::format("blockIdx.{0} * blockDim.{0} + threadIdx.{0}", axis);
}

void continue_instead_of_return(SourceEdit& edit, const ElementBody& body) {
    for (const StatementId id : body.early_returns) edit.replace_statement(id, "continue;");
}

}  // namespace optiml::transforms
