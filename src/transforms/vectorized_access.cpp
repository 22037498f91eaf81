#include "transforms/vectorized_access.h"

#include <algorithm>

#include "transforms/vectorized_element.h"
#include "transforms/vectorized_loop.h"

namespace optiml::transforms {
namespace {

using diagnosis::Bottleneck;

// Two forms: a kernel with one thread an element (each thread then takes the width's number of elements), and loops over elements.
class VectorizedAccess : public Transformation {
public:
    std::string_view name() const override { return "vectorized_access"; }
    std::string_view summary() const override {
        return "Reads and writes several neighbouring elements with one instruction, and starts fewer threads or iterations for them.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::memory_bandwidth, Bottleneck::instruction_issue, Bottleneck::l1_throughput, Bottleneck::launch, Bottleneck::memory_latency};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            if (!is_editable(context, kernel)) continue;
            const KernelTree tree(context.source, context.kernels[kernel].function);
            if (auto element = vectorized_element_site(context, kernel, tree)) found.push_back(std::move(*element));
            for (Site& loop : vectorized_loop_sites(context, kernel, tree)) found.push_back(std::move(loop));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const std::int64_t width = parameters.at("width");
        const bool is_loop = context.source.statements[site.anchor].kind == cuda_source::StatementKind::for_;
        SourceEdit edit(context.source);
        if (is_loop) {
            vectorize_loops(edit, context, site, tree, width);
            return derived(context, *this, site, parameters, edit);
        }
        task::LaunchPlan plan = vectorize_element(edit, context, site, tree, width);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (candidate) candidate->plan = std::move(plan);
        return candidate;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_vectorized_access() { return std::make_unique<VectorizedAccess>(); }

}  // namespace optiml::transforms
