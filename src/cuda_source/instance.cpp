#include "cuda_source/instance.h"

#include <algorithm>

#include <fmt/format.h>

namespace optiml::cuda_source {
namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

bool is_cast_to_unsigned(const SourceFile& source, ExpressionId id) {
    const Expression& node = source.expressions[id];
    if (node.kind != ExpressionKind::cast || node.implicit || node.type == none || node.children.size() != 1) return false;
    const TypeId from = source.expressions[node.children[0]].type;
    return !source.types[node.type].is_signed && from != none && source.types[from].is_signed;
}

}  // namespace

Instance::Instance(const KernelModel& model, System& system, const Access& access, std::string suffix)
    : model_(model), system_(system), access_(access), suffix_(std::move(suffix)) {
    add_thread_coordinates();
    for (const StatementId loop : access.loops) add_loop(loop);
    for (std::size_t i = 0; i < access.conditions.size(); ++i) add_condition(access.conditions[i], !access.negated[i]);
}

std::string Instance::new_variable(std::string name) {
    name += suffix_;
    system_.variables.push_back(name);
    return name;
}

void Instance::add_thread_coordinates() {
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const std::int64_t extent = model_.shape.block[axis];
        const std::string block = new_variable(fmt::format("b{}", axis_names[axis]));
        const std::string thread = new_variable(fmt::format("t{}", axis_names[axis]));
        names_[KernelModel::block(axis)] = block;
        names_[KernelModel::thread(axis)] = thread;
        block_.push_back(block);
        thread_.push_back(thread);
        system_.add(fmt::format("0 <= {} and 0 <= {}", block, thread));
        if (const auto grid = affine(Polynomial(Symbol::of_builtin(BuiltinIndex::grid_dim, axis)))) {
            system_.add(fmt::format("{} < {}", block, *grid));
        }
        if (const auto bound = affine(Polynomial(Symbol::of_builtin(BuiltinIndex::block_dim, axis)))) {
            system_.add(fmt::format("{} < {}", thread, *bound));
        }
        if (extent > 0) continue;
        exact_ = false;
        const std::string global = new_variable(fmt::format("g{}", axis_names[axis]));
        names_[KernelModel::global_index(axis)] = global;
        system_.add(fmt::format("{} <= {}", thread, global));
    }
}

std::optional<std::string> Instance::loop_variable(StatementId loop) const {
    const auto found = loop_variables_.find(loop);
    return found == loop_variables_.end() ? std::nullopt : std::optional(found->second);
}

void Instance::add_loop(StatementId id) {
    if (const CanonicalLoop* counting = model_.facts.loop_at(id)) return add_counting_loop(*counting);
    exact_ = false;
    const GeometricLoop* geometric = model_.geometric_loop_at(id);
    if (geometric == nullptr) return;
    const std::string variable = new_variable(fmt::format("l{}_", id));
    names_[Symbol::of_variable(geometric->variable)] = variable;
    loop_variables_[id] = variable;
    const auto first = affine(model_.values.polynomial(geometric->first));
    const auto bound = affine(model_.values.polynomial(geometric->bound));
    if (first) system_.add(fmt::format("{} {} {}", variable, geometric->divides ? "<=" : ">=", *first));
    if (bound) system_.add(fmt::format("{} {} {}", variable, geometric->comparison == "!=" ? ">" : geometric->comparison, *bound));
}

void Instance::add_counting_loop(const CanonicalLoop& loop) {
    const std::string variable = new_variable(fmt::format("l{}_", loop.statement));
    const Polynomial first = model_.values.polynomial(loop.first);
    const Polynomial step = loop.step ? Polynomial(*loop.step) : model_.reduced(model_.values.polynomial(loop.step_expression));
    const auto first_text = affine(first);  // before the variable gets its name: it may be reused within its own start
    const auto bound_text = affine(model_.values.polynomial(loop.bound));
    names_[Symbol::of_variable(loop.variable)] = variable;
    loop_variables_[loop.statement] = variable;
    const bool upwards = !step.is_constant() || step.constant() > 0;
    if (bound_text) {
        system_.add(fmt::format("{} {} {}", variable,
                                loop.comparison != "!=" ? loop.comparison
                                : upwards               ? "<"
                                                        : ">",
                                *bound_text));
    } else {
        exact_ = false;
    }
    if (first_text) {
        system_.add(fmt::format("{} {} {}", variable, upwards ? ">=" : "<=", *first_text));
    } else {
        exact_ = false;
    }
    if (loop.has_break) exact_ = false;
    if (!step.is_constant()) return add_symbolic_step(loop, variable, first, step);
    if (first_text && step.constant() != 1 && step.constant() != -1) {
        const std::string count = new_variable(fmt::format("k{}_", loop.statement));
        system_.add(fmt::format("{} = {} + {} * {}", variable, *first_text, step.constant(), count));
    }
}

