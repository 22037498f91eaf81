#include "transforms/block_reduction.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/element_body.h"
#include "transforms/element_loop.h"
#include "transforms/launch_bounds_attribute.h"
#include "transforms/plan_rewrite.h"
#include "transforms/reduction_functions.h"
#include "transforms/uniform.h"

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::Type;
using cuda_source::TypeKind;
using diagnosis::Bottleneck;

// atomicAdd(address, value); with an address that is the same for all threads of the grid.
struct SharedAtomic {
    StatementId statement = none;
    ExpressionId call = none;
    Combiner combiner = Combiner::sum;
    const Type* type = nullptr;
};

class BlockReduction : public Transformation {
public:
    std::string_view name() const override { return "block_reduction"; }
    std::string_view summary() const override {
        return "Sums up in registers and within the block before one atomic a block, instead of one contended atomic a thread.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::atomics, Bottleneck::launch, Bottleneck::memory_latency}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            if (!element_body_under_one_guard(context, kernel, tree)) continue;
            const std::vector<SharedAtomic> atomics = atomics_of(context, tree);
            if (atomics.empty()) continue;
            const std::string what(context.source.expressions[atomics.front().call].name);
            Site site{.description = describe(context, kernel, what, context.source.expressions[atomics.front().call].span.begin),
                      .kernel = kernel,
                      .anchor = atomics.front().call,
                      .choices = {}};
            for (const std::int64_t block : {128, 256, 512, 1024}) {
                for (const std::int64_t blocks_per_multiprocessor : {1, 2, 4, 8, 16}) {
                    const std::int64_t threads = block * blocks_per_multiprocessor;
                    if (threads < least_threads || threads > most_threads) continue;
                    site.choices.push_back({{"block", block}, {"blocks", blocks_per_multiprocessor * context.multiprocessors}});
                }
            }
            found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto body = element_body_under_one_guard(context, site.kernel, tree);
        SourceEdit edit(context.source);
        rewrite(edit, context, site.kernel, tree, *body);
        update_launch_bounds(edit, context, site.kernel, parameters.at("block"));
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        const std::int64_t extent = (*constant_block(context, site.kernel))[0];
        launch_at_most(context, site.kernel, extent, body->index.bound, parameters.at("block"), parameters.at("blocks"), candidate->plan);
        return candidate;
    }

private:
    // Resident threads a multiprocessor: fewer leave it idle, more only add atomics.
    static constexpr std::int64_t least_threads = 512;
    static constexpr std::int64_t most_threads = 2048;

    static std::optional<Combiner> combiner_named(std::string_view name) {
        if (name == "atomicAdd") return Combiner::sum;
        if (name == "atomicMax") return Combiner::maximum;
        if (name == "atomicMin") return Combiner::minimum;
        return std::nullopt;
    }

    static std::vector<SharedAtomic> atomics_of(const Context& context, const KernelTree& tree) {
        const auto& source = context.source;
        std::vector<SharedAtomic> atomics;
        for (const StatementId id : tree.statements()) {
            const auto& statement = source.statements[id];
            if (statement.kind != cuda_source::StatementKind::expression || statement.in_macro) continue;
            const ExpressionId call = without_implicit_casts(source, statement.expression);
            const auto& node = source.expressions[call];
            const auto combiner = combiner_named(node.name);
            if (node.kind != ExpressionKind::call || !combiner || node.children.size() != 2) continue;
            const auto& pointer = source.type_of(node.children[0]);
            if (pointer.kind != TypeKind::pointer || pointer.element == none) continue;
            const Type& type = source.types[pointer.element];
            const bool is_supported = (type.kind == TypeKind::floating || type.kind == TypeKind::integer) && type.bits >= 32;
            if (!is_supported || !is_uniform_address(tree, node.children[0])) continue;
            atomics.push_back({.statement = id, .call = call, .combiner = *combiner, .type = &type});
        }
        return atomics;
    }

    static std::string first_value(Combiner combiner, const Type& type) {
        if (combiner == Combiner::sum) return neutral_text(combiner, type);
        const bool lowest = combiner == Combiner::maximum;
        if (!type.is_signed) return lowest ? neutral_text(Combiner::sum, type) : (type.bits == 64 ? "~0ull" : "~0u");
        if (type.bits == 64) return lowest ? "-9223372036854775807 - 1" : "9223372036854775807";
        return lowest ? "-2147483647 - 1" : "2147483647";
    }

    static void rewrite(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const ElementBody& body) {
        FreshNames names(context.source.text, style_of(context.source, context.kernels[kernel].function));
        ReductionFunctions functions(context, kernel, names);
        std::string before;
        std::string reductions;
        std::string results;
        for (const SharedAtomic& atomic : atomics_of(context, tree)) {
            const auto& call = context.source.expressions[atomic.call];
            const std::string variable = names.take_first(variable_names(atomic.combiner));
            const std::string value(context.source.text_of(call.children[1]));
            edit.replace_statement(atomic.statement,
                                   atomic.combiner == Combiner::sum
                                       ? fmt::format("{} += {};", variable, value)
                                       : fmt::format("{0} = {1};", variable, combined_text(atomic.combiner, *atomic.type, variable, value)));
            before += fmt::format("{}{} {} = {};", before.empty() ? "" : "\n", type_name(*atomic.type), variable,
                                  first_value(atomic.combiner, *atomic.type));
            reductions += fmt::format("{0} = {1}({0});\n", variable, functions.name_for(Team::block, atomic.combiner, *atomic.type));
            results += fmt::format("{}if (threadIdx.x == 0) {}({}, {});", results.empty() ? "" : "\n", call.name,
                                   context.source.text_of(call.children[0]), variable);
        }
        functions.insert(edit);
        make_element_loop(edit, context, kernel, tree, body, before, reductions + results);
    }

    static std::vector<std::string_view> variable_names(Combiner combiner) {
        if (combiner == Combiner::sum) return {"sum", "total", "partial_sum"};
        if (combiner == Combiner::maximum) return {"largest", "maximum"};
        return {"smallest", "minimum"};
    }
};

}  // namespace

std::unique_ptr<Transformation> make_block_reduction() { return std::make_unique<BlockReduction>(); }

}  // namespace optiml::transforms
