#include "cuda_source/values.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

#include "cuda_source/flags.h"

namespace optiml::cuda_source {
namespace {

constexpr unsigned deepest = 500;  // definitions may be chained; the tree itself is limited by its builder

bool is_integral(const SourceFile& source, TypeId type) {
    if (type == none) return false;
    const TypeKind kind = source.types[type].kind;
    return kind == TypeKind::integer || kind == TypeKind::boolean;
}

std::string serialized(const Polynomial& polynomial) {
    std::string text;
    for (const auto& [product, coefficient] : polynomial.terms) {
        text += fmt::format("{:+}", coefficient);
        for (const Symbol& symbol : product) {
            text += fmt::format("*{}.{}.{}.{}.{}", static_cast<int>(symbol.kind), static_cast<int>(symbol.builtin), symbol.axis,
                                symbol.variable, symbol.expression);
        }
    }
    return text;
}

}  // namespace

Values::Values(const SourceFile& source, FunctionId function) : source_(source), statement_of_(source.expressions.size(), none) {
    statements_ = statements_below(source, source.functions[function].body);
    for (const StatementId statement : statements_) {
        for (const ExpressionId expression : expressions_of(source, statement)) {
            statement_of_[expression] = statement;
            expressions_.push_back(expression);
        }
    }
    note_writes();
    follow_definitions();
    number_pure_expressions();
}

void Values::note_writes() {
    const auto note = [&](ExpressionId target, ExpressionId by, bool address) {
        const VariableId root = storage_root(source_, target);
        if (root == none) return;
        writes_[root].expressions.push_back(by);
        writes_[root].address_taken |= address;
    };
    for (const ExpressionId id : expressions_) {
        const Expression& expression = source_.expressions[id];
        if (expression.by_reference) note(id, id, true);
        if (expression.children.empty()) continue;
        if (expression.kind == ExpressionKind::assignment) note(expression.children[0], id, false);
        if (expression.kind != ExpressionKind::unary) continue;
        if (expression.op.size() >= 2) note(expression.children[0], id, false);  // ++ -- p++ p--
        if (expression.op == "&") note(expression.children[0], id, true);
    }
}

bool Values::is_inside(ExpressionId expression, StatementId statement) const {
    for (StatementId at = statement_of_[expression]; at != none; at = source_.statements[at].parent) {
        if (at == statement) return true;
    }
    return false;
}

bool Values::is_written_in(VariableId variable, StatementId statement) const {
    const auto writes = writes_.find(variable);
    if (writes == writes_.end()) return false;
    // A pointer to it may be used anywhere.
    if (writes->second.address_taken || source_.variables[variable].address_taken) return true;
    return std::any_of(writes->second.expressions.begin(), writes->second.expressions.end(),
                       [&](ExpressionId write) { return is_inside(write, statement); });
}

// Definitions that lead back to themselves (int i = i / 2;) are none.
void Values::follow_definitions() {
    std::set<VariableId> open, done;
    const std::function<bool(VariableId)> ends = [&](VariableId variable) {
        if (done.count(variable) != 0) return true;
        if (!open.insert(variable).second) return false;
        const ExpressionId value = single_value(variable);
        bool all_end = true;
        for (const ExpressionId part : expressions_below(source_, value)) {
            const VariableId used = source_.expressions[part].variable;
            if (used != none && !ends(used)) all_end = false;
        }
        open.erase(variable);
        done.insert(variable);
        if (value != none && all_end) definitions_[variable] = value;
        return all_end;
    };
    for (const ExpressionId id : expressions_) {
        if (source_.expressions[id].variable != none) ends(source_.expressions[id].variable);
    }
}

ExpressionId Values::single_value(VariableId id) const {
    const Variable& variable = source_.variables[id];
    if (variable.storage != Storage::local || variable.address_taken) return none;
    const auto writes = writes_.find(id);
    if (writes == writes_.end()) return variable.initializer;
    if (variable.initializer != none || writes->second.expressions.size() != 1) return none;
    // `int i; i = ...;` in the block of the declaration: every use that is defined sees this value.
    const ExpressionId write = writes->second.expressions.front();
    const Expression& assignment = source_.expressions[write];
    if (assignment.kind != ExpressionKind::assignment || assignment.op != "=") return none;
    if (source_.expressions[assignment.children[0]].kind != ExpressionKind::variable) return none;
    const StatementId statement = statement_of_[write];
    if (source_.statements[statement].kind != StatementKind::expression || source_.statements[statement].expression != write)
        return none;
    const StatementId block = source_.statements[statement].parent;
    if (block == none || source_.statements[block].kind != StatementKind::compound) return none;
    for (const StatementId sibling : source_.statements[block].children) {
        const std::vector<VariableId>& declared = source_.statements[sibling].variables;
        if (std::find(declared.begin(), declared.end(), id) != declared.end()) return assignment.children[1];
    }
    return none;
}

// The variable has one value in each iteration of the for loops that hold `place`: it is written by their headers alone.
bool Values::is_iteration_value(VariableId variable, ExpressionId place) const {
    const auto writes = writes_.find(variable);
    if (writes == writes_.end()) return true;
    if (writes->second.address_taken || source_.variables[variable].address_taken) return false;
    bool inside_one = false;
    for (const ExpressionId write : writes->second.expressions) {
        StatementId loop = statement_of_[write];
        const StatementId parent = source_.statements[loop].parent;
        const bool is_init = parent != none && source_.statements[parent].init == loop;
        if (is_init) loop = parent;
        const Statement& header = source_.statements[loop];
        if (header.kind != StatementKind::for_) return false;
        const std::vector<ExpressionId> steps = expressions_below(source_, header.increment);
        if (!is_init && std::find(steps.begin(), steps.end(), write) == steps.end()) return false;
        inside_one |= is_inside(place, loop);
    }
    return inside_one;
}

Polynomial Values::polynomial(ExpressionId id) const {
    if (id == none) return Polynomial(Symbol::of_opaque(none));
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    if (depth_ >= deepest) return Polynomial(Symbol::of_opaque(id));
    ++depth_;
    Polynomial result = compute(id);
    --depth_;
    if (!result.is_valid()) result = Polynomial(Symbol::of_opaque(id));
    known_.emplace(id, result);
    return result;
}

Polynomial Values::compute(ExpressionId id) const {
    const Expression& expression = source_.expressions[id];
    if (expression.constant) return Polynomial(*expression.constant);
    switch (expression.kind) {
        case ExpressionKind::builtin_index:
            return expression.builtin == BuiltinIndex::warp_size
                       ? Polynomial(32)
                       : Polynomial(Symbol::of_builtin(expression.builtin, expression.axis));
        case ExpressionKind::variable:
            return of_variable(id);
        case ExpressionKind::unary:
            if (expression.op == "-") return Polynomial(-1) * polynomial(expression.children[0]);
            if (expression.op == "+") return polynomial(expression.children[0]);
            return opaque(id);
        case ExpressionKind::binary:
            return of_binary(expression, id);
        case ExpressionKind::cast:
        case ExpressionKind::construct:
            return of_cast(expression, id);
        default:
            return opaque(id);
    }
}

Polynomial Values::of_variable(ExpressionId id) const {
    const VariableId variable = source_.expressions[id].variable;
    if (variable == none) return opaque(id);
    const Variable& declared = source_.variables[variable];
    if (declared.storage == Storage::template_value) return Polynomial(Symbol::of_variable(variable));
    if (declared.type == none || !is_integral(source_, declared.type)) return opaque(id);
    if (const ExpressionId value = definition(variable); value != none) return polynomial(value);
    const bool is_private = declared.storage == Storage::local || declared.storage == Storage::parameter;
    return is_private && is_iteration_value(variable, id) ? Polynomial(Symbol::of_variable(variable)) : opaque(id);
}

Polynomial Values::of_binary(const Expression& expression, ExpressionId id) const {
    if (!is_integral(source_, expression.type) && expression.type != none &&
        source_.types[expression.type].kind != TypeKind::other) {
        return opaque(id);
    }
    const ExpressionId left = expression.children[0];
    const ExpressionId right = expression.children[1];
    if (expression.op == "+") return polynomial(left) + polynomial(right);
    if (expression.op == "-") return polynomial(left) - polynomial(right);
    if (expression.op == "*") return polynomial(left) * polynomial(right);
    if (expression.op == ",") return polynomial(right);
    const std::optional<std::int64_t> amount = source_.expressions[right].constant;
    if (expression.op == "<<" && amount && *amount >= 0 && *amount < 62) {
        return polynomial(left) * Polynomial(std::int64_t{1} << *amount);
    }
    return opaque(id);
}

// Casts between integers of 32 and 64 bits keep the value (short of overflow); narrower ones may cut it.
Polynomial Values::of_cast(const Expression& expression, ExpressionId id) const {
    if (expression.children.size() != 1 || !is_integral(source_, expression.type)) return opaque(id);
    const ExpressionId value = expression.children[0];
    const Type& to = source_.types[expression.type];
    const TypeId from_type = source_.expressions[value].type;
    if (from_type == none) return opaque(id);
    const Type& from = source_.types[from_type];
    const bool from_known = from.kind == TypeKind::integer || from.kind == TypeKind::boolean || from.kind == TypeKind::other;
    if (!from_known || to.kind == TypeKind::boolean) return opaque(id);
    return to.bits >= 32 || (from.bits != 0 && from.bits < to.bits) ? polynomial(value) : opaque(id);
}

Polynomial Values::opaque(ExpressionId id) const {
    if (const auto pure = pure_key(id)) {
        const auto first = numbers_.find(*pure);
        if (first != numbers_.end()) return Polynomial(Symbol::of_opaque(first->second));
    }
    return Polynomial(Symbol::of_opaque(id));
}

std::string Values::key(ExpressionId id) const { return "(" + serialized(polynomial(id)) + ")"; }

// A text that is equal for expressions of equal value; nullopt where the value depends on more than the operands.
std::optional<std::string> Values::pure_key(ExpressionId id) const {
    const Expression& expression = source_.expressions[id];
    const auto all = [&](std::string head) -> std::optional<std::string> {
        for (const ExpressionId child : expression.children) {
            const TypeId type = source_.expressions[child].type;
            if (type == none || !is_integral(source_, type)) return std::nullopt;
            head += key(child);
        }
        return head;
    };
    switch (expression.kind) {
        case ExpressionKind::unary:
            return expression.op == "~" || expression.op == "!" ? all(expression.op) : std::nullopt;
        case ExpressionKind::binary:
            return all(expression.op);
        case ExpressionKind::conditional:
            return all("?");
        case ExpressionKind::cast:
            return expression.type != none ? all("cast " + source_.types[expression.type].spelling) : std::nullopt;
        case ExpressionKind::call:
            return expression.name == "min" || expression.name == "max" ? all(expression.name) : std::nullopt;
        case ExpressionKind::member: {
            if (expression.op == "->" || expression.children.empty()) return std::nullopt;
            const Expression& object = source_.expressions[expression.children[0]];
            if (object.kind != ExpressionKind::variable || object.variable == none) return std::nullopt;
            const Variable& variable = source_.variables[object.variable];
            const bool is_fixed =
                !variable.is_written && (variable.storage == Storage::parameter || variable.storage == Storage::local);
            return is_fixed ? std::optional(fmt::format("{}.{}", object.variable, expression.name)) : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

// In program order, so that the operands of an expression have their numbers before it.
void Values::number_pure_expressions() {
    std::vector<ExpressionId> in_order = expressions_;
    std::sort(in_order.begin(), in_order.end());
    for (const ExpressionId id : in_order) {
        if (const auto pure = pure_key(id)) numbers_.emplace(*pure, id);
    }
}

bool Values::depends_on_data(const Polynomial& polynomial) const {
    for (const auto& [product, coefficient] : polynomial.terms) {
        for (const Symbol& symbol : product) {
            if (symbol.kind != Symbol::Kind::opaque) continue;
            if (symbol.expression == none || !pure_key(symbol.expression)) return true;
            const Expression& expression = source_.expressions[symbol.expression];
            if (expression.kind == ExpressionKind::member) continue;
            for (const ExpressionId child : expression.children) {
                const Polynomial operand = this->polynomial(child);
                if (operand != polynomial && depends_on_data(operand)) return true;
            }
        }
    }
    return false;
}

bool Values::depends_deeply_on(const Polynomial& polynomial, const Symbol& symbol) const {
    if (polynomial.depends_on(symbol)) return true;
    for (const auto& [product, coefficient] : polynomial.terms) {
        for (const Symbol& factor : product) {
            if (factor.kind != Symbol::Kind::opaque || factor.expression == none) continue;
            for (const ExpressionId child : source_.expressions[factor.expression].children) {
                const Polynomial operand = this->polynomial(child);
                if (operand != Polynomial(factor) && depends_deeply_on(operand, symbol)) return true;
            }
        }
    }
    return false;
}

Polynomial polynomial_of(const SourceFile& source, FunctionId kernel, ExpressionId expression) {
    return Values(source, kernel).polynomial(expression);
}

}  // namespace optiml::cuda_source
