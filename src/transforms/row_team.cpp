#include "transforms/row_team.h"

#include <algorithm>

#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::CanonicalLoop;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Storage;

// Fewer iterations than a warp has lanes are not worth sharing.
constexpr std::int64_t least_trip_count = 32;
// Elements of a local array that are combined one by one.
constexpr std::uint64_t longest_array = 128;

class RowReader {
public:
    RowReader(const Context& context, std::size_t kernel, const KernelTree& tree)
        : context_(context), kernel_(kernel), tree_(tree), source_(context.source), facts_(context.kernels[kernel].facts) {}

    std::optional<RowKernel> read() {
        const auto block = constant_block(context_, kernel_);
        if (!block || (*block)[1] != 1 || (*block)[2] != 1) return std::nullopt;
        const ThreadMapping mapping = thread_mapping(tree_);
        auto body = element_body(context_, kernel_, tree_, mapping, 0);
        if (!body || !body->early_returns.empty()) return std::nullopt;
        for (const Guard& guard : mapping.guards) {
            if (!guard.only_bounds) return std::nullopt;
            if (guard.returns) guards_.push_back(guard.statement);
        }
        row_.body = std::move(*body);
        for (const StatementId id : source_.statements[tree_.body()].children) {
            if (!visit(id)) return std::nullopt;
        }
        if (row_.loops.empty() || !place_barriers()) return std::nullopt;
        return row_;
    }

private:
    const cuda_source::Statement& statement(StatementId id) const { return source_.statements[id]; }

    // Code outside shared loops is executed by every lane with the same values: it may change locals; writes to memory are for one lane.
    bool visit(StatementId id) {
        switch (statement(id).kind) {
            case StatementKind::empty: return true;
            case StatementKind::declaration:
                return std::all_of(statement(id).variables.begin(), statement(id).variables.end(), [&](cuda_source::VariableId variable) {
                    const ExpressionId value = source_.variables[variable].initializer;
                    return value == none || is_pure(source_, value);
                });
            case StatementKind::expression: return visit_expression(id);
            case StatementKind::if_:
                if (std::find(guards_.begin(), guards_.end(), id) != guards_.end()) return true;
                return is_pure(source_, statement(id).expression) && visit_children(id);
            case StatementKind::compound: return visit_children(id);
            case StatementKind::for_:
                if (share(id)) return true;
                return visit_children(id);
            case StatementKind::while_:
            case StatementKind::do_: return is_pure(source_, statement(id).expression) && visit_children(id);
            case StatementKind::break_:
            case StatementKind::continue_: return true;
            default: return false;
        }
    }

    bool visit_children(StatementId id) {
        const auto& children = statement(id).children;
        return std::all_of(children.begin(), children.end(), [&](StatementId child) { return visit(child); });
    }

    bool visit_expression(StatementId id) {
        const ExpressionId root = without_implicit_casts(source_, statement(id).expression);
        const auto& node = source_.expressions[root];
        const bool changes = node.kind == ExpressionKind::assignment || (node.kind == ExpressionKind::unary && node.op.size() >= 2);
        const bool is_atomic = node.kind == ExpressionKind::call && node.name.starts_with("atomic");
        if (!changes && !is_atomic) return is_pure(source_, root);
        // What is nested in the changing expression must itself change nothing.
        const auto first = changes ? source_.expressions[without_implicit_casts(source_, node.children[0])].children : node.children;
        const bool operands_are_pure = std::all_of(first.begin(), first.end(), [&](ExpressionId child) { return is_pure(source_, child); }) &&
                                       (node.children.size() < 2 || is_pure(source_, node.children[1]));
        if (!operands_are_pure) return false;
        if (is_atomic || writes_memory(id)) row_.single.push_back(id);
        return true;
    }

    bool writes_memory(StatementId id) const {
        return std::any_of(facts_.accesses.begin(), facts_.accesses.end(), [&](const Access& access) {
            return access.statement == id && (access.writes || access.atomic) && is_global(context_, access);
        });
    }

    bool share(StatementId id) {
        const CanonicalLoop* loop = facts_.loop_at(id);
        if (loop == nullptr || !has_shareable_form(*loop) || !has_shareable_body(id)) return false;
        auto accumulators = accumulators_of(context_, tree_, id);
        if (!accumulators || !has_independent_iterations(context_, kernel_, tree_, *loop)) return false;
        const auto is_long = [](const Accumulator& accumulator) { return accumulator.extent > longest_array; };
        if (std::any_of(accumulators->begin(), accumulators->end(), is_long)) return false;
        // Lines come before and after the loop: it must stand in a block of its own.
        const bool adds_lines = !accumulators->empty();
        if (adds_lines && statement(statement(id).parent).kind != StatementKind::compound) return false;
        row_.loops.push_back({.loop = loop, .accumulators = std::move(*accumulators)});
        return true;
    }

