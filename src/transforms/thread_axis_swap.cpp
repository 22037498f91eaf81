#include "transforms/thread_axis_swap.h"

#include <algorithm>

#include "transforms/aliasing.h"
#include "transforms/launch_bounds_attribute.h"
#include "transforms/plan_rewrite.h"
#include "transforms/rewrite.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {
namespace {

using cuda_source::BuiltinIndex;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::Polynomial;
using diagnosis::Bottleneck;

class ThreadAxisSwap : public Transformation {
public:
    std::string_view name() const override { return "thread_axis_swap"; }
    std::string_view summary() const override {
        return "Swaps the roles of the x and y axes, so that the lanes of a warp touch neighbouring addresses.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::uncoalesced_access, Bottleneck::memory_bandwidth}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            if (!context.kernels[kernel].is_launched() || !is_editable(context, kernel) || !is_swappable(context, kernel) || !has_strided_lanes(context, kernel)) continue;
            Site site{.description = describe(context, kernel, "thread axes x and y",
                                              context.source.functions[context.kernels[kernel].function].name_span.begin),
                      .kernel = kernel,
                      .anchor = context.kernels[kernel].function,
                      .choices = {}};
            for (const std::int64_t keep_block : {0, 1}) {
                if (swapped_plan(context, kernel, keep_block != 0)) site.choices.push_back({{"keep_block", keep_block}});
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        SourceEdit edit(context.source);
        for (const ExpressionId id : builtins_of(context, site.kernel)) {
            const auto& node = context.source.expressions[id];
            if (node.axis < 2) edit.replace({node.span.end - 1, node.span.end}, node.axis == 0 ? "y" : "x");
        }
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        auto plan = swapped_plan(context, site.kernel, parameters.at("keep_block") != 0);
        if (!plan) return internal_error("thread_axis_swap: no plan for these parameters");
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static std::vector<ExpressionId> builtins_of(const Context& context, std::size_t kernel) {
        const KernelTree tree(context.source, context.kernels[kernel].function);
        std::vector<ExpressionId> found;
        for (const ExpressionId id : tree.expressions()) {
            const auto& node = context.source.expressions[id];
            if (node.kind == ExpressionKind::builtin_index && node.builtin != BuiltinIndex::warp_size) found.push_back(id);
        }
        return found;
    }

    // Renaming the axes throughout changes nothing but which threads form a warp.
    static bool is_swappable(const Context& context, std::size_t kernel) {
        const auto& facts = context.kernels[kernel].facts;
        if (facts.has_warp_primitives || facts.has_inline_assembly || facts.calls_unknown) return false;
        const auto builtins = builtins_of(context, kernel);
        const auto is_plain = [&](ExpressionId id) {
            const auto& node = context.source.expressions[id];
            const std::string_view text = context.source.text_of(node.span);
            return !node.in_macro && (text.ends_with(".x") || text.ends_with(".y") || text.ends_with(".z"));
        };
        const auto uses_thread = [&](std::uint8_t axis) {
            return std::any_of(builtins.begin(), builtins.end(), [&](ExpressionId id) {
                const auto& node = context.source.expressions[id];
                return node.builtin == BuiltinIndex::thread_idx && node.axis == axis;
            });
        };
        if (!std::all_of(builtins.begin(), builtins.end(), is_plain) || !uses_thread(0) || !uses_thread(1)) return false;
        for (const auto callee : callees_of(context.source, context.kernels[kernel].function)) {
            const KernelTree tree(context.source, callee);
            for (const ExpressionId id : tree.expressions()) {
                if (context.source.expressions[id].kind == ExpressionKind::builtin_index) return false;
            }
        }
        return true;
    }

    // Some access that neighbouring lanes make at addresses further apart than one element.
    static bool has_strided_lanes(const Context& context, std::size_t kernel) {
        const auto& accesses = context.kernels[kernel].facts.accesses;
        return std::any_of(accesses.begin(), accesses.end(), [&](const cuda_source::Access& access) {
            if (access.base == cuda_source::none || !parameter_position(context, kernel, access.base)) return false;
            const auto stride = access.index.coefficient_of(builtin_symbol(BuiltinIndex::thread_idx, 0));
            if (!access.index_known || !stride) return false;
            return !stride->is_constant() || std::abs(stride->constant()) > 1;
        });
    }

    // keep_block: the block keeps its extents and the grid is made anew, which needs guarded indices on both axes.
    static std::optional<task::LaunchPlan> swapped_plan(const Context& context, std::size_t kernel, bool keep_block) {
        const auto block = constant_block(context, kernel);
        if (keep_block && (!block || (*block)[0] == (*block)[1])) return std::nullopt;
        const KernelTree tree(context.source, context.kernels[kernel].function);
        const ThreadMapping mapping = thread_mapping(tree);
        task::LaunchPlan plan = context.candidate->plan;
        for (const std::size_t step : context.kernels[kernel].steps) {
            task::Launch& launch = plan.steps[step].launch;
            if (keep_block) {
                std::array<task::Expression, 2> grid;
                for (const std::uint8_t axis : {0, 1}) {
                    const ThreadIndex* index = mapping.along(1 - axis);
                    if (index == nullptr || !index->is_only_use || index->bound == cuda_source::none) return std::nullopt;
                    const auto bound = plan_expression(context, kernel, step, index->bound);
                    grid[axis] = blocks_of(threads_needed(launch.grid[1 - axis], (*block)[1 - axis], bound), (*block)[axis]);
                }
                launch.grid[0] = grid[0];
                launch.grid[1] = grid[1];
            } else {
                std::swap(launch.grid[0], launch.grid[1]);
                std::swap(launch.block[0], launch.block[1]);
            }
            if (!grid_fits(context, launch)) return std::nullopt;
        }
        return plan;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_thread_axis_swap() { return std::make_unique<ThreadAxisSwap>(); }

}  // namespace optiml::transforms
