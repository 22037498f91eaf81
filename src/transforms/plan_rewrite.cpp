#include "transforms/plan_rewrite.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Storage;
using task::Expression;

bool is_balanced(std::string_view text) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (c == ')' && --depth < 0) return false;
    }
    return depth == 0;
}

// What stands between prefix and suffix in text, if it is an expression of its own.
std::optional<Expression> between(std::string_view text, std::string_view prefix, std::string_view suffix) {
    if (text.size() <= prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix)) return std::nullopt;
    const std::string_view inside = text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
    if (!is_balanced(inside)) return std::nullopt;
    auto expression = Expression::parse(inside);
    return expression ? std::optional(std::move(*expression)) : std::nullopt;
}

std::optional<Expression> argument_value(const Context& context, const task::Launch& launch, std::size_t position) {
    if (position >= launch.arguments.size()) return std::nullopt;
    const task::LaunchArgument& argument = launch.arguments[position];
    if (!argument.buffers.empty() || task::is_float(argument.type)) return std::nullopt;
    if (argument.scalar_argument.empty()) return argument.value;
    const task::Argument* scalar = context.task->find_argument(argument.scalar_argument);
    return scalar == nullptr || task::is_float(scalar->type) ? std::nullopt : std::optional(scalar->value);
}

std::optional<Expression> combined(const std::string& op, const Expression& left, const Expression& right) {
    if (op == "+") return left + right;
    if (op == "-") return left - right;
    if (op == "*") return left * right;
    if (op == "/") return left / right;
    return std::nullopt;
}

}  // namespace

std::optional<std::array<std::int64_t, 3>> constant_block(const Context& context, std::size_t kernel) {
    std::optional<std::array<std::int64_t, 3>> found;
    for (const std::size_t step : context.kernels[kernel].steps) {
        std::array<std::int64_t, 3> block{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Expression& extent = context.candidate->plan.steps[step].launch.block[axis];
            const auto value = extent.evaluate({});
            if (!extent.is_constant() || !value) return std::nullopt;
            block[axis] = *value;
        }
        if (found && *found != block) return std::nullopt;
        found = block;
    }
    return found;
}

std::optional<Expression> argument_in_plan(const Context& context, std::size_t kernel, std::size_t step, cuda_source::VariableId parameter) {
    const auto& parameters = context.source.functions[context.kernels[kernel].function].parameters;
    const auto position = std::find(parameters.begin(), parameters.end(), parameter);
    return argument_value(context, context.candidate->plan.steps[step].launch, static_cast<std::size_t>(position - parameters.begin()));
}

std::optional<Expression> plan_expression(const Context& context, std::size_t kernel, std::size_t step, ExpressionId id) {
    const auto& expression = context.source.expressions[id];
    if (expression.constant) return Expression(*expression.constant);
    const auto recurse = [&](ExpressionId child) { return plan_expression(context, kernel, step, child); };
    if (expression.kind == ExpressionKind::cast && context.source.type_of(id).kind == cuda_source::TypeKind::integer) {
        return recurse(expression.children[0]);
    }
    if (expression.kind == ExpressionKind::variable) {
        const auto& variable = context.source.variables[expression.variable];
        if (variable.is_written) return std::nullopt;
        if (variable.storage == Storage::local && variable.initializer != none) return recurse(variable.initializer);
        return argument_in_plan(context, kernel, step, expression.variable);
    }
    if (expression.kind == ExpressionKind::binary) {
        const auto left = recurse(expression.children[0]);
        const auto right = recurse(expression.children[1]);
        if (left && right) return combined(expression.op, *left, *right);
    }
    return std::nullopt;
}

std::optional<Expression> numerator_of_ceil_div(const Expression& grid, std::int64_t divisor) {
    const std::string& text = grid.canonical_text();
    if (auto numerator = between(text, "ceil_div(", fmt::format(", {})", divisor))) return numerator;
    if (auto numerator = between(text, "(", fmt::format(" + {}) / {}", divisor - 1, divisor))) return numerator;
    return between(text, "(", fmt::format(" + {} - 1) / {}", divisor, divisor));
}

Expression threads_needed(const Expression& grid, std::int64_t block, const std::optional<Expression>& bound) {
    const auto numerator = numerator_of_ceil_div(grid, block);
    return numerator && bound && *numerator == *bound ? *numerator : grid * Expression(block);
}

Expression blocks_of(const Expression& threads, std::int64_t block) {
    return block == 1 ? threads : ceil_div(threads, Expression(block));
}

Expression at_most(const Expression& blocks, std::int64_t most) {
    return Expression::parse(fmt::format("min({}, {})", blocks.canonical_text(), most)).value_or(blocks);
}

void launch_at_most(const Context& context, std::size_t kernel, std::int64_t old_block, ExpressionId bound, std::int64_t block, std::int64_t most,
                    task::LaunchPlan& plan) {
    for (const std::size_t step : context.kernels[kernel].steps) {
        task::Launch& launch = plan.steps[step].launch;
        const Expression threads = threads_needed(launch.grid[0], old_block, plan_expression(context, kernel, step, bound));
        launch.grid[0] = at_most(blocks_of(threads, block), most);
        launch.block[0] = Expression(block);
    }
}

bool grid_fits(const Context& context, const task::Launch& launch) {
    constexpr std::array<std::int64_t, 3> most = {2147483647, 65535, 65535};
    const task::Sizes sizes = context.task->large_sizes();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto blocks = launch.grid[axis].evaluate(sizes);
        if (blocks && *blocks > most[axis]) return false;
    }
    return true;
}

}  // namespace optiml::transforms
