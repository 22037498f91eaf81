#include "transforms/online_accumulator.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace optiml::transforms {
namespace {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::SourceFile;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::VariableId;

struct Group {
    VariableId maximum = none;       // m
    VariableId grown = none;         // k
    StatementId update = none;       // m = k
    std::string exponential;         // the function's name, once seen
};

class GroupReader {
public:
    GroupReader(const KernelTree& tree, StatementId loop) : tree_(tree), source_(tree.source()), loop_(loop) {}

    std::vector<Accumulator> read() {
        const StatementId body = source_.statements[loop_].children[0];
        if (source_.statements[body].kind != StatementKind::compound) return {};
        for (const StatementId id : source_.statements[body].children) {
            if (find_maximum(id)) break;
        }
        if (group_.update == none || !read_sums() || sums_.empty() || !maximum_is_used_for_scales_only()) return {};
        std::vector<Accumulator> accumulators = {{.variable = group_.maximum, .combiner = Combiner::maximum}};
        for (const VariableId sum : sums_) {
            accumulators.push_back({.variable = sum, .combiner = Combiner::sum, .maximum = group_.maximum,
                                    .exponential = group_.exponential});
        }
        return accumulators;
    }

private:
    const cuda_source::Expression& node(ExpressionId id) const { return source_.expressions[without_implicit_casts(source_, id)]; }

    bool is_variable(ExpressionId id, VariableId variable) const {
        return node(id).kind == ExpressionKind::variable && node(id).variable == variable;
    }

    bool mentions(ExpressionId id, VariableId variable) const {
        const std::vector<ExpressionId> uses = tree_.uses_of(variable);
        return std::any_of(uses.begin(), uses.end(), [&](ExpressionId use) { return tree_.is_within(use, id); });
    }

    // A local that is set once, by its declaration in the loop: its value stands for it.
    ExpressionId followed(ExpressionId id) const {
        id = without_implicit_casts(source_, id);
        if (source_.expressions[id].kind != ExpressionKind::variable) return id;
        const auto& variable = source_.variables[source_.expressions[id].variable];
        const StatementId declaration = tree_.declaration_of(source_.expressions[id].variable);
        const bool is_definite = !variable.is_written && variable.initializer != none && declaration != none &&
                                 tree_.is_inside(declaration, loop_);
        return is_definite ? without_implicit_casts(source_, variable.initializer) : id;
    }

    // m = k, with k = max(m, v) declared in the loop.
    bool find_maximum(StatementId id) {
        const auto& statement = source_.statements[id];
        if (statement.kind != StatementKind::expression) return false;
        const cuda_source::Expression& assignment = node(statement.expression);
        if (assignment.kind != ExpressionKind::assignment || assignment.op != "=") return false;
        const cuda_source::Expression& target = node(assignment.children[0]);
        const cuda_source::Expression& value = node(assignment.children[1]);
        if (target.kind != ExpressionKind::variable || value.kind != ExpressionKind::variable) return false;
        const cuda_source::Expression& grown = source_.expressions[followed(assignment.children[1])];
        const bool is_maximum = grown.kind == ExpressionKind::call && (grown.name == "fmaxf" || grown.name == "fmax" || grown.name == "max");
        if (!is_maximum || grown.children.size() != 2) return false;
        const int mentioned = (mentions(grown.children[0], target.variable) ? 1 : 0) + (mentions(grown.children[1], target.variable) ? 1 : 0);
        const bool named = is_variable(grown.children[0], target.variable) || is_variable(grown.children[1], target.variable);
        if (mentioned != 1 || !named) return false;
        group_.maximum = target.variable;
        group_.grown = value.variable;
        group_.update = id;
        return true;
    }

    // exp(x - k), directly or by a local: x; none otherwise. All must use the same function.
    ExpressionId exponent_above_maximum(ExpressionId id) {
        constexpr std::array exponentials = std::to_array<std::string_view>({"expf", "exp", "__expf", "exp2f", "exp2", "exp10f", "__exp10f"});
        const cuda_source::Expression& call = source_.expressions[followed(id)];
        if (call.kind != ExpressionKind::call || call.children.size() != 1) return none;
        if (std::find(exponentials.begin(), exponentials.end(), call.name) == exponentials.end()) return none;
        const cuda_source::Expression& difference = node(call.children[0]);
        if (difference.kind != ExpressionKind::binary || difference.op != "-" || !is_variable(difference.children[1], group_.grown)) return none;
        if (!group_.exponential.empty() && group_.exponential != call.name) return none;
        group_.exponential = call.name;
        return difference.children[0];
    }

