#include "transforms/vectorized_loop.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/accumulator.h"
#include "transforms/loop_distribution.h"
#include "transforms/loop_independence.h"
#include "transforms/thread_mapping.h"
#include "transforms/vector_text.h"

namespace optiml::transforms {
namespace {

using cuda_source::CanonicalLoop;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::VariableId;

struct VectorLoop {
    const CanonicalLoop* loop = nullptr;
    Distribution distribution = Distribution::other;
    Iteration iteration;
    std::vector<VectorGroup> groups;
};

// Loops of one block that count alike.
using LoopSet = std::vector<VectorLoop>;

// A loop of constant length that is a multiple of the width has no rest, and stays one that the compiler can unroll.
bool has_no_rest(const VectorLoop& loop, std::int64_t width) {
    return loop.distribution == Distribution::sequential && loop.loop->trip_count && *loop.loop->trip_count % width == 0;
}

std::vector<StatementId> body_of(const Context& context, const CanonicalLoop& loop) {
    const auto& body = context.source.statements[loop.body];
    return body.kind == StatementKind::compound ? body.children : std::vector<StatementId>{loop.body};
}

bool has_plain_form(const Context& context, const KernelTree& tree, const CanonicalLoop& loop) {
    const auto& statement = context.source.statements[loop.statement];
    const bool declares_counter = statement.init != none && context.source.statements[statement.init].kind == StatementKind::declaration &&
                                  context.source.statements[statement.init].variables.size() == 1;
    if (!declares_counter || statement.in_macro || loop.has_break || loop.has_barrier) return false;
    const bool in_block = context.source.statements[statement.parent].kind == StatementKind::compound;
    // `continue` would leave the loop over the elements of a vector before the wide stores: not looked into.
    const auto leaves = [&](StatementId id) {
        const StatementKind kind = context.source.statements[id].kind;
        return tree.is_inside(id, loop.statement) && (kind == StatementKind::continue_ || kind == StatementKind::return_);
    };
    return in_block && is_pure(context.source, loop.first) && is_pure(context.source, loop.bound) &&
           std::none_of(tree.statements().begin(), tree.statements().end(), leaves);
}

std::optional<VectorLoop> vector_loop(const Context& context, std::size_t kernel, const KernelTree& tree, const CanonicalLoop& loop) {
    if (!has_plain_form(context, tree, loop)) return std::nullopt;
    VectorLoop found{.loop = &loop, .distribution = distribution_of(context, kernel, tree, loop), .iteration = {}, .groups = {}};
    if (found.distribution == Distribution::other) return std::nullopt;
    if (found.distribution == Distribution::distributed && !may_be_redistributed(context, kernel, tree, loop)) return std::nullopt;
    if (found.distribution == Distribution::sequential && !has_independent_iterations(context, kernel, tree, loop)) return std::nullopt;
    cuda_source::Polynomial counter;
    counter.terms[{cuda_source::Symbol{.kind = cuda_source::Symbol::Kind::variable, .variable = loop.variable}}] = 1;
    found.iteration = {.statements = body_of(context, loop), .body = loop.body, .counter = loop.variable, .counter_value = counter};
    if (found.iteration.statements.empty()) return std::nullopt;
    found.groups = vector_groups(context, kernel, tree, found.iteration);
    return found.groups.empty() ? std::nullopt : std::optional(std::move(found));
}

// Everything that says where the vectors lie is known where the set's first loop begins.
bool is_known_at(const Context& context, const KernelTree& tree, const VectorLoop& loop, StatementId first) {
    const std::uint32_t begin = context.source.statements[first].span.begin;
    const auto declared_before = [&](VariableId variable) {
        const StatementId declaration = tree.declaration_of(variable);
        return declaration == none || context.source.statements[declaration].span.begin < begin;
    };
    for (const VectorGroup& group : loop.groups) {
        for (const ExpressionId access : group.replaced) {
            for (const ExpressionId id : cuda_source::expressions_below(context.source, access)) {
                const auto& node = context.source.expressions[id];
                if (node.kind != ExpressionKind::variable || node.variable == loop.loop->variable) continue;
                if (!declared_before(node.variable)) return false;
            }
        }
    }
    return true;
}

bool counts_like(const Context& context, const CanonicalLoop& a, const CanonicalLoop& b) {
    const auto& source = context.source;
    if (source.statements[a.statement].parent != source.statements[b.statement].parent || a.step != b.step) return false;
    const bool same_step = a.step || same_text(source, a.step_expression, b.step_expression);
    return same_step && same_text(source, a.first, b.first) && same_text(source, a.bound, b.bound) &&
           source.variables[a.variable].type == source.variables[b.variable].type;
}

std::vector<LoopSet> loop_sets(const Context& context, std::size_t kernel, const KernelTree& tree) {
    std::vector<LoopSet> sets;
    for (const CanonicalLoop& loop : context.kernels[kernel].facts.loops) {
        auto found = vector_loop(context, kernel, tree, loop);
        if (!found) continue;
        const auto set = std::find_if(sets.begin(), sets.end(), [&](const LoopSet& known) {
            return counts_like(context, *known.front().loop, loop) &&
                   is_known_at(context, tree, *found, known.front().loop->statement);
        });
        if (set == sets.end()) {
            sets.push_back({std::move(*found)});
        } else {
            set->push_back(std::move(*found));
        }
    }
    return sets;
}

std::vector<VectorGroup> all_groups(const LoopSet& set) {
    std::vector<VectorGroup> groups;
    for (const VectorLoop& loop : set) groups.insert(groups.end(), loop.groups.begin(), loop.groups.end());
    return groups;
}

class LoopSetRewriter {
public:
    LoopSetRewriter(SourceEdit& edit, const Context& context, std::size_t kernel, const KernelTree& tree, const LoopSet& set,
                    std::int64_t width)
        : edit_(edit), context_(context), kernel_(kernel), tree_(tree), set_(set), width_(width),
          style_(style_of(context.source, context.kernels[kernel].function)), names_(context.source.text, style_),
          end_(names_.take("vector_end")) {}

