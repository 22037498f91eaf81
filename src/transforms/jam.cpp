#include "transforms/jam.h"

#include <algorithm>

#include <fmt/format.h>

#include "transforms/accumulator.h"
#include "transforms/loop_independence.h"

namespace optiml::transforms {

using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::VariableId;

namespace {

bool is_control(StatementKind kind) { return kind == StatementKind::for_ || kind == StatementKind::if_ || kind == StatementKind::compound; }

}  // namespace

Jam::Jam(const Context& context, std::size_t kernel, const KernelTree& tree, StatementIds statements, const std::set<VariableId>& varying)
    : context_(context), source_(context.source), kernel_(kernel), tree_(tree), statements_(std::move(statements)), given_(varying),
      varying_(varying) {
    while (add_what_varies()) {
    }
    find_expanded(statements_);
    is_possible_ = check();
}

bool Jam::mentions_varying(ExpressionId expression) const {
    const auto below = cuda_source::expressions_below(source_, expression);
    return std::any_of(below.begin(), below.end(), [&](ExpressionId id) {
        const auto& node = source_.expressions[id];
        return node.kind == ExpressionKind::variable && varying_.contains(node.variable);
    });
}

bool Jam::has_varying_header(StatementId id) const {
    const auto& statement = source_.statements[id];
    const auto varies = [&](ExpressionId expression) { return expression != none && mentions_varying(expression); };
    if (varies(statement.expression) || varies(statement.increment)) return true;
    if (statement.init == none) return false;
    const auto inside = cuda_source::statements_below(source_, statement.init);
    return std::any_of(inside.begin(), inside.end(), [&](StatementId part) {
        const auto expressions = cuda_source::expressions_of(source_, part);
        return std::any_of(expressions.begin(), expressions.end(), varies);
    });
}

// Executed for each element as a whole: everything but loops and branches that are the same for all of them.
bool Jam::is_leaf(StatementId id) const { return !is_control(source_.statements[id].kind) || has_varying_header(id); }

// Differs between elements, or writes memory, which each element does for itself.
bool Jam::is_varying(StatementId id) const {
    for (const StatementId part : cuda_source::statements_below(source_, id)) {
        for (const ExpressionId expression : cuda_source::expressions_of(source_, part)) {
            if (mentions_varying(expression)) return true;
        }
        for (const VariableId variable : source_.statements[part].variables) {
            if (varying_.contains(variable)) return true;
        }
    }
    const auto& accesses = context_.kernels[kernel_].facts.accesses;
    return std::any_of(accesses.begin(), accesses.end(), [&](const cuda_source::Access& access) {
        return (access.writes || access.atomic) && tree_.is_inside(access.statement, id);
    });
}

// Locals that get a value which differs, or get one where it differs whether they do.
bool Jam::add_what_varies() {
    const std::size_t before = varying_.size();
    for (const StatementId top : statements_) {
        for (const StatementId id : cuda_source::statements_below(source_, top)) {
            for (const VariableId variable : source_.statements[id].variables) {
                const ExpressionId value = source_.variables[variable].initializer;
                if (value != none && mentions_varying(value)) varying_.insert(variable);
            }
            bool under_varying = false;
            for (StatementId above = id; above != none && !under_varying; above = source_.statements[above].parent) {
                under_varying = is_control(source_.statements[above].kind) && has_varying_header(above);
            }
            for (const ExpressionId use : tree_.expressions()) {
                const auto& node = source_.expressions[use];
                if (node.kind != ExpressionKind::variable || tree_.statement_of(use) != id || !writes_object(tree_, use)) continue;
                const auto& statement = source_.statements[id];
                if (under_varying || (statement.expression != none && mentions_varying(statement.expression))) varying_.insert(node.variable);
            }
        }
    }
    return varying_.size() != before;
}

Jam::StatementIds Jam::children_of(StatementId id) const {
    const auto& statement = source_.statements[id];
    return statement.kind == StatementKind::compound ? statement.children : StatementIds{id};
}

void Jam::expand_used_outside(const StatementIds& run) {
    const auto in_run = [&](StatementId id) {
        return std::any_of(run.begin(), run.end(), [&](StatementId member) { return tree_.is_inside(id, member); });
    };
    for (const StatementId id : run) {
        for (const VariableId variable : source_.statements[id].variables) {
            const auto uses = tree_.uses_of(variable);
            const bool stays = std::all_of(uses.begin(), uses.end(), [&](ExpressionId use) { return in_run(tree_.statement_of(use)); });
            if (!stays) expanded_.insert(variable);
        }
    }
}

// Consecutive statements that differ form a run; what a run declares for others to use becomes an array.
void Jam::find_expanded(const StatementIds& statements) {
    StatementIds run;
    for (const StatementId id : statements) {
        if (is_varying(id) && is_leaf(id)) {
            run.push_back(id);
            continue;
        }
        expand_used_outside(run);
        run.clear();
        if (!is_varying(id)) continue;
        for (const StatementId child : source_.statements[id].children) find_expanded(children_of(child));
        if (source_.statements[id].kind == StatementKind::compound) find_expanded(source_.statements[id].children);
    }
    expand_used_outside(run);
}

// A statement for each element holds nothing that leaves a loop around it.
bool Jam::check_leaf(StatementId id) const {
    const auto inside = cuda_source::statements_below(source_, id);
    return std::none_of(inside.begin(), inside.end(), [&](StatementId part) {
        const StatementKind kind = source_.statements[part].kind;
        return kind == StatementKind::break_ || kind == StatementKind::continue_ || kind == StatementKind::return_ ||
               kind == StatementKind::inline_assembly || kind == StatementKind::other;
    });
}

bool Jam::check() const {
    for (const VariableId variable : varying_) {
        if (given_.contains(variable)) continue;
        const auto& node = source_.variables[variable];
        const auto kind = source_.types[node.type].kind;
        const StatementId declaration = tree_.declaration_of(variable);
        const bool is_scalar = kind == cuda_source::TypeKind::floating || kind == cuda_source::TypeKind::integer ||
                               kind == cuda_source::TypeKind::boolean || kind == cuda_source::TypeKind::pointer;
        const bool is_own = declaration != none && std::any_of(statements_.begin(), statements_.end(),
                                                               [&](StatementId id) { return tree_.is_inside(declaration, id); });
        if (!is_scalar || !is_own || node.address_taken || node.in_macro) return false;
        const bool is_array = expanded_.contains(variable);
        // Its declaration gives the type: one variable each, written by a pointer or not.
        if (is_array && (source_.statements[declaration].variables.size() != 1 || kind == cuda_source::TypeKind::pointer)) return false;
    }
    for (const StatementId top : statements_) {
        for (const StatementId id : cuda_source::statements_below(source_, top)) {
            if (source_.statements[id].in_macro || (is_varying(id) && is_leaf(id) && !check_leaf(id))) return false;
        }
    }
    return true;
}

bool Jam::saves_loads() const {
    const auto& accesses = context_.kernels[kernel_].facts.accesses;
    return std::any_of(accesses.begin(), accesses.end(), [&](const cuda_source::Access& access) {
        const bool is_inside = std::any_of(statements_.begin(), statements_.end(), [&](StatementId id) { return tree_.is_inside(access.statement, id); });
        return is_inside && access.reads && !access.writes && !access.loops.empty() && is_global(context_, access) &&
               !mentions_varying(access.expression);
    });
}

struct Jam::Writing {
    SourceEdit& edit;
    SourceStyle style;
    std::string element;
    std::int64_t count = 0;
    const std::vector<Declaration>& declarations;
};

std::string Jam::text(SourceEdit& edit, const std::string& element, std::int64_t count, const std::vector<Declaration>& declarations) const {
    for (const VariableId variable : expanded_) {
        const auto& node = source_.variables[variable];
        for (const ExpressionId use : tree_.uses_of(variable)) edit.replace(use, fmt::format("{}[{}]", node.name, element));
        // float sum = 0.0f;  ->  sum[e] = 0.0f;
        const StatementId declaration = tree_.declaration_of(variable);
        if (node.initializer == none) {
            edit.remove(declaration);
        } else {
            edit.replace({source_.statements[declaration].span.begin, node.name_span.end}, fmt::format("{}[{}]", node.name, element));
        }
    }
    Writing writing{edit, style_of(source_, context_.kernels[kernel_].function), element, count, declarations};
    return list_text(statements_, writing);
}

std::string Jam::list_text(const StatementIds& statements, Writing& writing) const {
    std::string text;
    const auto add = [&](const std::string& lines) {
        if (!lines.empty()) text += (text.empty() ? "" : "\n") + lines;
    };
    StatementIds run;
    const auto end_run = [&] {
        if (!run.empty()) add(run_text(run, writing));
        run.clear();
    };
    for (const StatementId id : statements) {
        if (is_varying(id) && is_leaf(id)) {
            run.push_back(id);
            continue;
        }
        end_run();
        add(is_varying(id) ? control_text(id, writing) : writing.edit.take_commented(id, id));
    }
    end_run();
    return text;
}

std::string Jam::run_text(const StatementIds& run, Writing& writing) const {
    std::string arrays;
    std::string body;
    for (const Declaration& declaration : writing.declarations) {
        const bool is_used = std::any_of(run.begin(), run.end(), [&](StatementId id) { return !tree_.uses_of(declaration.variable, id).empty(); });
        if (is_used) body += declaration.text + '\n';
    }
    for (const StatementId id : run) {
        for (const VariableId variable : source_.statements[id].variables) {
            if (!expanded_.contains(variable)) continue;
            const auto& node = source_.variables[variable];
            std::string type(source_.text_of(node.type_span));
            if (type.starts_with("const ")) type.erase(0, 6);
            arrays += fmt::format("{} {}[{}];\n", type, node.name, writing.count);
        }
    }
    body += writing.edit.take_commented(run.front(), run.back());
    const bool is_empty = trimmed(body).empty();
    if (is_empty) return arrays.substr(0, arrays.size() - 1);
    const std::string header = fmt::format("for (int {0} = 0; {0} < {1}; ++{0})", writing.element, writing.count);
    return arrays + "#pragma unroll\n" + writing.style.block_or_line(header, body);
}

std::string Jam::control_text(StatementId id, Writing& writing) const {
    const auto& statement = source_.statements[id];
    if (statement.kind == StatementKind::compound) return writing.style.block("", list_text(statement.children, writing)).substr(1);
    // Short loops around the elements' loops are unrolled with them: addresses then differ by constants.
    constexpr std::int64_t longest_unrolled = 8;
    const auto* loop = context_.kernels[kernel_].facts.loop_at(id);
    const bool is_short = loop != nullptr && loop->trip_count && *loop->trip_count <= longest_unrolled;
    std::string text = is_short && statement.pragma.empty() ? "#pragma unroll\n" : "";
    std::uint32_t begin = span_with_pragma(statement).begin;
    for (const StatementId child : statement.children) {
        const std::string taken = writing.edit.take({begin, source_.statements[child].span.begin});
        const std::string_view header = trimmed(taken);
        if (child != statement.children.front()) text += writing.style.brace_on_own_line ? "\n" : " ";
        text += writing.style.block(header, list_text(children_of(child), writing));
        begin = source_.statements[child].span.end;
    }
    return text;
}

}  // namespace optiml::transforms
