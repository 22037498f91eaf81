#include "transforms/tile_kernel.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;

bool is_index_or_guard(const TileKernel& tiles, StatementId id) {
    return id == tiles.x.declaration || id == tiles.y.declaration ||
           std::any_of(tiles.mapping.guards.begin(), tiles.mapping.guards.end(), [&](const Guard& guard) { return guard.statement == id; });
}

bool uses_index(const KernelTree& tree, const TileKernel& tiles, StatementId id) {
    return !tree.uses_of(tiles.x.variable, id).empty() || !tree.uses_of(tiles.y.variable, id).empty();
}

bool is_plain_index(const Context& context, const ThreadIndex* index) {
    return index != nullptr && index->is_only_use && index->bound != none &&
           context.source.statements[index->declaration].variables.size() == 1 && !context.source.statements[index->declaration].in_macro;
}

// The elements' statements are the last of the kernel, and those between the indices that stay in front declare values.
bool collect_statements(const Context& context, const KernelTree& tree, TileKernel& tiles) {
    const auto& source = context.source;
    tiles.statements = guarded_statements(tree, tiles.mapping);
    if (tiles.statements.empty()) return false;
    const Guard& last = tiles.mapping.guards.back();
    if (!last.returns) {
        const StatementId inside = source.statements[last.statement].children[0];
        if (source.statements[inside].kind == StatementKind::compound) tiles.body = inside;
    }
    for (const StatementId id : source.statements[tree.body()].children) {
        if (is_index_or_guard(tiles, id)) continue;
        if (std::find(tiles.statements.begin(), tiles.statements.end(), id) != tiles.statements.end()) continue;
        if (source.statements[id].kind != StatementKind::declaration || uses_index(tree, tiles, id)) return false;
        tiles.before.push_back(id);
    }
    return true;
}

bool holds_return(const Context& context, const KernelTree& tree, const TileKernel& tiles) {
    return std::any_of(tree.statements().begin(), tree.statements().end(), [&](StatementId id) {
        if (context.source.statements[id].kind != StatementKind::return_) return false;
        return std::any_of(tiles.statements.begin(), tiles.statements.end(), [&](StatementId element) { return tree.is_inside(id, element); });
    });
}

}  // namespace

std::optional<TileKernel> tile_kernel(const Context& context, std::size_t kernel, const KernelTree& tree) {
    if (!constant_block(context, kernel) || !is_editable(context, kernel) || !has_independent_threads(context, kernel)) return std::nullopt;
    TileKernel tiles;
    tiles.mapping = thread_mapping(tree);
    const ThreadIndex* x = tiles.mapping.along(0);
    const ThreadIndex* y = tiles.mapping.along(1);
    if (!is_plain_index(context, x) || !is_plain_index(context, y) || tiles.mapping.indices.size() != 2) return std::nullopt;
    if ((*constant_block(context, kernel))[2] != 1) return std::nullopt;
    tiles.x = *x;
    tiles.y = *y;
    const auto only_bounds = [](const Guard& guard) { return guard.only_bounds; };
    if (!std::all_of(tiles.mapping.guards.begin(), tiles.mapping.guards.end(), only_bounds)) return std::nullopt;
    if (!collect_statements(context, tree, tiles) || holds_return(context, tree, tiles)) return std::nullopt;
    return tiles;
}

std::optional<task::LaunchPlan> plan_of_tiles(const Context& context, std::size_t kernel, const TileKernel& tiles, const TileShape& shape) {
    task::LaunchPlan plan = context.candidate->plan;
    const auto block = *constant_block(context, kernel);
    for (const std::size_t step : context.kernels[kernel].steps) {
        task::Launch& launch = plan.steps[step].launch;
        const auto columns = plan_expression(context, kernel, step, tiles.x.bound);
        const auto rows = plan_expression(context, kernel, step, tiles.y.bound);
        launch.grid[0] = blocks_of(threads_needed(launch.grid[0], block[0], columns), shape.columns);
        launch.grid[1] = blocks_of(threads_needed(launch.grid[1], block[1], rows), shape.rows);
        launch.block[0] = task::Expression(shape.block_x);
        launch.block[1] = task::Expression(shape.block_y);
        if (!grid_fits(context, launch)) return std::nullopt;
    }
    return plan;
}

std::string bounds_text(const Context& context, const TileKernel& tiles) {
    const auto bound = [&](const ThreadIndex& index) {
        return fmt::format("{} < {}", context.source.variables[index.variable].name, as_operand(context.source, index.bound));
    };
    return bound(tiles.y) + " && " + bound(tiles.x);
}

std::string declaration_text(const Context& context, const ThreadIndex& index, const std::string& value) {
    const auto& variable = context.source.variables[index.variable];
    return fmt::format("{} {} = {};", context.source.text_of(variable.type_span), variable.name, value);
}

void replace_tile_kernel(SourceEdit& edit, const Context& context, const KernelTree& tree, const TileKernel& tiles, const std::string& text) {
    const auto& top = context.source.statements[tree.body()].children;
    const auto first = std::find_if(top.begin(), top.end(), [&](StatementId id) { return is_index_or_guard(tiles, id); });
    std::string kept;
    for (auto place = first; place != top.end(); ++place) {
        const bool stays = std::find(tiles.before.begin(), tiles.before.end(), *place) != tiles.before.end();
        if (stays) kept += edit.take_statements(*place, *place) + '\n';
    }
    edit.replace_statements(*first, top.back(), kept + text);
}

}  // namespace optiml::transforms
