#include "transforms/shared_row_loop.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"
#include "transforms/reduction_functions.h"
#include "transforms/row_team.h"

namespace optiml::transforms {
namespace {

using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Type;
using diagnosis::Bottleneck;

constexpr std::int64_t warp_size = 32;
constexpr std::int64_t kAlwaysLaunches = 256;  // threads of a block whose registers fit, however many each has

// How many threads share a row, which ones, and what that makes of a block.
struct Shape {
    Team team = Team::warp;
    std::int64_t lanes = 0;  // threads a row
    std::int64_t block = 0;  // threads
    std::int64_t rows = 1;   // a block
};

Shape shape_of(const Parameters& parameters, std::int64_t old_block) {
    if (const auto warps = parameters.find("warps_per_row"); warps != parameters.end()) {
        return {Team::warps, warps->second, warp_size * warps->second, warp_size};
    }
    const std::int64_t threads = parameters.at("threads_per_row");
    if (threads != warp_size) return {Team::block, threads, threads, 1};
    const std::int64_t block = old_block % warp_size == 0 && old_block <= 1024 ? old_block : 128;
    return {Team::warp, warp_size, block, block / warp_size};
}

std::string row_index(Team team) {
    switch (team) {
        case Team::warp:
            return "blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32";
        case Team::block:
            return "blockIdx.x";
        case Team::warps:
            return "blockIdx.x * 32 + threadIdx.x % 32";
    }
    return {};
}

std::string lane_index(Team team) {
    return team == Team::warp ? "threadIdx.x % 32" : team == Team::block ? "threadIdx.x" : "threadIdx.x / 32";
}

// Whether barriers come where all threads do, whatever their rows: 32 rows in a block need not take the same branches.
bool waits_at_top_level(const Context& context, const KernelTree& tree, const RowKernel& row) {
    const auto is_top = [&](StatementId id) { return context.source.statements[id].parent == tree.body(); };
    return std::all_of(row.after_barrier.begin(), row.after_barrier.end(), is_top) &&
           std::all_of(row.loops.begin(), row.loops.end(),
                       [&](const SharedLoop& shared) { return shared.accumulators.empty() || is_top(shared.loop->statement); });
}

// Whether neighbouring iterations of a shared loop read neighbouring elements: lanes that take them in turn then read them
// together.
bool reads_neighbours(const Context& context, std::size_t kernel, const KernelTree& tree, const RowKernel& row) {
    const auto& accesses = context.kernels[kernel].facts.accesses;
    return std::any_of(row.loops.begin(), row.loops.end(), [&](const SharedLoop& shared) {
        const auto counter = cuda_source::Symbol::of_variable(shared.loop->variable);
        return std::any_of(accesses.begin(), accesses.end(), [&](const cuda_source::Access& access) {
            if (!access.index_known || !tree.is_inside(access.statement, shared.loop->statement) || !is_global(context, access))
                return false;
            const auto stride = access.index.coefficient_of(counter);
            return stride && stride->is_constant() && stride->constant() == 1;
        });
    });
}

class SharedRowLoop : public Transformation {
public:
    std::string_view name() const override { return "shared_row_loop"; }
    std::string_view summary() const override {
        return "A warp, a block or one thread of each warp shares each row, so that far more threads are at work.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::uncoalesced_access, Bottleneck::memory_latency, Bottleneck::launch, Bottleneck::occupancy,
                Bottleneck::memory_bandwidth};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto row = row_kernel(context, kernel, tree);
            if (!row) continue;
            const std::string what = fmt::format("row loops of {}", context.source.variables[row->body.index.variable].name);
            Site site{
                .description = describe(context, kernel, what, context.source.statements[row->body.index.declaration].span.begin),
                .kernel = kernel,
                .anchor = row->body.index.variable,
                .choices = {}};
            for (const std::int64_t threads : {256, 128, 512, 64, 32}) site.choices.push_back({{"threads_per_row", threads}});
            if (waits_at_top_level(context, tree, *row)) {
                std::vector<Parameters> apart;
                for (const std::int64_t warps : {8, 4, 16}) apart.push_back({{"warps_per_row", warps}});
                const auto place = reads_neighbours(context, kernel, tree, *row) ? site.choices.end() : site.choices.begin();
                site.choices.insert(place, apart.begin(), apart.end());
            }
            found.push_back(std::move(site));
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const auto row = row_kernel(context, site.kernel, tree);
        const std::int64_t old_block = (*constant_block(context, site.kernel))[0];
        const Shape shape = shape_of(parameters, old_block);

