#include "transforms/grid_stride_loop.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/element_body.h"
#include "transforms/element_loop.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using diagnosis::Bottleneck;

class GridStrideLoop : public Transformation {
public:
    std::string_view name() const override { return "grid_stride_loop"; }
    std::string_view summary() const override {
        return "A grid that just fills the device walks all elements: no block is started more often than needed.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::launch, Bottleneck::memory_latency}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const ThreadMapping mapping = thread_mapping(tree);
            for (const ThreadIndex& index : mapping.indices) {
                const auto body = element_body(context, kernel, tree, mapping, index.axis);
                if (!body) continue;
                Site site{.description = describe(context, kernel, "index " + context.source.variables[index.variable].name,
                                                  context.source.statements[index.declaration].span.begin),
                          .kernel = kernel,
                          .anchor = index.variable,
                          .choices = {}};
                for (const std::int64_t blocks_per_multiprocessor : {2, 4, 8, 16}) {
                    site.choices.push_back({{"blocks", blocks_per_multiprocessor * context.multiprocessors}});
                }
                found.push_back(std::move(site));
            }
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const ThreadMapping mapping = thread_mapping(tree);
        const auto body = element_body(context, site.kernel, tree, mapping, mapping.of(site.anchor)->axis);
        SourceEdit edit(context.source);
        make_element_loop(edit, context, site.kernel, tree, *body);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        for (const std::size_t step : context.kernels[site.kernel].steps) {
            task::Expression& grid = candidate->plan.steps[step].launch.grid[body->index.axis];
            grid = at_most(grid, parameters.at("blocks"));
        }
        return candidate;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_grid_stride_loop() { return std::make_unique<GridStrideLoop>(); }

}  // namespace optiml::transforms
