#include "transforms/kernel_tree.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace optiml::transforms {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::FunctionId;
using cuda_source::none;
using cuda_source::SourceFile;
using cuda_source::StatementId;
using cuda_source::VariableId;

KernelTree::KernelTree(const SourceFile& source, FunctionId function) : source_(source), function_(function) {
    if (body() != none) visit(body());
}

void KernelTree::visit(StatementId id) {
    const auto& statement = source_.statements[id];
    statements_.push_back(id);
    if (statement.init != none) {
        parents_[statement.init] = id;
        visit(statement.init);
    }
    for (const VariableId variable : statement.variables) {
        if (source_.variables[variable].initializer != none) visit(source_.variables[variable].initializer, none, id);
    }
    if (statement.expression != none) visit(statement.expression, none, id);
    if (statement.increment != none) visit(statement.increment, none, id);
    for (const StatementId child : statement.children) {
        parents_[child] = id;
        visit(child);
    }
}

void KernelTree::visit(ExpressionId id, ExpressionId parent, StatementId statement) {
    if (!places_.try_emplace(id, Place{parent, statement}).second) return;
    expressions_.push_back(id);
    for (const ExpressionId child : source_.expressions[id].children) {
        if (child != none) visit(child, id, statement);
    }
}

ExpressionId KernelTree::parent(ExpressionId expression) const {
    const auto found = places_.find(expression);
    return found == places_.end() ? none : found->second.parent;
}

StatementId KernelTree::statement_of(ExpressionId expression) const {
    const auto found = places_.find(expression);
    return found == places_.end() ? none : found->second.statement;
}

bool KernelTree::is_inside(StatementId statement, StatementId ancestor) const {
    while (statement != ancestor) {
        const auto found = parents_.find(statement);
        if (found == parents_.end()) return false;
        statement = found->second;
    }
    return true;
}

bool KernelTree::is_within(ExpressionId expression, ExpressionId ancestor) const {
    for (; expression != none; expression = parent(expression)) {
        if (expression == ancestor) return true;
    }
    return false;
}

bool KernelTree::holds(StatementId statement, ExpressionId expression) const {
    const StatementId innermost = statement_of(expression);
    return innermost != none && is_inside(innermost, statement);
}

std::vector<ExpressionId> KernelTree::uses_of(VariableId variable) const {
    std::vector<ExpressionId> uses;
    std::copy_if(expressions_.begin(), expressions_.end(), std::back_inserter(uses), [&](ExpressionId id) {
        return source_.expressions[id].kind == ExpressionKind::variable && source_.expressions[id].variable == variable;
    });
    return uses;
}

std::vector<ExpressionId> KernelTree::uses_of(VariableId variable, StatementId within) const {
    std::vector<ExpressionId> uses = uses_of(variable);
    std::erase_if(uses, [&](ExpressionId use) { return !holds(within, use); });
    return uses;
}

bool KernelTree::is_write(ExpressionId use) const {
    if (source_.expressions[use].by_reference) return true;
    const ExpressionId above = parent(use);
    if (above == none) return false;
    const auto& node = source_.expressions[above];
    if (node.kind == ExpressionKind::assignment) return node.children[0] == use;
    if (node.kind != ExpressionKind::unary) return false;
    return node.op == "&" || node.op.find("++") != std::string::npos || node.op.find("--") != std::string::npos;
}

StatementId KernelTree::declaration_of(VariableId variable) const {
    const auto declares = [&](StatementId id) {
        const auto& variables = source_.statements[id].variables;
        return std::find(variables.begin(), variables.end(), variable) != variables.end();
    };
    const auto found = std::find_if(statements_.begin(), statements_.end(), declares);
    return found == statements_.end() ? none : *found;
}

ExpressionId without_implicit_casts(const SourceFile& source, ExpressionId expression) {
    while (source.expressions[expression].kind == ExpressionKind::cast && source.expressions[expression].implicit) {
        expression = source.expressions[expression].children[0];
    }
    return expression;
}

std::vector<FunctionId> callees_of(const SourceFile& source, FunctionId kernel) {
    std::vector<FunctionId> found;
    std::vector<FunctionId> pending = {kernel};
    while (!pending.empty()) {
        const KernelTree tree(source, pending.back());
        pending.pop_back();
        for (const ExpressionId id : tree.expressions()) {
            FunctionId callee = source.expressions[id].function;
            if (callee == none || callee == kernel || std::find(found.begin(), found.end(), callee) != found.end()) continue;
            found.push_back(callee);
            pending.push_back(callee);
        }
    }
    return found;
}

bool same_text(const SourceFile& source, ExpressionId a, ExpressionId b) {
    const auto squeezed = [&](ExpressionId id) {
        std::string text(source.text_of(id));
        std::erase_if(text, [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; });
        return text;
    };
    return squeezed(a) == squeezed(b);
}

}  // namespace optiml::transforms
