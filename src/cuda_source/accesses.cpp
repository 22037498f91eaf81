#include "cuda_source/accesses.h"

#include <utility>

#include "cuda_source/builtins.h"

namespace optiml::cuda_source {
namespace {

struct Use {
    bool reads = false;
    bool writes = false;
    bool atomic = false;
};
constexpr Use reading{true, false, false};
constexpr Use writing{false, true, false};
constexpr Use updating{true, true, false};
constexpr Use of_address{false, false, false};

// Control never goes on behind the statement.
bool always_leaves(const SourceFile& source, StatementId id) {
    const Statement& statement = source.statements[id];
    switch (statement.kind) {
        case StatementKind::return_:
        case StatementKind::continue_:
        case StatementKind::break_:
            return true;
        case StatementKind::compound:
            return !statement.children.empty() && always_leaves(source, statement.children.back());
        default:
            return false;
    }
}

class Collector {
public:
    Collector(const SourceFile& source, const Values& values, Summaries& summaries)
        : source_(source), values_(values), summaries_(summaries) {}

    void statement(StatementId id);
    CollectedAccesses result;

private:
    struct Condition {
        ExpressionId expression;
        bool negated;
    };

    void loop(StatementId id, const Statement& node);
    void branch(const Statement& node);
    void block(const Statement& node);

    void expression(ExpressionId id, Use use);
    void guarded(ExpressionId condition, bool negated, ExpressionId then, Use use);
    void object(ExpressionId id, Use use);
    void call(ExpressionId id, const Expression& node);
    void builtin_call(ExpressionId id, const Expression& node);
    void argument(ExpressionId id, Use use);
    void own_call(ExpressionId id, const Expression& node);
    void access(ExpressionId id, const Place& place, TypeId type, Use use);
    bool is_memory(VariableId variable) const;
    bool is_address(ExpressionId id) const;