    bool is_scale(ExpressionId id) {
        const ExpressionId exponent = exponent_above_maximum(id);
        return exponent != none && is_variable(exponent, group_.maximum);
    }

    // c * exp(x - k) with c and x free of m, k and the sum.
    bool is_addend(ExpressionId id, VariableId sum) {
        const ExpressionId exponent = exponent_above_maximum(id);
        if (exponent != none) return is_free(exponent, sum);
        const cuda_source::Expression& product = node(id);
        if (product.kind != ExpressionKind::binary || product.op != "*") return false;
        return (is_free(product.children[0], sum) && is_addend(product.children[1], sum)) ||
               (is_free(product.children[1], sum) && is_addend(product.children[0], sum));
    }

    bool is_free(ExpressionId id, VariableId sum) const {
        const ExpressionId value = followed(id);
        return !mentions(id, group_.maximum) && !mentions(id, group_.grown) && !mentions(id, sum) && !mentions(value, group_.maximum) &&
               !mentions(value, group_.grown) && !mentions(value, sum);
    }

    // s = s * scale + addend; in either order, or by fmaf.
    bool is_rescaled_sum(const cuda_source::Expression& assignment, VariableId sum) {
        const ExpressionId target = assignment.children[0];
        const auto is_scaled = [&](ExpressionId id) {
            const cuda_source::Expression& product = node(id);
            if (product.kind != ExpressionKind::binary || product.op != "*") return false;
            return (same_text(source_, product.children[0], target) && is_scale(product.children[1])) ||
                   (same_text(source_, product.children[1], target) && is_scale(product.children[0]));
        };
        const cuda_source::Expression& value = node(assignment.children[1]);
        if (value.kind == ExpressionKind::call && (value.name == "fmaf" || value.name == "fma") && value.children.size() == 3) {
            return ((same_text(source_, value.children[0], target) && is_scale(value.children[1])) ||
                    (same_text(source_, value.children[1], target) && is_scale(value.children[0]))) &&
                   is_addend(value.children[2], sum);
        }
        if (value.kind != ExpressionKind::binary || value.op != "+") return false;
        return (is_scaled(value.children[0]) && is_addend(value.children[1], sum)) ||
               (is_scaled(value.children[1]) && is_addend(value.children[0], sum));
    }

    // Every scalar or array that is multiplied by the scale must be updated in this way alone, between k's declaration and m = k.
    bool read_sums() {
        for (const StatementId id : tree_.statements()) {
            const auto& statement = source_.statements[id];
            if (!tree_.is_inside(id, loop_) || id == group_.update || statement.kind != StatementKind::expression) continue;
            const cuda_source::Expression& assignment = node(statement.expression);
            if (assignment.kind != ExpressionKind::assignment || assignment.op != "=") continue;
            const cuda_source::Expression* target = &node(assignment.children[0]);
            if (target->kind == ExpressionKind::subscript) target = &node(target->children[0]);
            if (target->kind != ExpressionKind::variable || !is_rescaled_sum(assignment, target->variable)) continue;
            if (!is_before_update(id) || tree_.uses_of(target->variable, loop_).size() != 2) return false;
            sums_.push_back(target->variable);
        }
        return true;
    }

    bool is_before_update(StatementId id) const {
        return source_.statements[id].span.end <= source_.statements[group_.update].span.begin;
    }

    bool maximum_is_used_for_scales_only() {
        for (const ExpressionId use : tree_.uses_of(group_.maximum, loop_)) {
            if (tree_.statement_of(use) == group_.update) continue;
            const ExpressionId above = tree_.parent(use);
            if (above == none) return false;
            const cuda_source::Expression& parent = source_.expressions[above];
            const bool in_grown = parent.kind == ExpressionKind::call;  // k = max(m, v): find_maximum saw it
            const bool in_scale = parent.kind == ExpressionKind::binary && parent.op == "-" && is_variable(parent.children[1], group_.grown);
            if (!in_scale && !(in_grown && tree_.is_within(use, source_.variables[group_.grown].initializer))) return false;
        }
        return true;
    }

    const KernelTree& tree_;
    const SourceFile& source_;
    StatementId loop_;
    Group group_;
    std::vector<VariableId> sums_;
};

}  // namespace

std::vector<Accumulator> online_accumulators(const KernelTree& tree, StatementId loop) { return GroupReader(tree, loop).read(); }

}  // namespace optiml::transforms
