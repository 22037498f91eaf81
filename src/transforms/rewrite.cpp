#include "transforms/rewrite.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::transforms {

using cuda_source::Storage;

task::Candidate derived(const Context& context, const Transformation& transformation, const Site& site, const Parameters& parameters) {
    task::Candidate candidate = *context.candidate;
    task::Edit edit;
    edit.transformation = transformation.name();
    edit.parameters = parameters;
    edit.site = site.description;
    candidate.edits.push_back(std::move(edit));
    return candidate;
}

Result<task::Candidate> derived(const Context& context, const Transformation& transformation, const Site& site,
                                const Parameters& parameters, const SourceEdit& edit) {
    auto text = edit.finish();
    if (!text) return tl::unexpected(text.error());
    task::Candidate candidate = derived(context, transformation, site, parameters);
    candidate.source = std::move(*text);
    return candidate;
}

std::string describe(const Context& context, std::size_t kernel, std::string_view what, std::uint32_t offset) {
    const LineMap lines(context.source.text);
    return fmt::format("{} in {}, line {}", what, kernel_name(context, kernel), lines.line(offset));
}

const std::string& kernel_name(const Context& context, std::size_t kernel) {
    return context.source.functions[context.kernels[kernel].function].name;
}

bool is_editable(const Context& context, std::size_t kernel) {
    const auto& function = context.source.functions[context.kernels[kernel].function];
    return (!function.is_template || context.kernels[kernel].is_one_instance) && !function.in_macro && function.body != cuda_source::none &&
           !context.source.statements[function.body].in_macro;
}

bool has_independent_threads(const Context& context, std::size_t kernel) {
    const auto& facts = context.kernels[kernel].facts;
    if (facts.has_barrier || facts.has_warp_primitives || facts.has_inline_assembly || facts.calls_unknown || facts.uses_dynamic_shared) {
        return false;
    }
    const auto is_shared = [&](const cuda_source::Variable& variable) {
        return variable.storage == Storage::shared && variable.function == context.kernels[kernel].function;
    };
    if (std::any_of(context.source.variables.begin(), context.source.variables.end(), is_shared)) return false;
    const auto reaches_shared = [&](cuda_source::FunctionId callee) {
        return std::any_of(context.source.variables.begin(), context.source.variables.end(), [&](const cuda_source::Variable& variable) {
            return variable.function == callee && (variable.storage == Storage::shared || variable.storage == Storage::dynamic_shared);
        });
    };
    const auto callees = callees_of(context.source, context.kernels[kernel].function);
    return std::none_of(callees.begin(), callees.end(), reaches_shared);
}

std::vector<Parameters> all_choices(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& domain) {
    std::vector<Parameters> choices = {{}};
    for (const auto& [name, values] : domain) {
        std::vector<Parameters> longer;
        for (const Parameters& choice : choices) {
            for (const std::int64_t value : values) {
                longer.push_back(choice);
                longer.back()[name] = value;
            }
        }
        choices = std::move(longer);
    }
    return choices;
}

}  // namespace optiml::transforms
