#include "transforms/vector_group.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cuda_source/substitution.h"
#include "transforms/aliasing.h"
#include "transforms/loop_independence.h"
#include "transforms/polynomial_text.h"

namespace optiml::transforms {
namespace {

using cuda_source::Access;
using cuda_source::ExpressionId;
using cuda_source::ExpressionKind;
using cuda_source::none;
using cuda_source::Polynomial;
using cuda_source::StatementId;
using cuda_source::StatementKind;
using cuda_source::Symbol;
using cuda_source::Type;
using cuda_source::TypeKind;

bool is_inside_iteration(const KernelTree& tree, const Iteration& iteration, StatementId statement) {
    return std::any_of(iteration.statements.begin(), iteration.statements.end(),
                       [&](StatementId id) { return tree.is_inside(statement, id); });
}

// Executed exactly once in every iteration: in one of its statements or in a plain block, and in no operand that may be skipped.
bool is_unconditional(const KernelTree& tree, const Iteration& iteration, ExpressionId id) {
    const auto& source = tree.source();
    StatementId statement = tree.statement_of(id);
    if (source.statements[statement].kind != StatementKind::expression && source.statements[statement].kind != StatementKind::declaration) {
        return false;
    }
    while (std::find(iteration.statements.begin(), iteration.statements.end(), statement) == iteration.statements.end()) {
        statement = source.statements[statement].parent;
        if (statement == none || source.statements[statement].kind != StatementKind::compound) return false;
    }
    for (ExpressionId above = tree.parent(id); above != none; id = above, above = tree.parent(id)) {
        const cuda_source::Expression& node = source.expressions[above];
        const bool may_skip = (node.kind == ExpressionKind::conditional || (node.kind == ExpressionKind::binary && (node.op == "&&" || node.op == "||"))) &&
                              node.children[0] != id;
        if (may_skip) return false;
    }
    return true;
}

bool holds_symbol_of(const Polynomial& polynomial, const Polynomial& counter) {
    for (const auto& [symbols, coefficient] : counter.terms) {
        for (const Symbol& symbol : symbols) {
            if (polynomial.depends_on(symbol)) return true;
        }
    }
    return false;
}

// What is left when the counter is taken from the index, if nothing of it remains.
std::optional<Polynomial> offset_of(const Polynomial& index, const Polynomial& counter, bool reversed) {
    Polynomial offset = reversed ? index + counter : index - counter;
    return holds_symbol_of(offset, counter) ? std::nullopt : std::optional(std::move(offset));
}

// The same before the iteration's statements as within: made of nothing that they declare or compute.
bool is_known_before(const KernelTree& tree, const Iteration& iteration, const Polynomial& offset) {
    for (const auto& [symbols, coefficient] : offset.terms) {
        for (const Symbol& symbol : symbols) {
            StatementId statement = none;
            if (symbol.kind == Symbol::Kind::opaque && symbol.expression == none) return false;
            if (symbol.kind == Symbol::Kind::opaque) statement = tree.statement_of(symbol.expression);
            if (symbol.kind == Symbol::Kind::variable) statement = tree.declaration_of(symbol.variable);
            if (statement != none && is_inside_iteration(tree, iteration, statement)) return false;
        }
    }
    return true;
}

// "row * cols + 0": "row * cols"; "0": "".
std::string without_zero(std::string text) {
    if (text == "0") return "";
    for (const std::string_view zero : {" + 0", " - 0"}) {
        if (text.ends_with(zero)) text.erase(text.size() - zero.size());
    }
    return text.starts_with("0 + ") ? text.substr(4) : text;
}

// The pointer in base[...] as text, where the pointer is a variable from outside the iteration.
bool has_outer_base(const KernelTree& tree, const Iteration& iteration, ExpressionId base) {
    const cuda_source::Expression& node = tree.source().expressions[without_implicit_casts(tree.source(), base)];
    if (node.kind != ExpressionKind::variable || tree.source().variables[node.variable].is_written) return false;
    const StatementId declaration = tree.declaration_of(node.variable);
    return declaration == none || !is_inside_iteration(tree, iteration, declaration);
}

class GroupFinder {
public:
    GroupFinder(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration)
        : context_(context), kernel_(kernel), tree_(tree), source_(context.source), iteration_(iteration) {}

