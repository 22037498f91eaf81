#include "transforms/launch_fusion.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/launch_bounds_attribute.h"
#include "transforms/loop_independence.h"
#include "transforms/plan_rewrite.h"
#include "transforms/rewrite.h"
#include "transforms/thread_mapping.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Symbol;
using cuda_source::VariableId;
using diagnosis::Bottleneck;

// A kernel that is launched for distance = first; distance > 0; distance /= 2 with first a power of two or 0, and whose thread i
// touches, of what anyone writes, the elements i and i ^ distance alone.
struct Butterfly {
    std::size_t step = 0;        // of the plan
    std::size_t argument = 0;    // the distance's position
    VariableId distance = none;  // parameter
    ThreadIndex index;
    std::vector<StatementId> statements;  // after the index's declaration
    std::int64_t block = 0;
};

class ButterflyReader {
public:
    ButterflyReader(const Context& context, std::size_t kernel, const KernelTree& tree)
        : context_(context), kernel_(kernel), tree_(tree), source_(context.source) {}

    std::optional<Butterfly> read() {
        if (!is_editable(context_, kernel_) || !has_independent_threads(context_, kernel_)) return std::nullopt;
        if (!read_launch() || !read_index() || !read_statements() || !stays_with_partners()) return std::nullopt;
        return butterfly_;
    }

private:
    const task::Step& step() const { return context_.candidate->plan.steps[butterfly_.step]; }

    bool read_launch() {
        const auto& steps = context_.kernels[kernel_].steps;
        const auto block = constant_block(context_, kernel_);
        if (steps.size() != 1 || !block || (*block)[1] != 1 || (*block)[2] != 1) return false;
        butterfly_.step = steps.front();
        butterfly_.block = (*block)[0];
        if (step().repeats.empty() || step().launch.grid[1] != task::Expression(1) || step().launch.grid[2] != task::Expression(1))
            return false;
        const task::Repeat& rounds = step().repeats.back();
        const std::string& name = rounds.variable;
        const bool halves = rounds.next.canonical_text() == name + " / 2" && rounds.condition.canonical_text() == name + " > 0";
        // A group's loop goes round other steps too.
        if (!is_power_of_two(rounds.from)) return false;
        return halves && rounds.counter.empty() && rounds.group.empty() && read_distance(name) &&
               !names(step().launch.grid[0], name);
    }

    // A power of two, or 0: a constant, a size that must be one, a loop's variable that begins as one and is doubled; or half of
    // those.
    bool is_power_of_two(const task::Expression& expression) const {
        if (expression.is_constant())
            return expression.evaluate({})
                .map([](std::int64_t value) { return value >= 0 && (value & (value - 1)) == 0; })
                .value_or(false);
        const std::string& text = expression.canonical_text();
        for (const task::Repeat& repeat : step().repeats) {
            const bool is_variable = text == repeat.variable || text == repeat.variable + " / 2";
            if (is_variable) return repeat.next.canonical_text() == "2 * " + repeat.variable && is_power_of_two(repeat.from);
        }
        return std::any_of(context_.task->sizes.begin(), context_.task->sizes.end(), [&](const task::NamedSize& size) {
            return size.power_of_two && (text == size.name || text == size.name + " / 2");
        });
    }

    static bool names(const task::Expression& expression, const std::string& name) { return expression.names().contains(name); }