    bool has_shareable_form(const CanonicalLoop& loop) const {
        const auto& node = statement(loop.statement);
        const bool counts_up = (loop.comparison == "<" || loop.comparison == "<=") && loop.step && *loop.step > 0;
        const bool declares_counter = node.init != none && statement(node.init).kind == StatementKind::declaration &&
                                      statement(node.init).variables.size() == 1;
        const bool is_editable = !node.in_macro && !source_.expressions[loop.first].in_macro && node.increment != none &&
                                 !source_.expressions[node.increment].in_macro;
        const bool is_long = !loop.trip_count || *loop.trip_count >= least_trip_count;
        return counts_up && declares_counter && is_editable && is_long && !loop.has_break && !loop.has_barrier &&
               is_pure(source_, loop.first) && is_pure(source_, loop.bound);
    }

    // Nothing but changes of locals, writes to memory, and atomics whose result is not used; no array of the thread is indexed by lane,
    // which would move it from registers to local memory.
    bool has_shareable_body(StatementId loop) const {
        for (const StatementId id : tree_.statements()) {
            if (!tree_.is_inside(id, loop)) continue;
            const StatementKind kind = statement(id).kind;
            if (kind == StatementKind::return_ || kind == StatementKind::inline_assembly || kind == StatementKind::other) return false;
            if (kind == StatementKind::switch_ || kind == StatementKind::case_) return false;
        }
        const cuda_source::Symbol counter{.kind = cuda_source::Symbol::Kind::variable, .variable = facts_.loop_at(loop)->variable};
        for (const Access& access : facts_.accesses) {
            if (!tree_.is_inside(access.statement, loop)) continue;
            const bool is_private = !is_global(context_, access);
            if (is_private && (!access.index_known || access.index.depends_on(counter))) return false;
        }
        return std::all_of(tree_.expressions().begin(), tree_.expressions().end(), [&](ExpressionId id) {
            const auto& node = source_.expressions[id];
            if (!tree_.holds(loop, id) || node.kind != ExpressionKind::call || node.name.starts_with("atomic")) return true;
            return is_pure(source_, id);
        });
    }

    const SharedLoop* shared_loop_of(const Access& access) const {
        const auto found = std::find_if(row_.loops.begin(), row_.loops.end(), [&](const SharedLoop& shared) {
            return tree_.is_inside(access.statement, shared.loop->statement);
        });
        return found == row_.loops.end() ? nullptr : &*found;
    }

    // The statement before which the lanes wait: the shared loop, or the statement that holds the access.
    StatementId unit_of(const Access& access) const {
        const SharedLoop* shared = shared_loop_of(access);
        return shared != nullptr ? shared->loop->statement : access.statement;
    }

    bool is_single(const Access& access) const {
        return std::find(row_.single.begin(), row_.single.end(), access.statement) != row_.single.end();
    }

    // Two accesses, one of them a write, that different lanes may make.
    bool needs_order(const Access& a, const Access& b) const {
        const SharedLoop* first = shared_loop_of(a);
        const SharedLoop* second = shared_loop_of(b);
        if (first != nullptr && first == second) return false;  // has_independent_iterations() saw to it
        if (first != nullptr && second != nullptr) return !is_same_element(context_, kernel_, a, *first->loop, b, *second->loop);
        return !(is_single(a) && is_single(b));
    }

    bool place_barriers() {
        const auto& accesses = facts_.accesses;
        for (std::size_t later = 0; later < accesses.size(); ++later) {
            for (std::size_t earlier = 0; earlier < later; ++earlier) {
                const Access& a = accesses[earlier];
                const Access& b = accesses[later];
                const bool writes = (a.writes && !a.atomic) || (b.writes && !b.atomic);
                if (!writes || !is_global(context_, a) || !is_global(context_, b)) continue;
                if (!may_share_buffer(context_, kernel_, a, b) || !needs_order(a, b)) continue;
                // Around an outer loop the later access also comes before the earlier one; and the statement must stand in a block.
                const bool share_outer_loop = std::any_of(a.loops.begin(), a.loops.end(), [&](StatementId loop) {
                    return std::find(b.loops.begin(), b.loops.end(), loop) != b.loops.end();
                });
                const StatementId unit = unit_of(b);
                if (share_outer_loop || unit == unit_of(a) || statement(statement(unit).parent).kind != StatementKind::compound) return false;
                if (std::find(row_.after_barrier.begin(), row_.after_barrier.end(), unit) == row_.after_barrier.end()) {
                    row_.after_barrier.push_back(unit);
                }
            }
        }
        return true;
    }

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    const cuda_source::KernelFacts& facts_;
    std::vector<StatementId> guards_;
    RowKernel row_;
};

}  // namespace

std::optional<RowKernel> row_kernel(const Context& context, std::size_t kernel, const KernelTree& tree) {
    return RowReader(context, kernel, tree).read();
}

}  // namespace optiml::transforms