    const SourceFile& source_;
    const Values& values_;
    Summaries& summaries_;
    StatementId statement_ = none;
    std::vector<StatementId> loops_;
    std::vector<Condition> conditions_;
};

void Collector::statement(StatementId id) {
    if (id == none) return;
    const Statement& node = source_.statements[id];
    const StatementId outer = std::exchange(statement_, id);
    switch (node.kind) {
        case StatementKind::compound:
            block(node);
            break;
        case StatementKind::if_:
            branch(node);
            break;
        case StatementKind::for_:
        case StatementKind::while_:
        case StatementKind::do_:
            loop(id, node);
            break;
        case StatementKind::inline_assembly:
            result.effects.inline_assembly = true;
            expression(node.expression, reading);
            break;
        default:
            for (const VariableId variable : node.variables) {
                const TypeId type = source_.variables[variable].type;
                const bool binds = type != none && source_.types[type].kind == TypeKind::reference;
                expression(source_.variables[variable].initializer, binds ? of_address : reading);
            }
            statement(node.init);
            expression(node.expression, reading);
            for (const StatementId child : node.children) statement(child);
            break;
    }
    statement_ = outer;
}

void Collector::block(const Statement& node) {
    const std::size_t known = conditions_.size();
    for (const StatementId child : node.children) {
        statement(child);
        const Statement& part = source_.statements[child];
        if (part.kind != StatementKind::if_ || part.expression == none) continue;
        const bool then_leaves = !part.children.empty() && always_leaves(source_, part.children[0]);
        const bool else_leaves = part.children.size() > 1 && always_leaves(source_, part.children[1]);
        if (then_leaves) conditions_.push_back({part.expression, true});
        if (else_leaves) conditions_.push_back({part.expression, false});
    }
    conditions_.resize(known);
}

void Collector::branch(const Statement& node) {
    statement(node.init);
    expression(node.expression, reading);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (node.expression != none) conditions_.push_back({node.expression, i == 1});
        statement(node.children[i]);
        if (node.expression != none) conditions_.pop_back();
    }
}

void Collector::loop(StatementId id, const Statement& node) {
    statement(node.init);
    loops_.push_back(id);
    expression(node.expression, reading);
    for (const StatementId child : node.children) statement(child);
    expression(node.increment, reading);
    loops_.pop_back();
}

bool Collector::is_memory(VariableId id) const {
    if (id == none) return false;
    const Variable& variable = source_.variables[id];
    switch (variable.storage) {
        case Storage::shared:
        case Storage::dynamic_shared:
        case Storage::constant:
        case Storage::device_global:
        case Storage::managed:
            return true;
        default:
            break;
    }
    const TypeKind kind = variable.type == none ? TypeKind::other : source_.types[variable.type].kind;
    return kind == TypeKind::array || kind == TypeKind::pointer || kind == TypeKind::reference;
}

bool Collector::is_address(ExpressionId id) const {
    const TypeId type = source_.expressions[id].type;
    if (type == none) return false;
    const TypeKind kind = source_.types[type].kind;
    return kind == TypeKind::pointer || kind == TypeKind::array;
}

void Collector::access(ExpressionId id, const Place& place, TypeId type, Use use) {
    if (!use.reads && !use.writes) return;
    if (place.base != none && !is_memory(place.base)) return;
    Access access;
    access.expression = id;
    access.statement = statement_;
    access.base = place.base;
    access.reads = use.reads;
    access.writes = use.writes;
    access.atomic = use.atomic;
    access.index = place.offset;
    access.index_known = place.known && !values_.depends_on_data(place.offset);
    const std::int64_t elements = place.base == none ? 1 : values_.elements_of(type, place.base);
    access.elements = elements > 1 ? static_cast<std::uint32_t>(elements) : 1;
    if (place.subscripts.size() > 1) access.subscripts = place.subscripts;
    access.loops = loops_;
    for (const Condition& condition : conditions_) {
        access.conditions.push_back(condition.expression);
        access.negated.push_back(condition.negated);
    }
    if (place.base == none && use.writes) result.effects.unknown_calls = true;
    result.accesses.push_back(std::move(access));

    if (place.base == none) return;
    const Variable& base = source_.variables[place.base];
    if (base.storage == Storage::dynamic_shared) result.effects.dynamic_shared = true;
    const bool is_visible = base.storage == Storage::parameter || base.function == none;
    if (is_visible && use.reads) result.effects.reads.insert(place.base);
    if (is_visible && use.writes) result.effects.writes.insert(place.base);
    if (is_visible && use.atomic) result.effects.atomic_on.insert(place.base);
}

void Collector::guarded(ExpressionId condition, bool negated, ExpressionId then, Use use) {
    conditions_.push_back({condition, negated});
    expression(then, use);
    conditions_.pop_back();
}

void Collector::expression(ExpressionId id, Use use) {
    if (id == none) return;
    const Expression& node = source_.expressions[id];
    switch (node.kind) {
        case ExpressionKind::variable:
        case ExpressionKind::subscript:
        case ExpressionKind::member:
            return object(id, use);
        case ExpressionKind::unary:
            if (node.op == "*") return object(id, use);
            if (node.op == "&") return expression(node.children[0], of_address);
            return expression(node.children[0], node.op.size() >= 2 ? updating : reading);
        case ExpressionKind::assignment:
            expression(node.children[1], reading);
            return expression(node.children[0], node.op == "=" ? writing : updating);
        case ExpressionKind::binary:
            expression(node.children[0], reading);
            if (node.op == "&&" || node.op == "||") return guarded(node.children[0], node.op == "||", node.children[1], reading);
            return expression(node.children[1], reading);
        case ExpressionKind::conditional:
            expression(node.children[0], reading);
            guarded(node.children[0], false, node.children[1], use);
            return guarded(node.children[0], true, node.children[2], use);
        case ExpressionKind::cast:
            if (node.children.size() == 1) return expression(node.children[0], use);
            break;
        case ExpressionKind::call:
        case ExpressionKind::member_call:
            return call(id, node);
        case ExpressionKind::sizeof_:
            return;
        case ExpressionKind::lambda:
            result.effects.unknown_calls = true;
            break;
        default:
            break;
    }
    for (const ExpressionId child : node.children) argument(child, source_.expressions[child].by_reference ? updating : reading);
}

// An lvalue: the memory it names, and whatever is read to find it.
void Collector::object(ExpressionId id, Use use) {
    const Expression& node = source_.expressions[id];
    if (node.kind == ExpressionKind::variable) {
        if (node.variable == none || is_address(id)) return;  // pointers in registers; arrays are accessed by their elements
        const Variable& variable = source_.variables[node.variable];
        if (is_memory(node.variable) || variable.storage == Storage::shared) access(id, values_.lvalue(id), node.type, use);
        return;
    }
    if (node.kind == ExpressionKind::member && node.op != "->") {
        if (!node.children.empty()) expression(node.children[0], use);
        return;
    }
    if (node.children.empty()) return;
    const bool is_part_of_array = node.type != none && source_.types[node.type].kind == TypeKind::array;
    if (node.kind == ExpressionKind::subscript) expression(node.children[1], reading);
    const bool base_is_array =
        is_address(node.children[0]) && source_.types[source_.expressions[node.children[0]].type].kind == TypeKind::array;
    expression(node.children[0], base_is_array ? of_address : reading);
    if (!is_part_of_array) access(id, values_.lvalue(id), node.type, use);
}

void Collector::call(ExpressionId id, const Expression& node) {
    if (node.function == none) {
        builtin_call(id, node);
    } else {
        own_call(id, node);
    }
}

// A value, or an address behind which `use` may happen anywhere.
void Collector::argument(ExpressionId id, Use use) {
    const Expression& node = source_.expressions[id];
    if (node.by_reference) return expression(id, use);
    expression(id, reading);
    if (!is_address(id) || node.kind == ExpressionKind::string_literal) return;
    Place place = values_.pointee(id);
    place.known = false;
    if (place.base == none || is_memory(place.base)) access(id, place, none, use);
}

void Collector::builtin_call(ExpressionId id, const Expression& node) {
    Effects& effects = result.effects;
    const CallEffect effect = effect_of_builtin(node);
    effects.barrier |= effect == CallEffect::barrier;
    effects.warp_primitives |= effect == CallEffect::warp;
    effects.atomics |= effect == CallEffect::atomic;
    effects.unknown_calls |= effect == CallEffect::unknown;
    const bool on_pointer = effect == CallEffect::atomic || effect == CallEffect::load || effect == CallEffect::store;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        if (i != 0 || !on_pointer || !is_address(node.children[0])) {
            const bool may_write = effect == CallEffect::unknown || effect == CallEffect::outputs;
            argument(node.children[i], may_write ? updating : reading);
            continue;
        }
        for (std::size_t later = 1; later < node.children.size(); ++later) expression(node.children[later], reading);
        expression(node.children[0], reading);
        const TypeId pointer = source_.expressions[node.children[0]].type;
        const Use use{effect != CallEffect::store, effect != CallEffect::load, effect == CallEffect::atomic};
        access(id, values_.pointee(node.children[0]), source_.types[pointer].element, use);
        return;
    }
}