    void rewrite() {
        if (has_no_rest(set_.front(), width_)) {
            for (const VectorLoop& loop : set_) edit_.replace_statement(loop.loop->statement, without_rest(loop));
            return;
        }
        std::vector<std::string> addresses;
        std::vector<std::string> loops;
        for (const VectorLoop& loop : set_) loops.push_back(rewritten(loop, addresses));
        loops.front() = vector_end(addresses) + loops.front();
        for (std::size_t i = 0; i < set_.size(); ++i) {
            edit_.replace_statement(set_[i].loop->statement, loops[i]);
        }
    }

private:
    std::string text(ExpressionId id) const { return as_operand(context_.source, id); }

    std::string type_of_counter() const {
        const auto& variable = context_.source.variables[set_.front().loop->variable];
        return std::string(context_.source.text_of(variable.type_span));
    }

    std::string vector_end(const std::vector<std::string>& addresses) {
        const std::string bound = text(set_.front().loop->bound);
        const std::string whole = fmt::format("{} / {} * {}", bound, width_, width_);
        if (addresses.empty()) return fmt::format("const {} {} = {};\n", type_of_counter(), end_, whole);
        const std::string aligned = names_.take("is_aligned");
        return fmt::format("const bool {} = {};\nconst {} {} = {} ? {} : 0;\n", aligned,
                           alignment_condition(addresses, vector_bytes(all_groups(set_), width_)), type_of_counter(), end_, aligned, whole);
    }

