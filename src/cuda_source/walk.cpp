// Walks over the plain tree.
#include <algorithm>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {

std::vector<StatementId> statements_below(const SourceFile& source, StatementId root) {
    std::vector<StatementId> found;
    std::vector<StatementId> open;
    if (root != none) open.push_back(root);
    while (!open.empty()) {
        const StatementId id = open.back();
        open.pop_back();
        found.push_back(id);
        const Statement& statement = source.statements[id];
        open.insert(open.end(), statement.children.rbegin(), statement.children.rend());
        if (statement.init != none) open.push_back(statement.init);
    }
    return found;
}

std::vector<ExpressionId> expressions_below(const SourceFile& source, ExpressionId root) {
    std::vector<ExpressionId> found;
    std::vector<ExpressionId> open;
    if (root != none) open.push_back(root);
    while (!open.empty()) {
        const ExpressionId id = open.back();
        open.pop_back();
        found.push_back(id);
        const std::vector<ExpressionId>& children = source.expressions[id].children;
        open.insert(open.end(), children.rbegin(), children.rend());
    }
    return found;
}

std::vector<ExpressionId> expressions_of(const SourceFile& source, StatementId id) {
    const Statement& statement = source.statements[id];
    std::vector<ExpressionId> found;
    const auto add = [&](ExpressionId root) {
        const std::vector<ExpressionId> below = expressions_below(source, root);
        found.insert(found.end(), below.begin(), below.end());
    };
    for (const VariableId variable : statement.variables) add(source.variables[variable].initializer);
    add(statement.expression);
    add(statement.increment);
    return found;
}

}  // namespace optiml::cuda_source