void Collector::own_call(ExpressionId id, const Expression& node) {
    const Effects& callee = summaries_.of(node.function);
    const std::vector<VariableId>& parameters = source_.functions[node.function].parameters;
    result.effects.include(callee);
    const std::size_t first = node.kind == ExpressionKind::member_call ? 1 : 0;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        Use use = updating;
        if (i >= first && i - first < parameters.size()) {
            const VariableId parameter = parameters[i - first];
            use = {callee.reads.count(parameter) != 0, callee.writes.count(parameter) != 0, callee.atomic_on.count(parameter) != 0};
            if (callee.unknown_calls) use = updating;
        }
        argument(node.children[i], use);
    }
    for (VariableId variable = 0; variable < source_.variables.size(); ++variable) {
        if (source_.variables[variable].function != none) continue;
        const Use use{callee.reads.count(variable) != 0, callee.writes.count(variable) != 0, callee.atomic_on.count(variable) != 0};
        access(id, Place{variable, {}, false, {}}, none, use);
    }
}

}  // namespace

void Effects::include(const Effects& callee) {
    barrier |= callee.barrier;
    warp_primitives |= callee.warp_primitives;
    atomics |= callee.atomics;
    inline_assembly |= callee.inline_assembly;
    unknown_calls |= callee.unknown_calls;
    dynamic_shared |= callee.dynamic_shared;
}

const Effects& Summaries::of(FunctionId function) {
    const auto known = known_.find(function);
    if (known != known_.end()) return known->second;
    Effects effects;
    if (source_.functions[function].body == none || open_.count(function) != 0) {
        effects.unknown_calls = true;
        if (open_.count(function) != 0) return known_[function] = effects;
    } else {
        open_.insert(function);
        const Values values(source_, function);
        effects = collect_accesses(source_, function, values, *this).effects;
        open_.erase(function);
    }
    return known_[function] = effects;
}

CollectedAccesses collect_accesses(const SourceFile& source, FunctionId function, const Values& values, Summaries& summaries) {
    Collector collector(source, values, summaries);
    collector.statement(source.functions[function].body);
    return std::move(collector.result);
}

}  // namespace optiml::cuda_source
