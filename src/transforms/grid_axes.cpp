#include "transforms/grid_axes.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/mixed_radix_index.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::StatementId;
using diagnosis::Bottleneck;

constexpr std::int64_t most_planes = 65535;  // blocks along z

class GridAxes : public Transformation {
public:
    std::string_view name() const override { return "grid_axes"; }
    std::string_view summary() const override {
        return "Takes coordinates from the axes of the grid instead of dividing a flat index, and gives each block a tile of a plane.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::instruction_issue, Bottleneck::compute, Bottleneck::memory_latency, Bottleneck::memory_bandwidth};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto index = mixed_radix_index(context, kernel, tree);
            if (!index) continue;
            const std::string what = "coordinates of " + context.source.variables[index->body.index.variable].name;
            Site site{.description = describe(context, kernel, what, context.source.statements[index->body.index.declaration].span.begin),
                      .kernel = kernel,
                      .anchor = index->body.index.variable,
                      .choices = {}};
            constexpr std::array<std::array<std::int64_t, 2>, 6> blocks = {{{32, 2}, {32, 4}, {32, 8}, {64, 4}, {16, 16}, {128, 1}}};
            for (const auto& [x, y] : blocks) {
                if (plan_of(context, kernel, *index, x, y)) site.choices.push_back({{"x", x}, {"y", y}});
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto index = mixed_radix_index(context, site.kernel, tree);
        const std::int64_t x = parameters.at("x");
        const std::int64_t y = parameters.at("y");
        SourceEdit edit(context.source);
        rewrite(edit, context, site.kernel, tree, *index);
        update_launch_bounds(edit, context, site.kernel, x * y);
        auto candidate = derived(context, *this, site, parameters, edit);
        auto plan = plan_of(context, site.kernel, *index, x, y);
        if (!candidate || !plan) return candidate ? internal_error("grid_axes: no plan") : candidate;
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static void rewrite(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree,
                        const MixedRadixIndex& index) {
        const SourceStyle style = style_of(context.source, context.kernels[kernel].function);
        FreshNames names(context.source.text, style);
        const bool has_planes = index.digits.size() > 2;
        const auto name = [&](std::size_t digit) { return context.source.variables[index.digits[digit].variable].name; };
        const auto declared = [&](std::size_t digit, char axis) {
            const auto& variable = context.source.variables[index.digits[digit].variable];
            return fmt::format("{0} {1} = blockIdx.{2} * blockDim.{2} + threadIdx.{2};\n", context.source.text_of(variable.type_span),
                               variable.name, axis);
        };
        std::string text = declared(0, 'x') + declared(1, 'y');
        text += style.block_or_line(fmt::format("if ({} >= {} || {} >= {})", name(0), index.digits[0].radix, name(1), index.digits[1].radix), "return;");

        if (has_planes) continue_instead_of_return(edit, index.body);
        const std::string statements = edit.take_commented(index.elements.front(), index.elements.back());
        const bool is_used = std::any_of(index.elements.begin(), index.elements.end(),
                                         [&](StatementId id) { return !tree.uses_of(index.body.index.variable, id).empty(); });
        const auto flat = [&](const std::string& value) {
            const std::string& variable = context.source.variables[index.body.index.variable].name;
            return is_used ? fmt::format("const {} {} = {};\n", index.body.index_type, variable, value) : "";
        };
        if (has_planes) {
            // Unsigned: the last step may pass 2^31.
            const std::string type = index.body.index_bits < 64 ? "unsigned int" : index.body.index_type;
            const std::string plane = names.take_first({"plane", "plane_number"});
            const std::string header = fmt::format("for ({0} {1} = blockIdx.z; {1} < {2}; {1} += gridDim.z)", type, plane,
                                                   radix_product(index, 2, index.digits.size()));
            text += '\n' + style.block(header, digit_declarations(context, index, 2, plane) +
                                                   flat(fmt::format("({} * {} + {}) * {} + {}", plane, index.digits[1].radix, name(1),
                                                                    index.digits[0].radix, name(0))) +
                                                   statements);
        } else {
            text += '\n' + flat(recomposed(context, index)) + statements;
        }
        edit.replace_statements(index.body.index.declaration, index.body.last, text);
    }

    // The radices as expressions of the plan, which the launch arguments give.
    static std::optional<task::LaunchPlan> plan_of(const Context& context, std::size_t kernel, const MixedRadixIndex& index, std::int64_t x,
                                                   std::int64_t y) {
        task::LaunchPlan plan = context.candidate->plan;
        for (const std::size_t step : context.kernels[kernel].steps) {
            task::Launch& launch = plan.steps[step].launch;
            std::vector<task::Expression> radices;
            for (const Digit& digit : index.digits) {
                const auto radix = radix_in_plan(context, kernel, step, digit);
                if (!radix) return std::nullopt;
                radices.push_back(*radix);
            }
            task::Expression planes(1);
            for (std::size_t digit = 2; digit < radices.size(); ++digit) planes = radices[digit] * planes;
            launch.grid[0] = blocks_of(radices[0], x);
            launch.grid[1] = blocks_of(radices[1], y);
            launch.grid[2] = radices.size() > 2 ? at_most(planes, most_planes) : task::Expression(1);
            launch.block[0] = task::Expression(x);
            launch.block[1] = task::Expression(y);
            if (!grid_fits(context, launch)) return std::nullopt;
        }
        return plan;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_grid_axes() { return std::make_unique<GridAxes>(); }

}  // namespace optiml::transforms
