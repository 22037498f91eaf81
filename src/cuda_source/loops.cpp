#include "cuda_source/loops.h"

#include <algorithm>
#include <utility>

#include "cuda_source/builtins.h"

namespace optiml::cuda_source {
namespace {

struct Header {
    StatementId statement = none;
    VariableId variable = none;
    ExpressionId first = none;
    ExpressionId bound = none;
    std::string comparison;
    std::string step_operator;            // "+" "-" "*" "/" ">>" "<<"
    ExpressionId step_expression = none;  // none: 1
    StatementId body = none;
};

std::string mirrored(const std::string& comparison) {
    if (comparison == "<") return ">";
    if (comparison == "<=") return ">=";
    if (comparison == ">") return "<";
    if (comparison == ">=") return "<=";
    return comparison;
}

class HeaderReader {
public:
    explicit HeaderReader(const SourceFile& source) : source_(source) {}

    std::optional<Header> read(StatementId id) {
        const Statement& loop = source_.statements[id];
        if (loop.kind != StatementKind::for_ || loop.init == none || loop.expression == none || loop.increment == none) {
            return std::nullopt;
        }
        header_ = {};
        header_.statement = id;
        header_.body = loop.children.empty() ? none : loop.children.front();
        if (!read_init(loop.init) || !read_condition(loop.expression) || !read_step(loop.increment)) return std::nullopt;
        return header_;
    }

private:
    bool names_variable(ExpressionId id) const {
        while (id != none && source_.expressions[id].kind == ExpressionKind::cast && source_.expressions[id].implicit) {
            id = source_.expressions[id].children[0];
        }
        return id != none && source_.expressions[id].kind == ExpressionKind::variable &&
               source_.expressions[id].variable == header_.variable;
    }

    bool read_init(StatementId id) {
        const Statement& init = source_.statements[id];
        if (init.kind == StatementKind::declaration && init.variables.size() == 1) {
            header_.variable = init.variables.front();
            header_.first = source_.variables[header_.variable].initializer;
        } else if (init.kind == StatementKind::expression) {
            const Expression& assignment = source_.expressions[init.expression];
            if (assignment.kind != ExpressionKind::assignment || assignment.op != "=") return false;
            header_.variable = source_.expressions[assignment.children[0]].variable;
            header_.first = assignment.children[1];
        }
        if (header_.variable == none || header_.first == none) return false;
        const TypeId type = source_.variables[header_.variable].type;
        return type != none && source_.types[type].kind == TypeKind::integer;
    }

    bool read_condition(ExpressionId id) {
        const Expression& condition = source_.expressions[id];
        if (condition.kind != ExpressionKind::binary || condition.children.size() != 2) return false;
        static const std::string comparisons[] = {"<", "<=", ">", ">=", "!="};
        if (std::find(std::begin(comparisons), std::end(comparisons), condition.op) == std::end(comparisons)) return false;
        const bool on_left = names_variable(condition.children[0]);
        if (!on_left && !names_variable(condition.children[1])) return false;
        header_.comparison = on_left ? condition.op : mirrored(condition.op);
        header_.bound = condition.children[on_left ? 1 : 0];
        return true;
    }

    bool read_step(ExpressionId id) {
        const Expression& step = source_.expressions[id];
        if (step.children.empty() || !names_variable(step.children[0])) return false;
        if (step.kind == ExpressionKind::unary && step.op.size() >= 2) {
            header_.step_operator = std::string(1, step.op.back());
            return true;
        }
        if (step.kind != ExpressionKind::assignment) return false;
        if (step.op != "=") {
            header_.step_operator = step.op.substr(0, step.op.size() - 1);
            header_.step_expression = step.children[1];
            return true;
        }
        ExpressionId value = step.children[1];
        while (source_.expressions[value].kind == ExpressionKind::cast && source_.expressions[value].implicit) {
            value = source_.expressions[value].children[0];
        }
        const Expression& sum = source_.expressions[value];
        if (sum.kind != ExpressionKind::binary) return false;
        const bool on_left = names_variable(sum.children[0]);
        const bool commutes = sum.op == "+" || sum.op == "*";
        if (!on_left && !(commutes && names_variable(sum.children[1]))) return false;
        header_.step_operator = sum.op;
        header_.step_expression = sum.children[on_left ? 1 : 0];
        return true;
    }

