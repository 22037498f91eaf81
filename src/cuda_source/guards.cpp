#include <utility>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {
namespace {

// Statements that may stand before a guard: they have no effect outside of the thread's own variables.
bool is_harmless(const SourceFile& source, StatementId id) {
    const Statement& statement = source.statements[id];
    if (statement.kind == StatementKind::empty) return true;
    if (statement.kind != StatementKind::declaration) return false;
    for (const ExpressionId part : expressions_of(source, id)) {
        const Expression& expression = source.expressions[part];
        switch (expression.kind) {
            case ExpressionKind::assignment:
            case ExpressionKind::member_call:
            case ExpressionKind::lambda:
            case ExpressionKind::other:
                return false;
            case ExpressionKind::call:
                if (!expression.takes_values_only) return false;
                break;
            default:
                break;
        }
    }
    return true;
}

bool only_returns(const SourceFile& source, StatementId id) {
    const Statement& statement = source.statements[id];
    if (statement.kind == StatementKind::return_) return statement.expression == none;
    return statement.kind == StatementKind::compound && statement.children.size() == 1 &&
           only_returns(source, statement.children.front());
}

class GuardReader {
public:
    GuardReader(const SourceFile& source, StatementId statement, bool returns)
        : source_(source), statement_(statement), returns_(returns) {}

    // Takes the condition apart at `joint` ("&&" where it must hold, "||" where it leaves). False if a part is no comparison.
    bool read(ExpressionId id, bool negated) {
        const Expression& node = source_.expressions[id];
        if (node.kind == ExpressionKind::unary && node.op == "!") return read(node.children[0], !negated);
        if (node.kind != ExpressionKind::binary) return false;
        const bool takes_part_if_true = returns_ == negated;
        if (node.op == (takes_part_if_true ? "&&" : "||"))
            return read(node.children[0], negated) && read(node.children[1], negated);
        return read_comparison(id, node, takes_part_if_true);
    }

    std::vector<BoundsGuard> guards;

private:
    ExpressionId bare(ExpressionId id) const {
        while (source_.expressions[id].kind == ExpressionKind::cast && source_.expressions[id].implicit) {
            id = source_.expressions[id].children[0];
        }
        return id;
    }

    // `index < bound` in any of its writings.
    bool read_comparison(ExpressionId id, const Expression& node, bool takes_part_if_true) {
        if (node.op != "<" && node.op != "<=" && node.op != ">" && node.op != ">=") return false;
        const bool less = node.op[0] == '<';
        const bool index_on_left = less == takes_part_if_true;
        BoundsGuard guard;
        guard.statement = statement_;
        guard.condition = id;
        guard.returns = returns_;
        guard.index_expression = bare(node.children[index_on_left ? 0 : 1]);
        guard.bound = bare(node.children[index_on_left ? 1 : 0]);
        if (source_.expressions[guard.index_expression].constant && !source_.expressions[guard.bound].constant) {
            std::swap(guard.index_expression, guard.bound);
            guard.is_lower = true;
        }
        guard.index = source_.expressions[guard.index_expression].variable;
        guard.inclusive = (node.op.size() == 2) == takes_part_if_true;
        guards.push_back(guard);
        return true;
    }

    const SourceFile& source_;
    StatementId statement_;
    bool returns_;
};

}  // namespace

std::vector<BoundsGuard> bounds_guards(const SourceFile& source, FunctionId kernel) {
    std::vector<BoundsGuard> found;
    const StatementId body = source.functions[kernel].body;
    if (body == none) return found;
    const std::vector<StatementId>& statements = source.statements[body].children;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        const Statement& statement = source.statements[statements[i]];
        if (is_harmless(source, statements[i])) continue;
        if (statement.kind != StatementKind::if_ || statement.children.size() != 1 || statement.expression == none) break;
        const bool returns = only_returns(source, statement.children.front());
        if (!returns && i + 1 != statements.size()) break;
        GuardReader reader(source, statements[i], returns);
        if (!reader.read(statement.expression, false)) break;
        found.insert(found.end(), reader.guards.begin(), reader.guards.end());
        if (!returns) break;
    }
    return found;
}

}  // namespace optiml::cuda_source