    // if (aligned) wide loop else loop as it was
    std::string without_rest(const VectorLoop& vector_loop) {
        const CanonicalLoop& loop = *vector_loop.loop;
        const std::string& counter = context_.source.variables[loop.variable].name;
        const std::string as_it_was = edit_.take_statements(loop.statement, loop.statement);
        const VectorText vector(context_, kernel_, tree_, vector_loop.iteration, vector_loop.groups, width_, style_, names_);
        const auto addresses = vector.unaligned_addresses("0");
        const std::string header = fmt::format("for ({0} {1} = 0; {1} < {2}; {1} += {3})", type_of_counter(), counter,
                                               context_.source.text_of(loop.bound), width_);
        std::string wide = style_.block(header, vector.statements(edit_, counter));
        if (addresses.empty()) return wide;
        const std::string condition = alignment_condition(addresses, vector_bytes(vector_loop.groups, width_));
        return style_.block(fmt::format("if ({})", condition), wide) + (style_.brace_on_own_line ? "\n" : " ") +
               style_.block("else", as_it_was);
    }

    std::string rewritten(const VectorLoop& vector_loop, std::vector<std::string>& addresses) {
        const CanonicalLoop& loop = *vector_loop.loop;
        const auto& statement = context_.source.statements[loop.statement];
        const std::string& counter = context_.source.variables[loop.variable].name;
        const bool is_sequential = vector_loop.distribution == Distribution::sequential;

        const std::string body = edit_.take_body(loop.body);
        const VectorText vector(context_, kernel_, tree_, vector_loop.iteration, vector_loop.groups, width_, style_, names_);
        for (const std::string& address : vector.unaligned_addresses("0")) {
            if (std::find(addresses.begin(), addresses.end(), address) == addresses.end()) addresses.push_back(address);
        }
        const std::string first = is_sequential ? "0" : fmt::format("{} * {}", width_, text(loop.first));
        const std::string step = loop.step ? std::to_string(width_ * *loop.step) : fmt::format("{} * {}", width_, text(loop.step_expression));
        const std::string wide = fmt::format("for ({0} {1} = {2}; {1} < {3}; {1} += {4})", type_of_counter(), counter, first, end_, step);
        const std::string rest_first = is_sequential ? end_ : fmt::format("{} + {}", end_, context_.source.text_of(loop.first));
        const std::string rest = fmt::format("for ({0} {1} = {2}; {1} < {3}; {4})", type_of_counter(), counter, rest_first,
                                             context_.source.text_of(loop.bound), context_.source.text_of(statement.increment));
        const bool had_braces = context_.source.statements[loop.body].kind == StatementKind::compound;
        return style_.block(wide, vector.statements(edit_, counter)) + '\n' +
               (had_braces ? style_.block(rest, body) : style_.block_or_line(rest, body));
    }

    SourceEdit& edit_;
    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const LoopSet& set_;
    std::int64_t width_;
    SourceStyle style_;
    FreshNames names_;
    std::string end_;
};

}  // namespace

std::vector<Site> vectorized_loop_sites(const Context& context, std::size_t kernel, const KernelTree& tree) {
    std::vector<Site> sites;
    for (const LoopSet& set : loop_sets(context, kernel, tree)) {
        const auto& loop = *set.front().loop;
        const std::string what = fmt::format("{} over {}", set.size() == 1 ? "loop" : fmt::format("{} loops", set.size()),
                                             context.source.variables[loop.variable].name);
        Site site{.description = describe(context, kernel, what, context.source.statements[loop.statement].span.begin),
                  .kernel = kernel,
                  .anchor = loop.statement,
                  .choices = {}};
        for (const std::int64_t width : vector_widths(all_groups(set))) {
            const bool is_worth_it = !loop.trip_count || *loop.trip_count >= 2 * width;
            if (is_worth_it) site.choices.push_back({{"width", width}});
        }
        if (!site.choices.empty()) sites.push_back(std::move(site));
    }
    return sites;
}

void vectorize_loops(SourceEdit& edit, const Context& context, const Site& site, const KernelTree& tree, std::int64_t width) {
    for (const LoopSet& set : loop_sets(context, site.kernel, tree)) {
        if (set.front().loop->statement != site.anchor) continue;
        LoopSetRewriter(edit, context, site.kernel, tree, set, width).rewrite();
        return;
    }
}

}  // namespace optiml::transforms