        SourceEdit edit(context.source);
        Rewriter(edit, context, site.kernel, tree, *row, shape).rewrite();
        // Long rows of values in registers are why lanes stay at rows of their own: a large block needs the compiler's word that it
        // fits.
        if (shape.team == Team::warps && shape.block > kAlwaysLaunches) {
            set_launch_bounds(edit, context, site.kernel, shape.block, 0);
        } else {
            update_launch_bounds(edit, context, site.kernel, shape.block);
        }
        auto candidate = derived(context, *this, site, parameters, edit);
        if (!candidate) return candidate;
        for (const std::size_t step : context.kernels[site.kernel].steps) {
            task::Launch& launch = candidate->plan.steps[step].launch;
            const auto bound = plan_expression(context, site.kernel, step, row->body.index.bound);
            launch.grid[0] = blocks_of(threads_needed(launch.grid[0], old_block, bound), shape.rows);
            launch.block[0] = task::Expression(shape.block);
        }
        return candidate;
    }

private:
    class Rewriter {
    public:
        Rewriter(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const RowKernel& row,
                 const Shape& shape)
            : edit_(edit),
              context_(context),
              tree_(tree),
              row_(row),
              threads_(shape.lanes),
              team_(shape.team),
              style_(style_of(context.source, context.kernels[kernel].function)),
              names_(context.source.text, style_),
              functions_(context, kernel, names_),
              lane_(names_.take("lane")) {}

        void rewrite() {
            edit_.replace(row_.body.index.value, row_index(team_));
            edit_.insert_after(row_.body.index.declaration, fmt::format("const int {} = {};", lane_, lane_index(team_)));
            for (const StatementId id : row_.after_barrier) {
                edit_.insert_before(id, team_ == Team::warp ? "__syncwarp();" : "__syncthreads();");
            }
            for (const SharedLoop& shared : row_.loops) share(shared);
            for (const StatementId id : row_.single) guard(id);
            functions_.insert(edit_);
        }

    private:
        void share(const SharedLoop& shared) {
            const auto& source = context_.source;
            const auto& loop = *shared.loop;
            const std::string lane_offset = *loop.step == 1 ? lane_ : fmt::format("{} * {}", lane_, *loop.step);
            const bool from_zero = source.expressions[loop.first].constant == 0;
            edit_.replace(loop.first,
                          from_zero ? lane_offset : fmt::format("{} + {}", as_operand(source, loop.first), lane_offset));
            edit_.replace(source.statements[loop.statement].increment,
                          fmt::format("{} += {}", source.variables[loop.variable].name, threads_ * *loop.step));

            std::string before;
            std::string after;
            for (const Accumulator& accumulator : shared.accumulators) {
                before += keep_once(accumulator, loop.statement);
                if (accumulator.maximum == none && !has_rescaled_sums(shared, accumulator)) after += combine(accumulator);
            }
            after += combine_online(shared);
            if (!before.empty()) edit_.insert_before(loop.statement, without_last_newline(before));
            if (!after.empty()) edit_.insert_after(loop.statement, without_last_newline(after));
        }

        static std::string without_last_newline(std::string text) {
            text.pop_back();
            return text;
        }

        static bool has_rescaled_sums(const SharedLoop& shared, const Accumulator& maximum) {
            return std::any_of(shared.accumulators.begin(), shared.accumulators.end(),
                               [&](const Accumulator& a) { return a.maximum == maximum.variable; });
        }

