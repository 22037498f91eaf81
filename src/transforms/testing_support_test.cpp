#include <algorithm>

#include "transforms/testing.h"

namespace optiml::transforms::testing {
namespace {

using cuda_source::TypeKind;

task::ScalarType scalar_type_of(const cuda_source::Type& type) {
    if (type.kind == TypeKind::floating) return type.bits == 64 ? task::ScalarType::f64 : task::ScalarType::f32;
    switch (type.bits) {
        case 8: return type.is_signed ? task::ScalarType::i8 : task::ScalarType::u8;
        case 64: return type.is_signed ? task::ScalarType::i64 : task::ScalarType::u64;
        default: return type.is_signed ? task::ScalarType::i32 : task::ScalarType::u32;
    }
}

void add_argument(task::Task& task, const cuda_source::SourceFile& source, cuda_source::VariableId parameter) {
    const auto& variable = source.variables[parameter];
    const auto& type = source.types[variable.type];
    task::Argument argument;
    argument.name = variable.name;
    task::LaunchArgument launch;
    if (type.kind == TypeKind::pointer) {
        argument.type = scalar_type_of(source.types[type.element]);
        argument.role = source.types[type.element].is_const ? task::Role::input : task::Role::output;
        const bool is_table = argument.type == task::ScalarType::i32 && argument.role == task::Role::output;
        argument.extent = task::Expression(is_table ? 256 : 1048576);
        launch.buffers = {variable.name};
    } else {
        argument.type = scalar_type_of(type);
        argument.role = task::Role::scalar;
        if (type.kind == TypeKind::integer) {
            task.sizes.push_back({.name = variable.name, .small_value = 100, .large_value = 1000});
            argument.value = *task::Expression::parse(variable.name);
        }
        launch.scalar_argument = variable.name;
    }
    launch.type = argument.type;
    task.arguments.push_back(argument);
    task.plan.steps.front().launch.arguments.push_back(launch);
}

std::string listed(const task::Expression (&expressions)[3], std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " x ") + expressions[i].canonical_text();
    return text;
}

}  // namespace

task::Task task_of(const std::string& text, const std::vector<std::string>& grid, const std::vector<std::int64_t>& block) {
    const auto source = cuda_source::parse(text, {});
    EXPECT_TRUE(source && cuda_source::first_error(*source)) << text;
    task::Task task;
    task.source = text;
    const auto& kernel = source->functions[source->kernels().front()];
    task.kernel = kernel.name;
    task::Step step;
    step.launch.kernel = kernel.name;
    for (std::size_t i = 0; i < grid.size(); ++i) step.launch.grid[i] = *task::Expression::parse(grid[i]);
    for (std::size_t i = 0; i < block.size(); ++i) step.launch.block[i] = task::Expression(block[i]);
    task.plan.steps.push_back(step);
    for (const auto parameter : kernel.parameters) add_argument(task, *source, parameter);
    return task;
}

std::unique_ptr<Analysed> analysed(task::Task task, task::Candidate candidate) {
    auto result = std::make_unique<Analysed>(Analysed{.task = std::move(task), .candidate = std::move(candidate), .context = {}});
    auto context = make_context(result->task, result->candidate, {});
    EXPECT_TRUE(context) << context.error().text() << "\n" << result->candidate.source;
    if (context) result->context = std::move(*context);
    return result;
}

std::optional<task::Candidate> applied(const Analysed& analysed, const std::string& name, const Parameters& parameters) {
    const Transformation* transformation = find_transformation(name);
    if (transformation == nullptr) {
        ADD_FAILURE() << "no transformation " << name;
        return std::nullopt;
    }
    for (const Site& site : transformation->sites(analysed.context)) {
        if (std::find(site.choices.begin(), site.choices.end(), parameters) == site.choices.end()) continue;
        auto candidate = transformation->apply(analysed.context, site, parameters);
        EXPECT_TRUE(candidate) << candidate.error().text();
        if (!candidate) return std::nullopt;
        EXPECT_EQ(candidate->edits.size(), analysed.candidate.edits.size() + 1);
        return std::move(*candidate);
    }
    return std::nullopt;
}

task::Candidate applied_all(task::Task task, const std::vector<std::pair<std::string, Parameters>>& steps) {
    task::Candidate candidate = task::original_of(task);
    for (const auto& [name, parameters] : steps) {
        const auto state = analysed(task, candidate);
        auto next = applied(*state, name, parameters);
        EXPECT_TRUE(next) << name << " is not legal here:\n" << candidate.source;
        if (!next) return candidate;
        candidate = std::move(*next);
    }
    analysed(std::move(task), candidate);  // the last text must compile too
    return candidate;
}

void expect_rewritten(const Case& test) {
    task::Task task = task_of(test.before, test.grid, test.block);
    task::Candidate original = task::original_of(task);
    const auto state = analysed(std::move(task), std::move(original));
    const auto candidate = applied(*state, test.transformation, test.parameters);
    if (test.after.empty()) {
        EXPECT_FALSE(candidate) << candidate->source;
        return;
    }
    ASSERT_TRUE(candidate) << "not legal";
    EXPECT_EQ(candidate->source, test.after);
    const task::Launch& launch = candidate->plan.steps.front().launch;
    const auto& grid = test.grid_after.empty() ? test.grid : test.grid_after;
    const auto& block = test.block_after.empty() ? test.block : test.block_after;
    for (std::size_t i = 0; i < grid.size(); ++i) EXPECT_EQ(launch.grid[i].canonical_text(), grid[i]) << listed(launch.grid, grid.size());
    for (std::size_t i = 0; i < block.size(); ++i) EXPECT_EQ(launch.block[i].canonical_text(), std::to_string(block[i]));
    analysed(state->task, *candidate);  // compiles
}

}  // namespace optiml::transforms::testing
