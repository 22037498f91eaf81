#include "cuda_source/flags.h"

namespace optiml::cuda_source {
namespace {

bool is_array(const SourceFile& source, ExpressionId id) {
    const TypeId type = source.expressions[id].type;
    if (type == none) return false;
    TypeKind kind = source.types[type].kind;
    if (kind == TypeKind::reference && source.types[type].element != none) kind = source.types[source.types[type].element].kind;
    return kind == TypeKind::array;
}

void write(SourceFile& source, ExpressionId target) {
    const VariableId root = storage_root(source, target);
    if (root != none) source.variables[root].is_written = true;
}

void take_address(SourceFile& source, ExpressionId target) {
    const VariableId root = storage_root(source, target);
    if (root == none) return;
    source.variables[root].is_written = true;
    source.variables[root].address_taken = true;
}

bool is_step(const std::string& op) { return op == "++" || op == "--" || op == "p++" || op == "p--"; }

void mark(SourceFile& source, const Expression& expression) {
    if (expression.by_reference) take_address(source, static_cast<ExpressionId>(&expression - source.expressions.data()));
    switch (expression.kind) {
        case ExpressionKind::assignment:
            if (!expression.children.empty()) write(source, expression.children.front());
            break;
        case ExpressionKind::unary:
            if (is_step(expression.op)) write(source, expression.children.front());
            if (expression.op == "&") take_address(source, expression.children.front());
            break;
        default:
            break;
    }
    // An array that is not subscripted or measured turns into a pointer to its elements.
    const bool keeps_array = expression.kind == ExpressionKind::subscript || expression.kind == ExpressionKind::member ||
                             expression.kind == ExpressionKind::sizeof_;
    for (std::size_t i = 0; i < expression.children.size(); ++i) {
        if ((!keeps_array || i != 0) && is_array(source, expression.children[i])) take_address(source, expression.children[i]);
    }
}

}  // namespace

VariableId storage_root(const SourceFile& source, ExpressionId id) {
    while (id != none) {
        const Expression& expression = source.expressions[id];
        switch (expression.kind) {
            case ExpressionKind::variable:
                return expression.variable;
            case ExpressionKind::subscript:
                if (!is_array(source, expression.children[0])) return none;
                id = expression.children[0];
                break;
            case ExpressionKind::member:
                if (expression.op == "->" || expression.children.empty()) return none;
                id = expression.children[0];
                break;
            default:
                return none;
        }
    }
    return none;
}

void mark_written_variables(SourceFile& source) {
    for (const Expression& expression : source.expressions) mark(source, expression);
    for (const Variable& variable : source.variables) {
        if (variable.initializer == none || variable.type == none) continue;
        const Type& type = source.types[variable.type];
        const bool binds = type.kind == TypeKind::reference && type.element != none && !source.types[type.element].is_const;
        const bool decays = type.kind == TypeKind::pointer && is_array(source, variable.initializer);
        if (binds || decays) take_address(source, variable.initializer);
    }
}

}  // namespace optiml::cuda_source
