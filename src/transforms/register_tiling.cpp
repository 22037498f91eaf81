#include "transforms/register_tiling.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/jam.h"
#include "transforms/mixed_radix_index.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::StatementId;
using diagnosis::Bottleneck;

class RegisterTiling : public Transformation {
public:
    std::string_view name() const override { return "register_tiling"; }
    std::string_view summary() const override {
        return "Computes several elements side by side in registers, so that what they read in common is read once.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::l1_throughput, Bottleneck::instruction_issue, Bottleneck::memory_latency, Bottleneck::compute};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto index = mixed_radix_index(context, kernel, tree);
            if (!index || !index->body.early_returns.empty()) continue;
            for (std::size_t place = 1; place < index->digits.size(); ++place) {
                const Jam jam = jam_of(context, kernel, tree, *index, place);
                if (!jam.is_possible() || !jam.saves_loads()) continue;
                const auto& variable = context.source.variables[index->digits[place].variable];
                Site site{.description = describe(context, kernel, "coordinate " + variable.name, variable.declaration.begin),
                          .kernel = kernel,
                          .anchor = static_cast<std::uint32_t>(place),
                          .choices = {}};
                for (const std::int64_t elements : {4, 8, 2}) {
                    if (plan_of(context, kernel, *index, place, elements)) site.choices.push_back({{"elements", elements}});
                }
                if (!site.choices.empty()) found.push_back(std::move(site));
            }
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto index = mixed_radix_index(context, site.kernel, tree);
        const std::int64_t elements = parameters.at("elements");
        SourceEdit edit(context.source);
        rewrite(edit, context, site.kernel, tree, *index, site.anchor, elements);
        auto candidate = derived(context, *this, site, parameters, edit);
        auto plan = plan_of(context, site.kernel, *index, site.anchor, elements);
        if (!candidate || !plan) return candidate ? internal_error("register_tiling: no plan") : candidate;
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static Jam jam_of(const Context& context, std::size_t kernel, const KernelTree& tree, const MixedRadixIndex& index, std::size_t place) {
        return Jam(context, kernel, tree, index.elements, {index.digits[place].variable, index.body.index.variable});
    }

    static void rewrite(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const MixedRadixIndex& index,
                        std::size_t place, std::int64_t elements) {
        const auto& source = context.source;
        const SourceStyle style = style_of(source, context.kernels[kernel].function);
        FreshNames names(source.text, style);
        const std::string& digit = source.variables[index.digits[place].variable].name;
        const std::string& flat = source.variables[index.body.index.variable].name;
        const std::string type = index.body.index_type;
        const std::string groups = names.take(digit + "_groups");
        const std::string group = names.take(digit + "_group");
        const std::string number = names.take(flat + "_group");
        const std::string first = names.take("first_" + digit);
        const std::string element = names.take("element");

        // The same coordinates of a smaller array: groups of elements in the digit's place.
        MixedRadixIndex grouped = index;
        grouped.digits[place].radix = groups;
        std::string text = fmt::format("const {} {} = ({} + {}) / {};\n", type, groups, index.digits[place].radix, elements - 1, elements);
        text += fmt::format("const {} {} = {};\n", type, number, flat_index_text(index.body));
        text += style.block_or_line(fmt::format("if ({} >= {})", number, radix_product(grouped, 0, grouped.digits.size())), "return;") + '\n';
        text += grouped_digits(context, grouped, place, group, number);
        text += fmt::format("const {} {} = {} * {};\n", type, first, elements, group);

        const bool uses_flat = std::any_of(index.elements.begin(), index.elements.end(),
                                           [&](StatementId id) { return !tree.uses_of(index.body.index.variable, id).empty(); });
        const std::string flat_declaration = fmt::format("const {} {} = {};", type, flat, recomposed(context, index));
        const std::string scalar = edit.take_commented(index.elements.front(), index.elements.back());
        const std::string jammed = jam_of(context, kernel, tree, index, place)
                                       .text(edit, element, elements,
                                             {{index.digits[place].variable, fmt::format("const {} {} = {} + {};", type, digit, first, element)},
                                              {index.body.index.variable,
                                               fmt::format("const {} {} = {};", type, flat, recomposed_at(context, index, place, first, element))}});
        const std::string rest = style.block(fmt::format("for ({0} {1} = {2}; {1} < {3}; ++{1})", type, digit, first, index.digits[place].radix),
                                             (uses_flat ? flat_declaration + '\n' : "") + scalar);
        text += style.block(fmt::format("if ({} + {} < {})", first, elements - 1, index.digits[place].radix), jammed) +
                (style.brace_on_own_line ? "\n" : " ") + style.block("else", rest);
        edit.replace_statements(index.body.index.declaration, index.body.last, text);
    }

    // The digits' declarations out of the groups' number, with the group in the digit's place.
    static std::string grouped_digits(const Context& context, const MixedRadixIndex& grouped, std::size_t place, const std::string& group,
                                      const std::string& number) {
        std::string text = digit_declarations(context, grouped, 0, number);
        const auto& variable = context.source.variables[grouped.digits[place].variable];
        const std::string old = fmt::format("{} {} = ", context.source.text_of(variable.type_span), variable.name);
        const std::size_t at = text.find(old);
        return text.replace(at, old.size(), fmt::format("const {} {} = ", grouped.body.index_type, group));
    }

    static std::string recomposed_at(const Context& context, const MixedRadixIndex& index, std::size_t place, const std::string& first,
                                     const std::string& element) {
        std::string text;
        for (std::size_t digit = index.digits.size(); digit-- > 0;) {
            const std::string name = digit == place ? fmt::format("{} + {}", first, element) : context.source.variables[index.digits[digit].variable].name;
            if (text.empty()) {
                text = name;
            } else {
                text = fmt::format("{} * {} + {}", text.find(' ') == std::string::npos ? text : '(' + text + ')', index.digits[digit].radix, name);
            }
        }
        return text;
    }

    static std::optional<task::LaunchPlan> plan_of(const Context& context, std::size_t kernel, const MixedRadixIndex& index,
                                                   std::size_t place, std::int64_t elements) {
        task::LaunchPlan plan = context.candidate->plan;
        const std::int64_t extent = (*constant_block(context, kernel))[0];
        for (const std::size_t step : context.kernels[kernel].steps) {
            task::Expression threads(1);
            for (std::size_t digit = index.digits.size(); digit-- > 0;) {
                const auto radix = radix_in_plan(context, kernel, step, index.digits[digit]);
                if (!radix) return std::nullopt;
                threads = threads * (digit == place ? blocks_of(*radix, elements) : *radix);
            }
            plan.steps[step].launch.grid[0] = blocks_of(threads, extent);
        }
        return plan;
    }
};

}  // namespace

std::unique_ptr<Transformation> make_register_tiling() { return std::make_unique<RegisterTiling>(); }

}  // namespace optiml::transforms
