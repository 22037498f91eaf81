#include "transforms/plan_rewrite.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Storage;

task::Expression parsed(const std::string& text) { return task::Expression::parse(text).value_or(task::Expression(0)); }

std::string without_blanks(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result), [](char c) { return c != ' ' && c != '\t'; });
    return result;
}

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Position of the last `wanted` outside parentheses; npos where there is none or a parenthesis closes too early.
std::size_t last_outside_parentheses(std::string_view text, char wanted) {
    int depth = 0;
    std::size_t found = std::string_view::npos;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(') ++depth;
        if (text[i] == ')' && --depth < 0) return std::string_view::npos;
        if (depth == 0 && text[i] == wanted) found = i;
    }
    return found;
}

bool is_balanced(std::string_view text) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (c == ')' && --depth < 0) return false;
    }
    return depth == 0;
}

// A name, a number or a call: needs no parentheses as an operand.
bool is_simple(std::string_view text) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto rest = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_word) - text.begin());
    if (rest == text.size()) return true;
    const std::string_view call = text.substr(rest);
    return rest > 0 && call.front() == '(' && call.back() == ')' && is_balanced(call.substr(1, call.size() - 2));
}

std::string operand(std::string_view text) { return is_simple(text) ? std::string(text) : fmt::format("({})", text); }

std::optional<std::string> argument_text(const Context& context, const task::Launch& launch, std::size_t position) {
    if (position >= launch.arguments.size()) return std::nullopt;
    const task::LaunchArgument& argument = launch.arguments[position];
    if (!argument.buffers.empty() || task::is_float(argument.type)) return std::nullopt;
    if (argument.scalar_argument.empty()) return argument.value.text();
    const task::Argument* scalar = context.task->find_argument(argument.scalar_argument);
    return scalar == nullptr ? std::nullopt : std::optional(scalar->value.text());
}

}  // namespace

std::optional<std::array<std::int64_t, 3>> constant_block(const Context& context, std::size_t kernel) {
    std::optional<std::array<std::int64_t, 3>> found;
    for (const std::size_t step : context.kernels[kernel].steps) {
        std::array<std::int64_t, 3> block{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const task::Expression& extent = context.candidate->plan.steps[step].launch.block[axis];
            const auto value = extent.evaluate({});
            if (!extent.is_constant() || !value) return std::nullopt;
            block[axis] = *value;
        }
        if (found && *found != block) return std::nullopt;
        found = block;
    }
    return found;
}

std::optional<std::string> plan_text(const Context& context, std::size_t kernel, std::size_t step, ExpressionId id) {
    const auto& expression = context.source.expressions[id];
    if (expression.constant) return std::to_string(*expression.constant);
    const auto recurse = [&](ExpressionId child) { return plan_text(context, kernel, step, child); };
    if (expression.kind == ExpressionKind::cast && context.source.type_of(id).kind == cuda_source::TypeKind::integer) {
        return recurse(expression.children[0]);
    }
    if (expression.kind == ExpressionKind::variable) {
        const auto& variable = context.source.variables[expression.variable];
        if (variable.is_written) return std::nullopt;
        if (variable.storage == Storage::parameter) {
            const auto& parameters = context.source.functions[context.kernels[kernel].function].parameters;
            const auto position = std::find(parameters.begin(), parameters.end(), expression.variable) - parameters.begin();
            return argument_text(context, context.candidate->plan.steps[step].launch, static_cast<std::size_t>(position));
        }
        return variable.storage == Storage::local && variable.initializer != none ? recurse(variable.initializer) : std::nullopt;
    }
    if (expression.kind == ExpressionKind::binary && expression.op.size() == 1 &&
        std::string_view("+-*/%").find(expression.op[0]) != std::string_view::npos) {
        const auto left = recurse(expression.children[0]);
        const auto right = recurse(expression.children[1]);
        if (left && right) return fmt::format("{} {} {}", operand(*left), expression.op, operand(*right));
    }
    return std::nullopt;
}

std::optional<std::string> numerator_of_ceil_div(const task::Expression& grid, std::int64_t divisor) {
    std::string_view text = trimmed(grid.text());
    constexpr std::string_view name = "ceil_div(";
    if (text.starts_with(name) && text.ends_with(')')) {
        const std::string_view inside = text.substr(name.size(), text.size() - name.size() - 1);
        const std::size_t comma = last_outside_parentheses(inside, ',');
        if (comma == std::string_view::npos || number(trimmed(inside.substr(comma + 1))) != divisor) return std::nullopt;
        return std::string(trimmed(inside.substr(0, comma)));
    }
    const std::size_t slash = last_outside_parentheses(text, '/');
    if (slash == std::string_view::npos || number(trimmed(text.substr(slash + 1))) != divisor) return std::nullopt;
    std::string_view sum = trimmed(text.substr(0, slash));
    if (!sum.starts_with('(') || !sum.ends_with(')')) return std::nullopt;
    sum = sum.substr(1, sum.size() - 2);
    const std::size_t plus = last_outside_parentheses(sum, '+');
    if (plus == std::string_view::npos || number(trimmed(sum.substr(plus + 1))) != divisor - 1) return std::nullopt;
    return std::string(trimmed(sum.substr(0, plus)));
}

task::Expression ceil_div(std::string_view numerator, std::int64_t divisor) {
    return parsed(divisor == 1 ? std::string(numerator) : fmt::format("ceil_div({}, {})", numerator, divisor));
}

task::Expression product(const task::Expression& expression, std::int64_t factor) {
    return factor == 1 ? expression : parsed(fmt::format("{} * {}", operand(expression.text()), factor));
}

std::string threads_needed(const task::Expression& grid, std::int64_t block, const std::optional<std::string>& bound) {
    const auto numerator = numerator_of_ceil_div(grid, block);
    if (numerator && bound && without_blanks(*numerator) == without_blanks(*bound)) return *numerator;
    return product(grid, block).text();
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