    std::vector<VectorGroup> find() {
        for (const Access& access : context_.kernels[kernel_].facts.accesses) {
            if (is_inside_iteration(tree_, iteration_, access.statement)) accesses_.push_back(&access);
        }
        for (const Access* access : accesses_) {
            if (auto group = group_with(*access)) add(*group);
        }
        // Dropping one group may leave an access scalar that is in another one's way.
        while (std::erase_if(groups_, [&](const VectorGroup& group) { return has_conflict(group); }) > 0) {
        }
        return std::move(groups_);
    }

private:
    // A group of this access alone.
    std::optional<VectorGroup> group_with(const Access& access) const {
        const ExpressionId subscript = subscript_of(access);
        const cuda_source::Expression& node = source_.expressions[subscript];
        if (node.kind != ExpressionKind::subscript || node.in_macro || !access.index_known || access.atomic || access.elements != 1 ||
            access.base == none || !parameter_position(context_, kernel_, access.base)) {
            return std::nullopt;
        }
        const Type& element = source_.type_of(subscript);
        if (vector_type(element, 2).empty() || element.is_volatile) return std::nullopt;
        if (!is_unconditional(tree_, iteration_, access.expression) || !has_outer_base(tree_, iteration_, node.children[0])) return std::nullopt;
        VectorGroup group{.base = access.base, .element = &element, .loads = access.reads, .stores = access.writes};
        if (!set_offsets(group, access, node.children[1])) return std::nullopt;
        group.base_text = source_.text_of(without_implicit_casts(source_, node.children[0]));
        group.replaced = {access.expression};
        group.through_ldg = subscript != access.expression;
        return group;
    }

    bool set_offsets(VectorGroup& group, const Access& access, ExpressionId index) const {
        const Polynomial local = cuda_source::polynomial_of(source_, context_.kernels[kernel_].function, index);
        for (const bool reversed : {false, true}) {
            const auto offset = offset_of(local, iteration_.counter_value, reversed);
            const auto buffer_offset = offset_of(access.index, iteration_.counter_value, reversed);
            if (!offset || !buffer_offset || !is_known_before(tree_, iteration_, *offset)) continue;
            group.reversed = reversed;
            group.index = index;
            group.offset = *offset;
            group.buffer_offset = *buffer_offset;
            return index_text(context_, tree_, iteration_, group, "0").has_value();
        }
        return false;
    }

    // x[i] of an access x[i] or __ldg(&x[i]).
    ExpressionId subscript_of(const Access& access) const {
        const cuda_source::Expression& call = source_.expressions[access.expression];
        if (call.kind != ExpressionKind::call || call.name != "__ldg" || call.children.size() != 1) return access.expression;
        const ExpressionId argument = without_implicit_casts(source_, call.children[0]);
        const cuda_source::Expression& address = source_.expressions[argument];
        return address.kind == ExpressionKind::unary && address.op == "&" ? without_implicit_casts(source_, address.children[0]) : argument;
    }

    void add(const VectorGroup& group) {
        for (VectorGroup& known : groups_) {
            if (known.base != group.base || known.reversed != group.reversed || known.base_text != group.base_text ||
                known.offset != group.offset || known.through_ldg != group.through_ldg) {
                continue;
            }
            known.stores |= group.stores;
            known.replaced.insert(known.replaced.end(), group.replaced.begin(), group.replaced.end());
            return;
        }
        groups_.push_back(group);
    }

    bool is_in(const VectorGroup& group, const Access& access) const {
        return std::any_of(group.replaced.begin(), group.replaced.end(),
                           [&](ExpressionId id) { return id == access.expression || tree_.is_within(access.expression, id); });
    }

    // Another access that may touch the same memory, one of the two writing.
    bool has_conflict(const VectorGroup& group) const {
        const auto first = std::find_if(accesses_.begin(), accesses_.end(), [&](const Access* access) { return is_in(group, *access); });
        return std::any_of(accesses_.begin(), accesses_.end(), [&](const Access* other) {
            if (is_in(group, *other) || !is_global(context_, *other)) return false;
            return (group.stores || other->writes || other->atomic) && may_share_buffer(context_, kernel_, **first, *other);
        });
    }

