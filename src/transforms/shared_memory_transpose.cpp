#include "transforms/shared_memory_transpose.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"
#include "transforms/tile_kernel.h"
#include "transforms/vector_group.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::BuiltinIndex;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Type;
using diagnosis::Bottleneck;

constexpr std::int64_t tile = 32;  // a warp reads a row of the tile and writes a column

// destination[index] = value; as the last statement of a kernel with one thread an element of a plane.
struct PlaneStore {
    TileKernel kernel;
    ExpressionId target = none;
    ExpressionId value = none;
    const Type* type = nullptr;
};

bool is_one(const std::optional<Polynomial>& stride) { return stride && stride->is_constant() && std::abs(stride->constant()) == 1; }

class SharedMemoryTranspose : public Transformation {
public:
    std::string_view name() const override { return "shared_memory_transpose"; }
    std::string_view summary() const override {
        return "Passes a tile through shared memory, so that a warp touches neighbouring addresses both when it reads and when it writes.";
    }
    std::vector<Bottleneck> relieves() const override { return {Bottleneck::uncoalesced_access, Bottleneck::memory_bandwidth}; }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto store = plane_store(context, kernel, tree);
            if (!store) continue;
            Site site{.description = describe(context, kernel, "store to " + std::string(context.source.text_of(store->target)),
                                              context.source.expressions[store->target].span.begin),
                      .kernel = kernel,
                      .anchor = store->target,
                      .choices = {}};
            for (const std::int64_t rows : {4, 8, 16}) {
                if (tiled_plan(context, kernel, *store, rows)) site.choices.push_back({{"block_rows", rows}});
            }
            if (!site.choices.empty()) found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto store = plane_store(context, site.kernel, tree);
        const std::int64_t rows = parameters.at("block_rows");
        SourceEdit edit(context.source);
        rewrite(edit, context, site.kernel, tree, *store, rows);
        update_launch_bounds(edit, context, site.kernel, tile * rows);
        auto candidate = derived(context, *this, site, parameters, edit);
        auto plan = tiled_plan(context, site.kernel, *store, rows);
        if (!candidate || !plan) return candidate ? internal_error("shared_memory_transpose: no plan") : candidate;
        candidate->plan = std::move(*plan);
        return candidate;
    }