// first = offset + (number of the thread among S), step = S: threads share the iterations out among themselves.
void Instance::add_symbolic_step(const CanonicalLoop& loop, const std::string& variable, const Polynomial& first,
                                 const Polynomial& step) {
    exact_ = false;
    const Polynomial start = model_.reduced(first);
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const Polynomial block(KernelModel::block(axis));
        const Polynomial thread(KernelModel::thread(axis));
        const Polynomial threads(Symbol::of_builtin(BuiltinIndex::block_dim, axis));
        const Polynomial blocks(Symbol::of_builtin(BuiltinIndex::grid_dim, axis));
        const struct {
            Polynomial number;
            Polynomial count;
            std::vector<std::string> owners;
        } sharings[] = {{block * threads + thread, blocks * threads, {block_[axis], thread_[axis]}},
                        {thread, threads, {thread_[axis]}},
                        {block, blocks, {block_[axis]}}};
        for (const auto& sharing : sharings) {
            const Polynomial offset = start - model_.reduced(sharing.number);
            if (model_.reduced(sharing.count) != step || !model_.depends_on_parameters_only(offset)) continue;
            strides_.push_back({loop.statement, variable, offset, step, sharing.owners});
            return;
        }
    }
}

void Instance::add_condition(ExpressionId condition, bool wanted) {
    if (const auto text = condition_text(condition, wanted)) {
        system_.add(*text);
    } else {
        exact_ = false;
    }
}

// Constraints that hold where the condition has the wanted value; parts that are not affine are left out. nullopt: nothing is
// known.
std::optional<std::string> Instance::condition_text(ExpressionId id, bool wanted) {
    const Expression& node = model_.source.expressions[id];
    if (node.constant) return (*node.constant != 0) == wanted ? "1 = 1" : "1 = 0";
    if (node.kind == ExpressionKind::cast && node.children.size() == 1) return condition_text(node.children[0], wanted);
    if (node.kind == ExpressionKind::unary && node.op == "!") return condition_text(node.children[0], !wanted);
    if (node.kind == ExpressionKind::variable && node.variable != none && ++depth_ < 50) {  // bool inside = ...;
        const ExpressionId value = model_.values.definition(node.variable);
        if (value != none) return condition_text(value, wanted);
    }
    if (node.kind != ExpressionKind::binary) return std::nullopt;
    if (node.op == "&&" || node.op == "||") {
        const auto left = condition_text(node.children[0], wanted);
        auto right = condition_text(node.children[1], wanted);
        if ((node.op == "&&") == wanted) {
            if (!left || !right) exact_ = false;
            if (!left) return right;
            return right ? fmt::format("({}) and ({})", *left, *right) : left;
        }
        if (!left || !right) return std::nullopt;
        return fmt::format("({}) or ({})", *left, *right);
    }
    static const std::map<std::string, std::pair<const char*, const char*>> comparisons = {
        {"<", {"<", ">="}}, {"<=", {"<=", ">"}}, {">", {">", "<="}}, {">=", {">=", "<"}}, {"==", {"=", "!="}}, {"!=", {"!=", "="}}};
    const auto comparison = comparisons.find(node.op);
    if (comparison == comparisons.end()) return std::nullopt;
    const TypeId type = model_.source.expressions[node.children[0]].type;
    if (type == none || model_.source.types[type].kind != TypeKind::integer) return std::nullopt;
    const auto left = affine(model_.values.polynomial(node.children[0]));
    const auto right = affine(model_.values.polynomial(node.children[1]));
    if (!left || !right) return std::nullopt;
    // (unsigned)i < n also says that i is not negative.
    const bool less = node.op == "<" || node.op == "<=";
    if (is_cast_to_unsigned(model_.source, node.children[less ? 0 : 1]) && node.op != "==" && node.op != "!=") {
        const std::string& small = less ? *left : *right;
        const std::string inside = fmt::format("0 <= {} and {} {} {}", small, *left, node.op, *right);
        return wanted ? inside : fmt::format("not ({})", inside);
    }
    return fmt::format("{} {} {}", *left, wanted ? comparison->second.first : comparison->second.second, *right);
}

std::optional<std::string> Instance::affine(const Polynomial& polynomial) {
    if (!polynomial.is_valid()) return std::nullopt;
    const Polynomial reduced = model_.reduced(polynomial);
    std::string text;
    for (const auto& [product, coefficient] : reduced.terms) {
        std::optional<std::string> name;
        if (product.empty()) {
            name.emplace(1, '1');
        } else if (std::all_of(product.begin(), product.end(), [&](const Symbol& symbol) { return model_.is_parameter(symbol); })) {
            name = parameter_name(product);
        } else if (product.size() == 1) {
            name = name_of(product.front());
        }
        if (!name) return std::nullopt;
        text += fmt::format("{}{} * {}", text.empty() ? "" : " + ", coefficient, *name);
    }
    return text.empty() ? "0" : "(" + text + ")";
}