    const SourceFile& source_;
    Header header_;
};

struct Exits {
    bool has_break = false;
    bool has_barrier = false;
};

Exits exits_of(const SourceFile& source, StatementId body, Summaries& summaries) {
    Exits exits;
    for (const StatementId id : statements_below(source, body)) {
        const Statement& statement = source.statements[id];
        if (statement.kind == StatementKind::return_ || statement.kind == StatementKind::other) exits.has_break = true;
        if (statement.kind == StatementKind::break_) {
            StatementId target = statement.parent;  // the loop or switch that it leaves
            for (; target != none; target = source.statements[target].parent) {
                const StatementKind kind = source.statements[target].kind;
                const bool takes_it = kind == StatementKind::for_ || kind == StatementKind::while_ || kind == StatementKind::do_ ||
                                      kind == StatementKind::switch_;
                if (takes_it) break;
            }
            if (target == none || target == source.statements[body].parent) exits.has_break = true;
        }
        for (const ExpressionId part : expressions_of(source, id)) {
            const Expression& call = source.expressions[part];
            if (call.kind != ExpressionKind::call && call.kind != ExpressionKind::member_call) continue;
            exits.has_barrier |=
                call.function != none ? summaries.of(call.function).barrier : effect_of_builtin(call) == CallEffect::barrier;
        }
    }
    return exits;
}

class Classifier {
public:
    Classifier(const SourceFile& source, const Values& values, Summaries& summaries, KernelFacts& facts)
        : source_(source), values_(values), summaries_(summaries), facts_(facts) {}

    void add(StatementId id) {
        const std::optional<Header> header = HeaderReader(source_).read(id);
        if (header && add_counting(*header)) return;
        facts_.other_loops.push_back(id);
        if (header) add_geometric(*header);
    }

private:
    bool writes_only_by_header(const Header& header) const {
        return header.body == none || !values_.is_written_in(header.variable, header.body);
    }

    // The expression has the same value in every iteration.
    bool is_invariant(ExpressionId root, StatementId loop) const {
        for (const ExpressionId id : expressions_below(source_, root)) {
            const Expression& part = source_.expressions[id];
            switch (part.kind) {
                case ExpressionKind::assignment:
                case ExpressionKind::member_call:
                case ExpressionKind::lambda:
                case ExpressionKind::other:
                    return false;
                case ExpressionKind::call:
                    if (!part.takes_values_only || effect_of_builtin(part) != CallEffect::none) return false;
                    break;
                case ExpressionKind::variable:
                    if (part.variable != none && values_.is_written_in(part.variable, loop)) return false;
                    break;
                case ExpressionKind::unary:
                    if (part.op == "++" || part.op == "--" || part.op == "p++" || part.op == "p--") return false;
                    break;
                default:
                    break;
            }
            if (part.kind == ExpressionKind::subscript || (part.kind == ExpressionKind::unary && part.op == "*")) {
                if (is_written_memory(id, loop)) return false;
            }
        }
        return true;
    }

    // Some write inside the loop may reach what the expression reads.
    bool is_written_memory(ExpressionId read, StatementId loop) const {
        const Place place = values_.lvalue(read);
        if (place.base == none || facts_.calls_unknown) return true;
        return std::any_of(facts_.accesses.begin(), facts_.accesses.end(), [&](const Access& access) {
            const bool inside = std::find(access.loops.begin(), access.loops.end(), loop) != access.loops.end();
            return inside && access.writes && (access.base == none || access.base == place.base);
        });
    }

    std::optional<std::int64_t> constant(ExpressionId id) const {
        if (id == none) return std::nullopt;
        const Polynomial value = values_.polynomial(id);
        return value.is_constant() ? std::optional(value.constant()) : std::nullopt;
    }

