#include "transforms/private_histogram.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/aliasing.h"
#include "transforms/element_body.h"
#include "transforms/element_loop.h"
#include "transforms/launch_bounds_attribute.h"
#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"
#include "transforms/reduction_functions.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::Type;
using cuda_source::TypeKind;
using cuda_source::VariableId;
using diagnosis::Bottleneck;

// atomicAdd(&table[index], value); and all others on the same table.
struct Table {
    VariableId parameter = none;
    const Type* type = nullptr;
    std::int64_t extent = 0;
    std::vector<ExpressionId> bases;  // `table` in each of them
};

class PrivateHistogram : public Transformation {
public:
    std::string_view name() const override { return "private_histogram"; }
    std::string_view summary() const override {
        return "Counts in a table of each block's own in shared memory, and adds that to the global table once.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::atomics, Bottleneck::memory_latency, Bottleneck::launch}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            if (!element_body_under_one_guard(context, kernel, tree)) continue;
            const auto table = table_of(context, kernel, tree);
            if (!table) continue;
            const std::string& name = context.source.variables[table->parameter].name;
            Site site{.description = describe(context, kernel, "atomics on " + name, context.source.expressions[table->bases.front()].span.begin),
                      .kernel = kernel,
                      .anchor = table->parameter,
                      .choices = {}};
            for (const std::int64_t block : {256, 512, 1024}) {
                for (const std::int64_t blocks_per_multiprocessor : {2, 4, 8}) {
                    for (const std::int64_t copies : {1, 4, 8}) {
                        const bool fits = copies * table->extent * table->type->bits / 8 * blocks_per_multiprocessor <= most_shared_bytes &&
                                          copies * table->extent * table->type->bits / 8 <= most_static_shared_bytes;
                        if (!fits || block * blocks_per_multiprocessor > most_threads || copies > block / 32) continue;
                        site.choices.push_back(
                            {{"block", block}, {"blocks", blocks_per_multiprocessor * context.multiprocessors}, {"copies", copies}});
                    }
                }
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto body = element_body_under_one_guard(context, site.kernel, tree);
        const auto table = table_of(context, site.kernel, tree);
        const std::int64_t block = parameters.at("block");
        SourceEdit edit(context.source);
        rewrite(edit, context, site.kernel, tree, *body, *table, parameters.at("copies"));
        update_launch_bounds(edit, context, site.kernel, block);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        const std::int64_t extent = (*constant_block(context, site.kernel))[0];
        launch_at_most(context, site.kernel, extent, body->index.bound, block, parameters.at("blocks"), candidate->plan);
        return candidate;
    }

private:
    // Neighbouring elements that count in the same copy: as many as one wide load brings, so that lanes differ after it too.
    static constexpr std::int64_t elements_a_copy = 16;
    static constexpr std::int64_t most_threads = 2048;                // resident on a multiprocessor
    static constexpr std::int64_t most_shared_bytes = 98304;          // of one, shared by its blocks: what sm_70 and later have
    static constexpr std::int64_t most_static_shared_bytes = 49152;   // of a block

    // How many elements the parameter's buffer has in every launch, where that is a constant.
    static std::optional<std::int64_t> constant_extent(const Context& context, std::size_t kernel, VariableId parameter) {
        std::optional<std::int64_t> extent;
        for (const std::size_t step : context.kernels[kernel].steps) {
            const auto& arguments = context.candidate->plan.steps[step].launch.arguments;
            const auto position = parameter_position(context, kernel, parameter);
            if (!position || *position >= arguments.size() || arguments[*position].buffers.size() != 1) return std::nullopt;
            const task::Argument* buffer = context.task->find_argument(arguments[*position].buffers.front());
            if (buffer == nullptr || !buffer->extent.is_constant() || !(arguments[*position].offset == task::Expression(0))) return std::nullopt;
            const auto value = buffer->extent.evaluate({});
            if (!value || (extent && *extent != *value)) return std::nullopt;
            extent = *value;
        }
        return extent;
    }

    // `table` in atomicAdd(&table[index], value);
    static std::optional<ExpressionId> base_of(const Context& context, const KernelTree& tree, const Access& access) {
        const auto& source = context.source;
        const auto& call = source.expressions[access.expression];
        if (call.kind != ExpressionKind::call || call.name != "atomicAdd" || call.children.size() != 2) return std::nullopt;
        const bool result_is_used = tree.parent(access.expression) != none ||
                                    source.statements[access.statement].kind != cuda_source::StatementKind::expression;
        const auto& address = source.expressions[without_implicit_casts(source, call.children[0])];
        if (result_is_used || call.in_macro || address.kind != ExpressionKind::unary || address.op != "&") return std::nullopt;
        const auto& element = source.expressions[without_implicit_casts(source, address.children[0])];
        if (element.kind != ExpressionKind::subscript) return std::nullopt;
        const ExpressionId base = without_implicit_casts(source, element.children[0]);
        const auto& variable = source.expressions[base];
        return variable.kind == ExpressionKind::variable && variable.variable == access.base ? std::optional(base) : std::nullopt;
    }

    // The first parameter that the kernel uses for such atomics and for nothing else, with a small extent.
    static std::optional<Table> table_of(const Context& context, std::size_t kernel, const KernelTree& tree) {
        for (const VariableId parameter : context.source.functions[context.kernels[kernel].function].parameters) {
            Table table{.parameter = parameter, .type = nullptr, .extent = 0, .bases = {}};
            bool is_table = true;
            for (const Access& access : context.kernels[kernel].facts.accesses) {
                if (access.base != parameter) {
                    const bool is_other = access.base == none || (parameter_position(context, kernel, access.base) &&
                                                                  !are_distinct_buffers(context, kernel, access.base, parameter));
                    is_table &= !is_other;
                    continue;
                }
                const auto base = base_of(context, tree, access);
                is_table &= base.has_value();
                if (base) table.bases.push_back(*base);
            }
            const auto extent = constant_extent(context, kernel, parameter);
            if (!is_table || table.bases.empty() || !extent || *extent < 2) continue;
            if (table.bases.size() != tree.uses_of(parameter).size()) continue;
            table.extent = *extent;
            table.type = &context.source.types[context.source.types[context.source.variables[parameter].type].element];
            const bool is_supported = (table.type->kind == TypeKind::integer || table.type->kind == TypeKind::floating) && table.type->bits >= 32;
            if (is_supported) return table;
        }
        return std::nullopt;
    }

    static void rewrite(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const ElementBody& body,
                        const Table& table, std::int64_t copies) {
        const SourceStyle style = style_of(context.source, context.kernels[kernel].function);
        FreshNames names(context.source.text, style);
        const std::string& global = context.source.variables[table.parameter].name;
        const std::string local = names.take("block_" + global);
        const std::string bin = names.take_first({"bin", "entry"});
        const std::string sum = names.take_first({"total", "sum", "partial_sum"});
        const std::string type = type_name(*table.type);
        const std::string zero = neutral_text(Combiner::sum, *table.type);
        const std::string header = fmt::format("for (int {0} = threadIdx.x; {0} < {1}; {0} += blockDim.x)", bin, table.extent);

        std::string declaration = fmt::format("__shared__ {} {}[{}];", type, local, table.extent);
        std::string clear = style.block_or_line(header, fmt::format("{}[{}] = {};", local, bin, zero));
        std::string mine = local;
        std::string total = fmt::format("const {} {} = {}[{}];", type, sum, local, bin);
        if (copies > 1) {
            const std::string copy = names.take("copy");
            declaration = fmt::format("__shared__ {} {}[{}][{}];  // copies, so that fewer threads meet on one entry", type, local, copies, table.extent);
            const std::string each = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", copy, copies);
            clear = style.block(header, style.block_or_line(each, fmt::format("{}[{}][{}] = {};", local, copy, bin, zero)));
            mine = fmt::format("{}[{} / {} % {}]", local, context.source.variables[body.index.variable].name, elements_a_copy, copies);
            total = fmt::format("{} {} = {};\n", type, sum, zero) +
                    style.block_or_line(each, fmt::format("{} += {}[{}][{}];", sum, local, copy, bin));
        }
        const std::string flush = total + fmt::format("\nif ({0} != {1}) atomicAdd(&{2}[{3}], {0});", sum, zero, global, bin);
        for (const ExpressionId base : table.bases) edit.replace(base, mine);
        make_element_loop(edit, context, kernel, tree, body, declaration + '\n' + clear + "\n__syncthreads();",
                          "__syncthreads();\n" + style.block(header, flush));
    }
};

}  // namespace

std::unique_ptr<Transformation> make_private_histogram() { return std::make_unique<PrivateHistogram>(); }

}  // namespace optiml::transforms