private:
    static std::optional<PlaneStore> plane_store(const Context& context, std::size_t kernel, const KernelTree& tree) {
        auto plane = tile_kernel(context, kernel, tree);
        if (!plane) return std::nullopt;
        const auto& source = context.source;
        PlaneStore store{.kernel = std::move(*plane)};
        const auto& last = source.statements[store.kernel.statements.back()];
        if (last.kind != StatementKind::expression || last.in_macro) return std::nullopt;
        const auto& assignment = source.expressions[without_implicit_casts(source, last.expression)];
        if (assignment.kind != ExpressionKind::assignment || assignment.op != "=") return std::nullopt;
        store.target = assignment.children[0];
        store.value = assignment.children[1];
        store.type = &source.type_of(store.target);
        const bool is_scalar = (store.type->kind == cuda_source::TypeKind::floating && store.type->bits >= 32) ||
                               store.type->kind == cuda_source::TypeKind::integer;
        if (!is_scalar || !is_pure(source, store.value) || !declares_only(context, store) || !reaches_the_plane_alone(context, tree, store)) {
            return std::nullopt;
        }
        return is_worth_it(context, kernel, store) ? std::optional(std::move(store)) : std::nullopt;
    }

    // The statements before the store declare values; nothing else happens.
    static bool declares_only(const Context& context, const PlaneStore& store) {
        const auto& statements = store.kernel.statements;
        return std::all_of(statements.begin(), statements.end() - 1, [&](StatementId id) {
            const auto& statement = context.source.statements[id];
            return statement.kind == StatementKind::declaration &&
                   std::all_of(statement.variables.begin(), statement.variables.end(), [&](cuda_source::VariableId variable) {
                       const auto& node = context.source.variables[variable];
                       return !node.is_written && node.initializer != none && is_pure(context.source, node.initializer);
                   });
        });
    }

    // Where the store goes follows from the two indices and from what was known before them.
    static bool reaches_the_plane_alone(const Context& context, const KernelTree& tree, const PlaneStore& store) {
        for (const ExpressionId id : cuda_source::expressions_below(context.source, store.target)) {
            const auto& node = context.source.expressions[id];
            if (node.kind == ExpressionKind::call || (node.kind == ExpressionKind::subscript && id != store.target)) return false;
            if (node.kind != ExpressionKind::variable) continue;
            const StatementId declaration = tree.declaration_of(node.variable);
            const bool is_local_value = std::find(store.kernel.statements.begin(), store.kernel.statements.end(), declaration) !=
                                        store.kernel.statements.end();
            if (is_local_value) return false;
        }
        return true;
    }

    // Lanes are neighbours where they read, and would be where they write if x and y changed roles; and the store has no other reader.
    static bool is_worth_it(const Context& context, std::size_t kernel, const PlaneStore& store) {
        const auto& facts = context.kernels[kernel].facts;
        const auto lane = builtin_symbol(BuiltinIndex::thread_idx, 0);
        const auto row = builtin_symbol(BuiltinIndex::thread_idx, 1);
        const auto write = std::find_if(facts.accesses.begin(), facts.accesses.end(),
                                        [&](const Access& access) { return access.expression == store.target; });
        if (write == facts.accesses.end() || !write->index_known || !is_one(write->index.coefficient_of(row))) return false;
        const auto stride = write->index.coefficient_of(lane);
        if (!stride || stride->terms.empty() || is_one(stride)) return false;
        bool reads_rows = false;
        for (const Access& access : facts.accesses) {
            if (access.expression == store.target) continue;
            if (!is_global(context, access)) continue;
            if (access.writes || may_share_buffer(context, kernel, access, *write)) return false;
            reads_rows |= access.index_known && is_one(access.index.coefficient_of(lane));
        }
        return reads_rows;
    }

    static std::optional<task::LaunchPlan> tiled_plan(const Context& context, std::size_t kernel, const PlaneStore& store,
                                                      std::int64_t block_rows) {
        return plan_of_tiles(context, kernel, store.kernel, {.columns = tile, .rows = tile, .block_x = tile, .block_y = block_rows});
    }

    static void rewrite(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const PlaneStore& store,
                        std::int64_t block_rows) {
        const auto& source = context.source;
        const SourceStyle style = style_of(source, context.kernels[kernel].function);
        FreshNames names(source.text, style);
        const std::string buffer = names.take("tile");
        const std::string line = names.take_first({"line", "tile_line"});
        const std::string condition = bounds_text(context, store.kernel);
        const auto index_lines = [&](const std::string& x, const std::string& y) {
            return declaration_text(context, store.kernel.x, fmt::format("blockIdx.x * {} + {}", tile, x)) + '\n' +
                   declaration_text(context, store.kernel.y, fmt::format("blockIdx.y * {} + {}", tile, y)) + '\n';
        };
        const std::string target(source.text_of(store.target));
        const auto& last = source.statements[store.kernel.statements.back()];
        const TextSpan upto_value = {last.span.begin, source.expressions[store.value].span.begin};
        edit.replace(upto_value, fmt::format("{}[{}][threadIdx.x] = ", buffer, line));
        const std::string load = edit.take_statements(store.kernel.statements.front(), store.kernel.statements.back());

        const std::string header = fmt::format("for (int {0} = threadIdx.y; {0} < {1}; {0} += {2})", line, tile, block_rows);
        const std::string text =
            fmt::format("__shared__ {} {}[{}][{}];  // a column more than it holds, so that a column's elements lie in different banks\n",
                        element_type_name(*store.type), buffer, tile, tile + 1) +
            style.block(header, index_lines("threadIdx.x", line) + style.block(fmt::format("if ({})", condition), load)) +
            "\n__syncthreads();\n" +
            style.block(header, index_lines(line, "threadIdx.x") +
                                    style.block(fmt::format("if ({})", condition), fmt::format("{} = {}[threadIdx.x][{}];", target, buffer, line)));
        replace_tile_kernel(edit, context, tree, store.kernel, text);
    }
};

}  // namespace

std::unique_ptr<Transformation> make_shared_memory_transpose() { return std::make_unique<SharedMemoryTranspose>(); }

}  // namespace optiml::transforms
