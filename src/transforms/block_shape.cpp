#include "transforms/block_shape.h"

#include <algorithm>
#include <array>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/plan_rewrite.h"
#include "transforms/rewrite.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {
namespace {

using cuda_source::BuiltinIndex;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using diagnosis::Bottleneck;

using Extents = std::array<std::int64_t, 3>;

// How a kernel uses an axis of its threads.
enum class AxisUse {
    fixed,       // not at all, or only blockIdx: the extent stays
    guarded,     // by one flat index that is compared with a bound: any extent
    unguarded,   // by one flat index: only extents with which the number of threads stays the same
    walked,      // by grid-stride loops: any extent
    other,       // in another way: the kernel may have its block size built in
};

struct Axes {
    std::array<AxisUse, 3> use{};
    ThreadMapping mapping;
};

class BlockShape : public Transformation {
public:
    std::string_view name() const override { return "block_shape"; }
    std::string_view summary() const override {
        return "Other block extents: more warps to hide latency, fewer blocks to launch, or lanes along the axis that is contiguous.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::occupancy, Bottleneck::launch, Bottleneck::uncoalesced_access, Bottleneck::memory_latency};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const auto block = constant_block(context, kernel);
            if (!block || !is_editable(context, kernel) || !has_independent_threads(context, kernel)) continue;
            const Axes axes = axes_of(context, kernel);
            Site site{.description = describe(context, kernel, "block shape",
                                              context.source.functions[context.kernels[kernel].function].name_span.begin),
                      .kernel = kernel,
                      .anchor = context.kernels[kernel].function,
                      .choices = {}};
            for (const Extents& shape : shapes_for(axes, *block)) {
                if (shape != *block && reshaped(context, kernel, axes, *block, shape)) {
                    site.choices.push_back({{"x", shape[0]}, {"y", shape[1]}, {"z", shape[2]}});
                }
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const Extents shape = {parameters.at("x"), parameters.at("y"), parameters.at("z")};
        auto plan = reshaped(context, site.kernel, axes_of(context, site.kernel), *constant_block(context, site.kernel), shape);
        if (!plan) return internal_error("block_shape: no plan for this shape");
        SourceEdit edit(context.source);
        update_launch_bounds(edit, context, site.kernel, shape[0] * shape[1] * shape[2]);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (candidate) candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static Axes axes_of(const Context& context, std::size_t kernel) {
        const KernelTree tree(context.source, context.kernels[kernel].function);
        Axes axes{.use = {}, .mapping = thread_mapping(tree)};
        for (std::uint8_t axis = 0; axis < 3; ++axis) axes.use[axis] = use_of(context, kernel, tree, axes.mapping, axis);
        return axes;
    }

    static AxisUse use_of(const Context& context, std::size_t kernel, const KernelTree& tree, const ThreadMapping& mapping,
                          std::uint8_t axis) {
        if (const ThreadIndex* index = mapping.along(axis)) {
            if (!index->is_only_use) return AxisUse::other;
            return index->bound == cuda_source::none ? AxisUse::unguarded : AxisUse::guarded;
        }
        std::vector<ExpressionId> uses = uses_of_axis(context, tree, axis);
        std::erase_if(uses, [&](ExpressionId id) { return context.source.expressions[id].builtin == BuiltinIndex::block_idx; });
        if (uses.empty()) return AxisUse::fixed;
        const auto& loops = context.kernels[kernel].facts.loops;
        const auto is_walked = [&](ExpressionId id) {
            return std::any_of(loops.begin(), loops.end(), [&](const cuda_source::CanonicalLoop& loop) {
                return grid_stride_axis(tree, loop) == axis &&
                       (tree.is_within(id, loop.first) || tree.is_within(id, loop.step_expression));
            });
        };
        uses = uses_of_axis(context, tree, axis);
        return std::all_of(uses.begin(), uses.end(), is_walked) ? AxisUse::walked : AxisUse::other;
    }

    static std::vector<ExpressionId> uses_of_axis(const Context& context, const KernelTree& tree, std::uint8_t axis) {
        std::vector<ExpressionId> uses;
        const auto collect = [&](const KernelTree& function) {
            for (const ExpressionId id : function.expressions()) {
                const auto& node = context.source.expressions[id];
                if (node.kind == ExpressionKind::builtin_index && node.axis == axis && node.builtin != BuiltinIndex::warp_size) {
                    uses.push_back(id);
                }
            }
        };
        collect(tree);
        for (const auto callee : callees_of(context.source, tree.function())) collect(KernelTree(context.source, callee));
        return uses;
    }

    // A handful of shapes, of powers of two: then the last block ends at 2^31 at most, and a 32-bit index does not wrap. Extents of axes
    // that stay as they are come from the present block.
    static std::vector<Extents> shapes_for(const Axes& axes, const Extents& block) {
        constexpr std::array<Extents, 5> lines = {{{64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1}}};
        constexpr std::array<Extents, 12> tiles = {{{32, 2, 1}, {32, 4, 1}, {32, 8, 1}, {32, 16, 1}, {64, 1, 1}, {64, 2, 1}, {64, 4, 1},
                                                    {128, 1, 1}, {128, 2, 1}, {256, 1, 1}, {16, 16, 1}, {8, 32, 1}}};
        const auto is_free = [&](std::size_t axis) { return axes.use[axis] != AxisUse::fixed && axes.use[axis] != AxisUse::other; };
        std::vector<Extents> shapes;
        if (!is_free(0)) return shapes;
        if (is_free(1)) {
            shapes.assign(tiles.begin(), tiles.end());
        } else {
            shapes.assign(lines.begin(), lines.end());
        }
        for (Extents& shape : shapes) {
            if (!is_free(1)) shape[1] = block[1];
            if (!is_free(2)) shape[2] = block[2];
        }
        constexpr std::int64_t most_threads = 1024;
        std::erase_if(shapes, [](const Extents& shape) { return shape[0] * shape[1] * shape[2] > most_threads; });
        // A grid has at most 65,535 blocks along y and z: a flatter block could not be launched at sizes where the present one can.
        std::erase_if(shapes, [&](const Extents& shape) { return shape[1] < block[1] || shape[2] < block[2]; });
        return shapes;
    }

    static std::optional<task::LaunchPlan> reshaped(const Context& context, std::size_t kernel, const Axes& axes, const Extents& old,
                                                    const Extents& shape) {
        task::LaunchPlan plan = context.candidate->plan;
        for (const std::size_t step : context.kernels[kernel].steps) {
            task::Launch& launch = plan.steps[step].launch;
            for (std::uint8_t axis = 0; axis < 3; ++axis) {
                if (old[axis] == shape[axis]) continue;
                const auto grid = covering_grid(context, kernel, step, axes, axis, old[axis], shape[axis]);
                if (!grid) return std::nullopt;
                launch.grid[axis] = *grid;
                launch.block[axis] = task::Expression(shape[axis]);
            }
            if (!grid_fits(context, launch)) return std::nullopt;
        }
        return plan;
    }

    static std::optional<task::Expression> covering_grid(const Context& context, std::size_t kernel, std::size_t step, const Axes& axes,
                                                         std::uint8_t axis, std::int64_t old_extent, std::int64_t extent) {
        const task::Expression& grid = context.candidate->plan.steps[step].launch.grid[axis];
        switch (axes.use[axis]) {
            case AxisUse::guarded: {
                const auto bound = plan_expression(context, kernel, step, axes.mapping.along(axis)->bound);
                return blocks_of(threads_needed(grid, old_extent, bound), extent);
            }
            case AxisUse::unguarded:
                if (old_extent % extent != 0) return std::nullopt;
                return grid * task::Expression(old_extent / extent);
            case AxisUse::walked: return blocks_of(grid * task::Expression(old_extent), extent);
            default: return std::nullopt;
        }
    }
};

}  // namespace

std::unique_ptr<Transformation> make_block_shape() { return std::make_unique<BlockShape>(); }

}  // namespace optiml::transforms
