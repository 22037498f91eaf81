#include "transforms/element_loop.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;

// The bound can come so close to 2^31 that index + stride passes it. A grid has at most 2^24 threads here (16 blocks of 1,024 on each
// of 1,024 multiprocessors), and a later step may give each of them up to 16 neighbouring elements.
bool may_overflow(const Context& context, std::size_t kernel, const ElementBody& body) {
    if (body.index_bits >= 64) return false;
    constexpr std::int64_t most_elements = std::int64_t{1} << 28;
    task::Sizes largest;
    for (const task::NamedSize& size : context.task->sizes) largest[size.name] = size.maximum;
    for (const std::size_t step : context.kernels[kernel].steps) {
        const auto bound = plan_expression(context, kernel, step, body.index.bound);
        const auto value = bound ? bound->evaluate(largest) : Result<std::int64_t>(internal_error(""));
        if (!value || *value > (std::int64_t{1} << 31) - most_elements) return true;
    }
    return false;
}

struct Lines {
    std::string text;
    bool has_braces = true;
};

// What is left of the body for one element: without the index's declaration and without its guard where the loop says the same.
Lines body_lines(SourceEdit& edit, const Context& context, const KernelTree& tree, const ElementBody& body) {
    const auto& top = context.source.statements[tree.body()].children;
    const auto first = std::find(top.begin(), top.end(), body.index.declaration) + 1;
    const bool own_if = body.own_guard && !body.own_guard->returns && first != top.end() && *first == body.own_guard->statement;
    if (own_if) {
        const StatementId inside = context.source.statements[*first].children[0];
        return {edit.take_body(inside), context.source.statements[inside].kind == StatementKind::compound};
    }
    if (body.own_guard && body.own_guard->returns) edit.remove(body.own_guard->statement);
    return {first == top.end() ? "" : edit.take_rest(body.index.declaration, body.last), true};
}

}  // namespace

void make_element_loop(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const ElementBody& body,
                       const std::string& before, const std::string& after) {
    const SourceStyle style = style_of(context.source, context.kernels[kernel].function);
    const std::string& name = context.source.variables[body.index.variable].name;
    const std::string bound = as_operand(context.source, body.index.bound);
    const std::string stride = fmt::format("gridDim.{0} * blockDim.{0}", "xyz"[body.index.axis]);

    continue_instead_of_return(edit, body);
    Lines lines = body_lines(edit, context, tree, body);
    std::string counter = name;
    std::string type = body.index_type;
    if (may_overflow(context, kernel, body)) {
        counter = FreshNames(context.source.text, style).take(name + "_wide");
        type = body.index_is_signed ? "long long" : "unsigned long long";
        lines = {fmt::format("const {} {} = {};\n{}", body.index_type, name, counter, lines.text), true};
    }
    const std::string header = fmt::format("for ({0} {1} = {2}; {1} < {3}; {1} += {4})", type, counter, flat_index_text(body), bound, stride);
    std::string text = before.empty() ? "" : before + '\n';
    text += lines.has_braces ? style.block(header, lines.text) : style.block_or_line(header, lines.text);
    if (!after.empty()) text += '\n' + after;
    edit.replace_statements(body.index.declaration, body.last, text);
}

}  // namespace optiml::transforms
