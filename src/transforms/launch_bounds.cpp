#include "transforms/launch_bounds.h"

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/plan_rewrite.h"
#include "transforms/rewrite.h"

namespace optiml::transforms {
namespace {

using diagnosis::Bottleneck;

class LaunchBounds : public Transformation {
public:
    std::string_view name() const override { return "launch_bounds"; }
    std::string_view summary() const override {
        return "Tells the compiler the block size and how many blocks must fit on a multiprocessor, which decides registers a thread.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::registers, Bottleneck::occupancy, Bottleneck::memory_latency};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const auto threads = threads_per_block(context, kernel);
            if (!threads || !is_editable(context, kernel)) continue;
            const auto& function = context.source.functions[context.kernels[kernel].function];
            Site site{.description = describe(context, kernel, "launch bounds", function.name_span.begin),
                      .kernel = kernel,
                      .anchor = context.kernels[kernel].function,
                      .choices = {}};
            for (const std::int64_t blocks : {0, 1, 2, 3, 4, 6, 8}) {
                const bool is_present = function.launch_bounds_threads == *threads && function.launch_bounds_blocks.value_or(0) == blocks;
                if (blocks * *threads <= most_threads_per_multiprocessor && !is_present) {
                    site.choices.push_back({{"blocks_per_multiprocessor", blocks}});
                }
            }
            found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        SourceEdit edit(context.source);
        set_launch_bounds(edit, context, site.kernel, *threads_per_block(context, site.kernel),
                          parameters.at("blocks_per_multiprocessor"));
        return derived(context, *this, site, parameters, edit);
    }

private:
    // The same on every architecture from sm_70 on, but for 1,536 on sm_86 and sm_89: more blocks are then a promise that the
    // compiler ignores with a warning.
    static constexpr std::int64_t most_threads_per_multiprocessor = 2048;

    static std::optional<std::int64_t> threads_per_block(const Context& context, std::size_t kernel) {
        const auto block = constant_block(context, kernel);
        return block ? std::optional((*block)[0] * (*block)[1] * (*block)[2]) : std::nullopt;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_launch_bounds() { return std::make_unique<LaunchBounds>(); }

}  // namespace optiml::transforms