    bool add_counting(const Header& header) {
        if (header.step_operator != "+" && header.step_operator != "-") return false;
        if (!writes_only_by_header(header) || !is_invariant(header.bound, header.statement)) return false;
        CanonicalLoop loop;
        if (header.step_expression == none) {
            loop.step = header.step_operator == "+" ? 1 : -1;
        } else {
            if (!is_invariant(header.step_expression, header.statement)) return false;
            loop.step = constant(header.step_expression);
            if (!loop.step && header.step_operator == "-") return false;
            if (loop.step && header.step_operator == "-") loop.step = -*loop.step;
            if (!loop.step) loop.step_expression = header.step_expression;
        }
        // A loop that runs away from its bound, or stands still, is no counting loop.
        if (loop.step && !approaches(header.comparison, *loop.step)) return false;
        if (!loop.step && header.comparison != "<" && header.comparison != "<=") return false;
        describe(header, loop);
        facts_.loops.push_back(std::move(loop));
        return true;
    }

    // All but the step, which must be known by then.
    template <class Loop>
    void describe(const Header& header, Loop& loop) const {
        loop.statement = header.statement;
        loop.variable = header.variable;
        loop.first = header.first;
        loop.bound = header.bound;
        loop.comparison = header.comparison;
        loop.body = header.body;
        loop.trip_count = trip_count(loop);
        const Exits exits = exits_of(source_, header.body, summaries_);
        loop.has_break = exits.has_break;
        loop.has_barrier = exits.has_barrier;
    }

    static bool approaches(const std::string& comparison, std::int64_t step) {
        if (comparison == "!=") return step == 1 || step == -1;
        return comparison[0] == '<' ? step > 0 : step < 0;
    }

    std::optional<std::int64_t> trip_count(const CanonicalLoop& loop) const {
        if (!loop.step) return std::nullopt;
        const Polynomial distance = values_.polynomial(loop.bound) - values_.polynomial(loop.first);
        if (!distance.is_constant()) return std::nullopt;
        const std::int64_t inclusive = loop.comparison == "<=" || loop.comparison == ">=" ? 1 : 0;
        const std::int64_t way = *loop.step > 0 ? distance.constant() + inclusive : -distance.constant() + inclusive;
        const std::int64_t stride = *loop.step > 0 ? *loop.step : -*loop.step;
        return way <= 0 ? 0 : (way + stride - 1) / stride;
    }

    void add_geometric(const Header& header) {
        const std::string& op = header.step_operator;
        const std::optional<std::int64_t> amount = constant(header.step_expression);
        if (!amount || *amount < 1 || *amount > 32 || !writes_only_by_header(header)) return;
        GeometricLoop loop;
        if (op == ">>" || op == "<<") {
            loop.factor = std::int64_t{1} << *amount;
        } else if ((op == "/" || op == "*") && *amount > 1) {
            loop.factor = *amount;
        } else {
            return;
        }
        loop.divides = op == ">>" || op == "/";
        if (!is_invariant(header.bound, header.statement)) return;
        describe(header, loop);
        facts_.geometric_loops.push_back(std::move(loop));
    }

    std::optional<std::int64_t> trip_count(const GeometricLoop& loop) const {
        const auto first = constant(loop.first);
        const auto bound = constant(loop.bound);
        if (!first || !bound) return std::nullopt;
        const auto goes_on = [&](std::int64_t value) {
            if (loop.comparison == "<") return value < *bound;
            if (loop.comparison == "<=") return value <= *bound;
            if (loop.comparison == ">") return value > *bound;
            if (loop.comparison == ">=") return value >= *bound;
            return value != *bound;
        };
        std::int64_t count = 0;
        for (std::int64_t value = *first; goes_on(value); ++count) {
            if (count > 64) return std::nullopt;
            if (loop.divides) {
                value /= loop.factor;
            } else if (__builtin_mul_overflow(value, loop.factor, &value)) {
                return std::nullopt;
            }
        }
        return count;
    }

    const SourceFile& source_;
    const Values& values_;
    Summaries& summaries_;
    KernelFacts& facts_;
};

}  // namespace

void classify_loops(const SourceFile& source, const Values& values, Summaries& summaries, KernelFacts& facts) {
    Classifier classifier(source, values, summaries, facts);
    for (const StatementId id : values.statements()) {
        const StatementKind kind = source.statements[id].kind;
        if (kind == StatementKind::for_ || kind == StatementKind::while_ || kind == StatementKind::do_) classifier.add(id);
    }
}

}  // namespace optiml::cuda_source