    // One argument is the distance, and no other hangs on it.
    bool read_distance(const std::string& name) {
        const auto& arguments = step().launch.arguments;
        const auto& parameters = source_.functions[context_.kernels[kernel_].function].parameters;
        std::size_t found = 0;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const task::LaunchArgument& argument = arguments[i];
            const bool is_distance =
                argument.buffers.empty() && argument.scalar_argument.empty() && argument.value.canonical_text() == name;
            if (is_distance) {
                butterfly_.argument = i;
                butterfly_.distance = parameters[i];
                ++found;
            } else if (names(argument.selector, name) || names(argument.offset, name) || names(argument.value, name)) {
                return false;
            }
        }
        if (found != 1) return false;
        const auto& variable = source_.variables[butterfly_.distance];
        const auto& type = source_.types[variable.type];
        return type.kind == cuda_source::TypeKind::integer && !type.is_const && !variable.is_written && !variable.in_macro;
    }

    bool read_index() {
        const ThreadMapping mapping = thread_mapping(tree_);
        const ThreadIndex* index = mapping.along(0);
        if (index == nullptr || mapping.indices.size() != 1 || !index->is_only_use || index->bound == none) return false;
        const auto& declaration = source_.statements[index->declaration];
        butterfly_.index = *index;
        return declaration.parent == tree_.body() && declaration.variables.size() == 1 &&
               cuda_source::polynomial_of(source_, context_.kernels[kernel_].function, index->value) == flat_index(0);
    }

    // All after the index, none of which leaves the kernel.
    bool read_statements() {
        const auto& top = source_.statements[tree_.body()].children;
        const auto index = std::find(top.begin(), top.end(), butterfly_.index.declaration);
        const auto is_declaration = [&](StatementId id) { return source_.statements[id].kind == StatementKind::declaration; };
        if (index == top.end() || index + 1 == top.end() || !std::all_of(top.begin(), index, is_declaration)) return false;
        butterfly_.statements.assign(index + 1, top.end());
        const auto before = [&](StatementId id) { return std::find(top.begin(), index, id) != index; };
        return std::none_of(tree_.statements().begin(), tree_.statements().end(), [&](StatementId id) {
            const auto& statement = source_.statements[id];
            const bool reads_distance_too_early = before(id) && !tree_.uses_of(butterfly_.distance, id).empty();
            return statement.kind == StatementKind::return_ || statement.in_macro || reads_distance_too_early;
        });
    }

    bool stays_with_partners() const {
        const auto& accesses = context_.kernels[kernel_].facts.accesses;
        return std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
            if (!is_global(context_, access)) return true;
            const bool is_shared = std::any_of(accesses.begin(), accesses.end(), [&](const Access& other) {
                return (access.writes || other.writes || access.atomic || other.atomic) && is_global(context_, other) &&
                       may_share_buffer(context_, kernel_, access, other);
            });
            return !is_shared || (access.index_known && access.elements == 1 && access.base != none &&
                                  (access.index == flat_index(0) || is_partner(access.index)));
        });
    }

    // i ^ distance
    bool is_partner(const Polynomial& index) const {
        if (index.terms.size() != 1 || index.terms.begin()->second != 1 || index.terms.begin()->first.size() != 1) return false;
        const Symbol& symbol = index.terms.begin()->first.front();
        if (symbol.kind != Symbol::Kind::opaque || symbol.expression == none) return false;
        const auto& node = source_.expressions[without_implicit_casts(source_, symbol.expression)];
        if (node.kind != ExpressionKind::binary || node.op != "^") return false;
        const auto is = [&](ExpressionId id, VariableId variable) {
            const auto& operand = source_.expressions[without_implicit_casts(source_, id)];
            return operand.kind == ExpressionKind::variable && operand.variable == variable;
        };
        const VariableId i = butterfly_.index.variable, distance = butterfly_.distance;
        return (is(node.children[0], i) && is(node.children[1], distance)) ||
               (is(node.children[0], distance) && is(node.children[1], i));
    }

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    Butterfly butterfly_;
};

class LaunchFusion : public Transformation {
public:
    std::string_view name() const override { return "launch_fusion"; }
    std::string_view summary() const override {
        return "Rounds whose partners lie within one block run in one launch, with barriers between them.";
    }
    std::vector<Bottleneck> relieves() const override {
        return {Bottleneck::memory_bandwidth, Bottleneck::launch, Bottleneck::memory_latency};
    }