        const Type& type_of(const Accumulator& accumulator) const { return context_.source.types[accumulator.type]; }

        // A sum that does not begin at zero would be counted once for every lane: all but lane 0 begin anew.
        std::string keep_once(const Accumulator& accumulator, StatementId loop) {
            const bool counts_once = accumulator.combiner == Combiner::sum || accumulator.combiner == Combiner::product;
            if (!counts_once || begins_neutral(tree_, accumulator, loop)) return {};
            const std::string neutral = neutral_text(accumulator.combiner, type_of(accumulator));
            return for_each_element(accumulator, [&](const std::string& element) {
                return fmt::format("if ({} != 0) {} = {};", lane_, element, neutral);
            });
        }

        std::string combine(const Accumulator& accumulator) {
            const std::string function = functions_.name_for(team_, accumulator.combiner, type_of(accumulator));
            return for_each_element(accumulator,
                                    [&](const std::string& element) { return fmt::format("{0} = {1}({0});", element, function); });
        }

        // Each lane's sums are relative to its own maximum; they are rescaled to the team's before they are added. A lane that met
        // nothing above the first value has nothing to rescale, and may hold -infinity - -infinity.
        std::string combine_online(const SharedLoop& shared) {
            std::string text;
            for (const Accumulator& maximum : shared.accumulators) {
                if (maximum.maximum != none || !has_rescaled_sums(shared, maximum)) continue;
                const std::string& name = context_.source.variables[maximum.variable].name;
                const std::string common = names_.take("common_" + name);
                const std::string scale = names_.take("scale_of_" + name);
                const std::string type = type_name(type_of(maximum));
                text += fmt::format("const {} {} = {}({});\n", type, common,
                                    functions_.name_for(team_, Combiner::maximum, type_of(maximum)), name);
                std::string exponential;
                std::string sums;
                for (const Accumulator& sum : shared.accumulators) {
                    if (sum.maximum != maximum.variable) continue;
                    exponential = sum.exponential;
                    const std::string function = functions_.name_for(team_, Combiner::sum, type_of(sum));
                    sums += for_each_element(sum, [&](const std::string& element) {
                        return fmt::format("{0} = {1}({0} * {2});", element, function, scale);
                    });
                }
                const std::string one = neutral_text(Combiner::product, type_of(maximum));
                text += fmt::format("const {0} {1} = {2} == {3} ? {4} : {5}({2} - {3});\n", type, scale, name, common, one,
                                    exponential);
                text += sums + fmt::format("{} = {};\n", name, common);
            }
            return text;
        }

        // The statement for a scalar, or in a loop for every element of an array; with a newline.
        template <class Statement>
        std::string for_each_element(const Accumulator& accumulator, const Statement& statement) {
            const std::string& name = context_.source.variables[accumulator.variable].name;
            if (accumulator.extent == 0) return statement(name) + '\n';
            if (element_.empty()) element_ = names_.take("element");
            const std::string header = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", element_, accumulator.extent);
            return "#pragma unroll\n" + style_.block_or_line(header, statement(fmt::format("{}[{}]", name, element_))) + '\n';
        }

        // In braces where it stands without a block, so that an `else` keeps its `if`.
        void guard(StatementId id) {
            const auto& statement = context_.source.statements[id];
            const bool in_block = context_.source.statements[statement.parent].kind == StatementKind::compound;
            edit_.insert(statement.span.begin, fmt::format("{}if ({} == 0) ", in_block ? "" : "{ ", lane_));
            if (!in_block) edit_.insert(statement.span.end, " }");
        }

        SourceEdit& edit_;
        const Context& context_;
        const KernelTree& tree_;
        const RowKernel& row_;
        std::int64_t threads_;
        Team team_;
        SourceStyle style_;
        FreshNames names_;
        ReductionFunctions functions_;
        std::string lane_;
        std::string element_;
    };
};

}  // namespace

std::unique_ptr<Transformation> make_shared_row_loop() { return std::make_unique<SharedRowLoop>(); }

}  // namespace optiml::transforms