    const Context& context_;
    std::size_t kernel_;
    const KernelTree& tree_;
    const cuda_source::SourceFile& source_;
    const Iteration& iteration_;
    std::vector<const Access*> accesses_;
    std::vector<VectorGroup> groups_;
};

std::string_view vector_stem(const Type& element) {
    if (element.kind == TypeKind::floating) return element.bits == 64 ? "double" : element.bits == 32 ? "float" : "";
    if (element.kind != TypeKind::integer) return "";
    switch (element.bits) {
        case 8: return element.is_signed ? "char" : "uchar";
        case 16: return element.is_signed ? "short" : "ushort";
        case 32: return element.is_signed ? "int" : "uint";
        case 64: return element.is_signed ? "longlong" : "ulonglong";
        default: return "";
    }
}

}  // namespace

bool names_counter(const KernelTree& tree, const Iteration& iteration, cuda_source::VariableId variable) {
    if (variable == iteration.counter) return true;
    const auto& node = tree.source().variables[variable];
    if (node.is_written || node.initializer == none) return false;
    const cuda_source::Expression& value = tree.source().expressions[without_implicit_casts(tree.source(), node.initializer)];
    const StatementId declaration = tree.declaration_of(variable);
    return value.kind == ExpressionKind::variable && value.variable == iteration.counter && declaration != none &&
           is_inside_iteration(tree, iteration, declaration);
}

std::vector<VectorGroup> vector_groups(const Context& context, std::size_t kernel, const KernelTree& tree, const Iteration& iteration) {
    return GroupFinder(context, kernel, tree, iteration).find();
}

std::optional<std::string> index_text(const Context& context, const KernelTree& tree, const Iteration& iteration, const VectorGroup& group,
                                      const std::string& counter) {
    std::map<cuda_source::VariableId, std::string> values;
    bool is_visible = true;
    for (const ExpressionId id : cuda_source::expressions_below(context.source, group.index)) {
        const cuda_source::Expression& node = context.source.expressions[id];
        if (node.kind != ExpressionKind::variable) continue;
        const StatementId declaration = tree.declaration_of(node.variable);
        if (names_counter(tree, iteration, node.variable)) {
            values[node.variable] = counter;
        } else if (declaration != none && is_inside_iteration(tree, iteration, declaration)) {
            is_visible = false;
        }
    }
    if (is_visible) {
        const auto text = cuda_source::substitute(context.source, group.index, values);
        return text ? std::optional(without_zero(*text)) : std::nullopt;
    }
    // A local of the iteration stands in it: write the index anew.
    const auto offset = polynomial_text(context.source, group.offset);
    if (!offset) return std::nullopt;
    const std::string sign = group.reversed ? " - " : " + ";
    if (*offset == "0" && !group.reversed) return counter;
    return without_zero(*offset + sign + counter);
}

std::string vector_type(const Type& element, std::int64_t width) {
    const std::string stem(vector_stem(element));
    const std::int64_t bytes = width * element.bits / 8;
    if (stem.empty() || bytes > 16) return "";
    if (width <= 4) return stem + std::to_string(width);
    return bytes == 8 ? "uint2" : bytes == 16 ? "uint4" : "";
}

std::string element_type_name(const Type& element) {
    if (element.kind == TypeKind::floating) return element.bits == 64 ? "double" : "float";
    const std::string sign = element.is_signed ? "" : "unsigned ";
    switch (element.bits) {
        case 8: return (element.is_signed ? "signed " : sign) + "char";
        case 16: return sign + "short";
        case 64: return sign + "long long";
        default: return sign + "int";
    }
}

std::vector<std::int64_t> vector_widths(const std::vector<VectorGroup>& groups) {
    std::vector<std::int64_t> widths;
    if (groups.empty()) return widths;
    for (const std::int64_t width : {16, 8, 4, 2}) {
        const auto has_type = [&](const VectorGroup& group) { return !vector_type(*group.element, width).empty(); };
        const auto is_wide = [&](const VectorGroup& group) { return width * group.element->bits / 8 >= 4; };
        if (std::all_of(groups.begin(), groups.end(), has_type) && std::any_of(groups.begin(), groups.end(), is_wide)) widths.push_back(width);
    }
    return widths;
}

bool is_always_aligned(const Context& context, std::size_t kernel, const VectorGroup& group, std::int64_t width) {
    const auto bytes = static_cast<std::uint32_t>(width * group.element->bits / 8);
    const auto& terms = group.buffer_offset.terms;
    return !group.reversed && std::all_of(terms.begin(), terms.end(), [&](const auto& term) { return term.second % width == 0; }) &&
           is_aligned(context, kernel, group.base, bytes);
}

}  // namespace optiml::transforms
