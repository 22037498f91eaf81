#include "transforms/vectorized_element.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/element_body.h"
#include "transforms/plan_rewrite.h"
#include "transforms/vector_text.h"

namespace optiml::transforms {
namespace {

using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;

struct ElementKernel {
    ThreadMapping mapping;
    ElementBody body;
    Iteration iteration;
    std::vector<VectorGroup> groups;
};

// The index is used by guards and by the statements behind them alone, and those end in no other way than by their last statement.
bool has_plain_body(const KernelTree& tree, const ElementKernel& element) {
    const auto& source = tree.source();
    const auto uses = tree.uses_of(element.body.index.variable);
    return std::all_of(uses.begin(), uses.end(), [&](cuda_source::ExpressionId use) {
        const StatementId statement = tree.statement_of(use);
        const bool in_guard = std::any_of(element.mapping.guards.begin(), element.mapping.guards.end(), [&](const Guard& guard) {
            return tree.is_within(use, source.statements[guard.statement].expression);
        });
        return in_guard || std::any_of(element.iteration.statements.begin(), element.iteration.statements.end(),
                                       [&](StatementId id) { return tree.is_inside(statement, id); });
    });
}

std::optional<ElementKernel> element_kernel(const Context& context, std::size_t kernel, const KernelTree& tree) {
    if (!constant_block(context, kernel)) return std::nullopt;
    ElementKernel element{.mapping = thread_mapping(tree), .body = {}, .iteration = {}, .groups = {}};
    auto body = element_body(context, kernel, tree, element.mapping, 0);
    if (!body || !body->early_returns.empty()) return std::nullopt;
    const auto only_bounds = [](const Guard& guard) { return guard.only_bounds; };
    if (!std::all_of(element.mapping.guards.begin(), element.mapping.guards.end(), only_bounds)) return std::nullopt;
    element.body = std::move(*body);
    const bool is_inside_if = element.body.own_guard && !element.body.own_guard->returns;
    element.iteration = {.statements = guarded_statements(tree, element.mapping),
                         .body = is_inside_if ? context.source.statements[element.body.own_guard->statement].children[0] : none,
                         .counter = element.body.index.variable,
                         .counter_value = flat_index(0)};
    if (element.iteration.statements.empty() || !has_plain_body(tree, element)) return std::nullopt;
    element.groups = vector_groups(context, kernel, tree, element.iteration);
    return element;
}

// The index goes up to a multiple of width * extent: see thread_coarsening.
bool overflows(const ElementBody& body, std::int64_t elements_per_block) {
    return body.index_bits < 64 && (std::int64_t{1} << 31) % elements_per_block != 0;
}

// The index where the guard compares it with its bound.
cuda_source::ExpressionId use_in_guard(const cuda_source::SourceFile& source, const ElementBody& body) {
    for (const auto operand : source.expressions[body.index.comparison].children) {
        const auto id = without_implicit_casts(source, operand);
        const auto& node = source.expressions[id];
        if (node.kind == cuda_source::ExpressionKind::variable && node.variable == body.index.variable) return id;
    }
    return none;
}

}  // namespace

std::optional<Site> vectorized_element_site(const Context& context, std::size_t kernel, const KernelTree& tree) {
    const auto element = element_kernel(context, kernel, tree);
    if (!element) return std::nullopt;
    const std::string what = fmt::format("index {}", context.source.variables[element->body.index.variable].name);
    Site site{.description = describe(context, kernel, what, context.source.statements[element->body.index.declaration].span.begin),
              .kernel = kernel,
              .anchor = element->body.index.declaration,
              .choices = {}};
    for (const std::int64_t width : vector_widths(element->groups)) {
        if (!overflows(element->body, width * (*constant_block(context, kernel))[0])) site.choices.push_back({{"width", width}});
    }
    return site.choices.empty() ? std::nullopt : std::optional(std::move(site));
}

task::LaunchPlan vectorize_element(SourceEdit& edit, const Context& context, const Site& site, const KernelTree& tree, std::int64_t width) {
    const auto element = element_kernel(context, site.kernel, tree);
    const ElementBody& body = element->body;
    const Iteration& iteration = element->iteration;
    const auto& source = context.source;
    const SourceStyle style = style_of(source, context.kernels[site.kernel].function);
    FreshNames names(source.text, style);
    const VectorText vector(context, site.kernel, tree, iteration, element->groups, width, style, names);
    const std::string& index = source.variables[body.index.variable].name;
    const std::string bound = as_operand(source, body.index.bound);

    const std::string first = names.take("first_" + index);
    const std::string scalar = iteration.body != none ? edit.take_body(iteration.body)
                                                      : edit.take_statements(iteration.statements.front(), iteration.statements.back());
    const std::string wide = vector.statements(edit, first);
    std::string condition = fmt::format("{} + {} < {}", first, width - 1, bound);
    std::string tail = fmt::format("for ({0} {1} = {2}; {1} < {3}", body.index_type, index, first, bound);
    if (const auto addresses = vector.unaligned_addresses(first); !addresses.empty()) {
        condition += " && " + alignment_condition(addresses, vector_bytes(element->groups, width));
        tail += fmt::format(" && {} - {} < {}", index, first, width);
    }
    tail += fmt::format("; ++{})", index);
    const std::string text = style.block(fmt::format("if ({})", condition), wide) + (style.brace_on_own_line ? "\n" : " ") +
                             style.block("else", style.block_or_line(tail, scalar));

    // A bare body of an outer `if` needs braces, or its `else` would be taken for the outer one's.
    const StatementId above = source.statements[iteration.statements.front()].parent;
    const bool is_bare = !body.own_guard && source.statements[above].kind != StatementKind::compound;

    const bool replaces_if = body.own_guard && !body.own_guard->returns;
    if (body.own_guard && body.own_guard->returns) edit.remove(body.own_guard->statement);
    edit.replace_statements(replaces_if ? body.own_guard->statement : iteration.statements.front(),
                            replaces_if ? body.own_guard->statement : iteration.statements.back(),
                            is_bare ? style.block("", text).substr(1) : text);
    if (!body.own_guard) edit.replace(use_in_guard(source, body), first);
    edit.replace_statement(body.index.declaration,
                           fmt::format("const {} {} = {} * ({});", body.index_type, first, width, flat_index_text(body)));

    task::LaunchPlan plan = context.candidate->plan;
    const std::int64_t extent = (*constant_block(context, site.kernel))[0];
    for (const std::size_t step : context.kernels[site.kernel].steps) {
        const auto needed = plan_expression(context, site.kernel, step, body.index.bound);
        task::Expression& grid = plan.steps[step].launch.grid[0];
        grid = blocks_of(threads_needed(grid, extent, needed), extent * width);
    }
    return plan;
}

}  // namespace optiml::transforms