// A product of parameters is a parameter of its own; that it is a product is forgotten.
std::optional<std::string> Instance::parameter_name(const std::vector<Symbol>& product) {
    if (product.size() == 1 && product.front().kind == Symbol::Kind::opaque) return name_of(product.front());
    std::string name = "p";
    for (const Symbol& symbol : product) {
        switch (symbol.kind) {
            case Symbol::Kind::builtin:
                name += fmt::format("_{}{}", symbol.builtin == BuiltinIndex::grid_dim ? "grid" : "block", axis_names[symbol.axis]);
                break;
            case Symbol::Kind::variable:
                name += fmt::format("_v{}", symbol.variable);
                break;
            case Symbol::Kind::opaque:
                name += fmt::format("_e{}", symbol.expression);
                break;
        }
    }
    if (product.size() > 1) exact_ = false;
    if (!system_.parameters.insert(name).second || product.size() != 1) return name;
    const Symbol& symbol = product.front();
    if (symbol.kind == Symbol::Kind::builtin) system_.add(fmt::format("{} >= 1", name));
    if (symbol.kind == Symbol::Kind::variable) {
        const auto minimum = model_.shape.minimums.find(symbol.variable);
        if (minimum != model_.shape.minimums.end()) system_.add(fmt::format("{} >= {}", name, minimum->second));
    }
    return name;
}

std::optional<std::string> Instance::name_of(const Symbol& symbol) {
    const auto known = names_.find(symbol);
    if (known != names_.end()) return known->second;
    if (symbol.kind == Symbol::Kind::opaque) return opaque_name(symbol);
    if (symbol.kind == Symbol::Kind::builtin) return std::nullopt;
    // A local without a definition that we know: some value.
    exact_ = false;
    return names_[symbol] = new_variable(fmt::format("v{}_", symbol.variable));
}

std::optional<std::string> Instance::opaque_name(const Symbol& symbol) {
    if (symbol.expression == none || ++depth_ > 200) return std::nullopt;
    std::string name = fmt::format("e{}_", symbol.expression);
    const bool is_parameter = model_.is_parameter(symbol);
    if (is_parameter) {
        name = "p_" + name;
        names_[symbol] = name;
        if (!system_.parameters.insert(name).second) return name;  // the other instance has defined it
    } else {
        name = names_[symbol] = new_variable(name);
    }
    if (!define_opaque(model_.source.expressions[symbol.expression], name)) exact_ = false;
    return name;
}

// Says what the variable is worth, where that can be said with floor: quotients, remainders, shifts, masks, min, max and ?:.
bool Instance::define_opaque(const Expression& node, const std::string& name) {
    if (node.children.size() < 2) return false;
    const auto left = affine(model_.values.polynomial(node.children[0]));
    const auto right = affine(model_.values.polynomial(node.children[1]));
    if (node.kind == ExpressionKind::call && (node.name == "min" || node.name == "max") && left && right) {
        const char* order = node.name == "min" ? "<=" : ">=";
        system_.add(fmt::format("({0} = {1} and {1} {3} {2}) or ({0} = {2} and {2} {3} {1})", name, *left, *right, order));
        return true;
    }
    if (node.kind == ExpressionKind::conditional) {
        const auto other = affine(model_.values.polynomial(node.children[2]));
        const bool was_exact = exact_;
        const auto holds = condition_text(node.children[0], true);
        const auto fails = condition_text(node.children[0], false);
        if (!right || !other || !holds || !fails || exact_ != was_exact) return false;
        system_.add(fmt::format("(({1}) and {0} = {2}) or (({3}) and {0} = {4})", name, *holds, *right, *fails, *other));
        return true;
    }
    const Polynomial divisor = model_.reduced(model_.values.polynomial(node.children[1]));
    if (node.kind != ExpressionKind::binary || !left || !divisor.is_constant()) return false;
    const std::int64_t amount = divisor.constant();
    if (node.op == "/" && amount > 0) {  // rounds towards zero
        system_.add(
            fmt::format("({1} >= 0 and {0} = floor({1}/{2})) or ({1} < 0 and {0} = -floor((-{1})/{2}))", name, *left, amount));
        return true;
    }
    if (node.op == "%" && amount > 0) {
        system_.add(
            fmt::format("({1} >= 0 and {0} = {1} - {2} * floor({1}/{2})) or ({1} < 0 and {0} = {1} + {2} * floor((-{1})/{2}))",
                        name, *left, amount));
        return true;
    }
    if (node.op == ">>" && amount >= 0 && amount < 31) {
        system_.add(fmt::format("{} = floor({}/{})", name, *left, std::int64_t{1} << amount));
        return true;
    }
    const bool is_mask = amount >= 0 && amount < INT32_MAX && (amount & (amount + 1)) == 0;
    if (node.op == "&" && is_mask) {
        system_.add(fmt::format("{0} = {1} - {2} * floor({1}/{2})", name, *left, amount + 1));
        return true;
    }
    return false;
}

}  // namespace optiml::cuda_source
