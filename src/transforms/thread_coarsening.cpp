#include "transforms/thread_coarsening.h"

#include <fmt/format.h>

#include "transforms/element_body.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::none;
using diagnosis::Bottleneck;

class ThreadCoarsening : public Transformation {
public:
    std::string_view name() const override { return "thread_coarsening"; }
    std::string_view summary() const override {
        return "Each thread computes several elements: more independent loads in flight, and shared work done once for all of them.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::memory_latency, Bottleneck::launch, Bottleneck::instruction_issue, Bottleneck::compute,
                Bottleneck::l1_throughput};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const auto block = constant_block(context, kernel);
            if (!block) continue;
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const ThreadMapping mapping = thread_mapping(tree);
            for (std::uint8_t axis = 0; axis < 3; ++axis) {
                const auto body = element_body(context, kernel, tree, mapping, axis);
                if (!body) continue;
                Site site{.description = describe(context, kernel, fmt::format("index {}", index_name(context, *body)),
                                                  context.source.statements[body->index.declaration].span.begin),
                          .kernel = kernel,
                          .anchor = body->index.variable,
                          .choices = {}};
                for (const std::int64_t elements : {2, 4, 8}) {
                    if (overflows(*body, elements * (*block)[axis])) continue;
                    site.choices.push_back({{"elements", elements}, {"contiguous", 0}});
                    site.choices.push_back({{"elements", elements}, {"contiguous", 1}});
                }
                if (!site.choices.empty()) found.push_back(std::move(site));
            }
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const ThreadMapping mapping = thread_mapping(tree);
        const ThreadIndex* index = mapping.of(site.anchor);
        const auto body = element_body(context, site.kernel, tree, mapping, index->axis);
        const std::int64_t elements = parameters.at("elements");

        SourceEdit edit(context.source);
        wrap(edit, context, site.kernel, *body, elements, parameters.at("contiguous") != 0);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        const std::int64_t extent = (*constant_block(context, site.kernel))[index->axis];
        for (const std::size_t step : context.kernels[site.kernel].steps) {
            task::Expression& grid = candidate->plan.steps[step].launch.grid[index->axis];
            const auto bound = plan_expression(context, site.kernel, step, index->bound);
            grid = blocks_of(threads_needed(grid, extent, bound), extent * elements);
        }
        return candidate;
    }

private:
    static const std::string& index_name(const Context& context, const ElementBody& body) {
        return context.source.variables[body.index.variable].name;
    }

    // The grid covers the elements up to a multiple of elements * extent. Where that divides 2^31 the largest index is at most 2^31 - 1,
    // whatever the bound; otherwise a 32-bit index could wrap just below it.
    static bool overflows(const ElementBody& body, std::int64_t elements_per_block) {
        return body.index_bits < 64 && (std::int64_t{1} << 31) % elements_per_block != 0;
    }

    static void wrap(SourceEdit& edit, const Context& context, std::size_t kernel, const ElementBody& body, std::int64_t elements,
                     bool contiguous) {
        const SourceStyle style = style_of(context.source, context.kernels[kernel].function);
        FreshNames names(context.source.text, style);
        const std::string first = names.take("first_" + index_name(context, body));
        const std::string element = names.take("element");
        const char axis = "xyz"[body.index.axis];

        const std::string block = body.index_bits == 64 ? fmt::format("static_cast<{}>(blockIdx.{})", body.index_type, axis)
                                                        : fmt::format("blockIdx.{}", axis);
        const std::string value = contiguous ? fmt::format("{} * ({})", elements, flat_index_text(body))
                                             : fmt::format("{0} * blockDim.{1} * {2} + threadIdx.{1}", block, axis, elements);
        edit.replace(body.index.value, contiguous ? fmt::format("{} + {}", first, element)
                                                  : fmt::format("{} + {} * blockDim.{}", first, element, axis));
        continue_instead_of_return(edit, body);
        const std::string statements = edit.take_statements(body.index.declaration, body.last);
        const std::string header = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", element, elements);
        edit.replace_statements(body.index.declaration, body.last,
                                fmt::format("const {} {} = {};\n#pragma unroll\n{}", body.index_type, first, value,
                                            style.block(header, statements)));
    }
};

}  // namespace

std::unique_ptr<Transformation> make_thread_coarsening() { return std::make_unique<ThreadCoarsening>(); }

}  // namespace optiml::transforms