    std::vector<Site> sites(const Context& context) const override {
        std::vector<Site> found;
        for (std::size_t kernel = 0; kernel < context.kernels.size(); ++kernel) {
            const KernelTree tree(context.source, context.kernels[kernel].function);
            const auto butterfly = ButterflyReader(context, kernel, tree).read();
            if (!butterfly) continue;
            const auto& distance = context.source.variables[butterfly->distance];
            found.push_back({.description = describe(context, kernel, "launches over " + distance.name, distance.declaration.begin),
                             .kernel = kernel,
                             .anchor = butterfly->distance,
                             .choices = {{{"block", 1024}}, {{"block", 512}}, {{"block", 256}}}});
        }
        return found;
    }

    Result<task::Candidate> apply(const Context& context, const Site& site, const Parameters& parameters) const override {
        const KernelTree tree(context.source, context.kernels[site.kernel].function);
        const Butterfly butterfly = *ButterflyReader(context, site.kernel, tree).read();
        const std::int64_t block = parameters.at("block");
        SourceEdit edit(context.source);
        const std::string fused = add_fused_kernel(edit, context, site.kernel, butterfly, block);
        auto candidate = derived(context, *this, site, parameters, edit);
        if (candidate) change_plan(context, site.kernel, butterfly, block, fused, candidate->plan);
        return candidate;
    }

private:
    // A copy of the kernel that goes on with smaller distances behind the original; its name.
    static std::string add_fused_kernel(SourceEdit& edit, const Context& context, std::size_t kernel, const Butterfly& butterfly,
                                        std::int64_t block) {
        const auto& source = context.source;
        const auto& function = source.functions[context.kernels[kernel].function];
        const SourceStyle style = style_of(source, context.kernels[kernel].function);
        FreshNames names(source.text, style);
        const std::string name = names.take(function.name + "_within_blocks");
        const std::string& distance = source.variables[butterfly.distance].name;
        update_launch_bounds(edit, context, kernel, block);
        const std::string body = edit.take_commented(butterfly.statements.front(), butterfly.statements.back());
        edit.replace_statements(butterfly.statements.front(), butterfly.statements.back(),
                                style.block(fmt::format("for (; {0} > 0; {0} /= 2)", distance), body + "\n__syncthreads();"));
        edit.replace(function.name_span, name);
        const std::string text = edit.take(function.span);
        const std::string& index = source.variables[butterfly.index.variable].name;
        const std::string comment = fmt::format(
            "// The same for all distances from {0} on: with {0} < blockDim.x, a power of two, {1} and {1} ^ {0} "
            "are threads of\n// one block.\n",
            distance, index);
        edit.insert(function.span.end, "\n\n" + comment + text);
        return name;
    }

    // repeat { repeat (distance = first; distance >= block; distance /= 2) original;  fused(min(first, block / 2)); }
    static void change_plan(const Context& context, std::size_t kernel, const Butterfly& butterfly, std::int64_t block,
                            const std::string& fused, task::LaunchPlan& plan) {
        task::Step& original = plan.steps[butterfly.step];
        task::Repeat& rounds = original.repeats.back();
        for (std::size_t i = 0; i + 1 < original.repeats.size(); ++i) {
            if (original.repeats[i].group.empty()) original.repeats[i].group = fused;
        }
        task::Step last = original;
        last.repeats.pop_back();
        last.launch.kernel = fused;
        last.launch.arguments[butterfly.argument].value = at_most(rounds.from, block / 2);
        const auto bound = plan_expression(context, kernel, butterfly.step, butterfly.index.bound);
        last.launch.grid[0] = blocks_of(threads_needed(original.launch.grid[0], butterfly.block, bound), block);
        last.launch.block[0] = task::Expression(block);
        rounds.condition = *task::Expression::parse(fmt::format("{} >= {}", rounds.variable, block));
        plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(butterfly.step) + 1, std::move(last));
    }
};

}  // namespace

std::unique_ptr<Transformation> make_launch_fusion() { return std::make_unique<LaunchFusion>(); }

}  // namespace optiml::transforms
