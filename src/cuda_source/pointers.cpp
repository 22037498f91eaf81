// The part of Values that follows pointers and references to the variable they were derived from.
#include <algorithm>

#include "cuda_source/values.h"

namespace optiml::cuda_source {
namespace {

// The innermost element of arrays and pointers, and how many of them the type holds (1 unless it is an array).
struct Innermost {
    TypeId type = none;
    std::int64_t count = 1;
};

Innermost innermost(const SourceFile& source, TypeId id) {
    Innermost result{id, 1};
    while (result.type != none && source.types[result.type].kind == TypeKind::array) {
        const Type& array = source.types[result.type];
        if (__builtin_mul_overflow(result.count, static_cast<std::int64_t>(array.extent), &result.count)) result.count = 0;
        result.type = array.element;
    }
    return result;
}

bool is_kind(const SourceFile& source, TypeId type, TypeKind kind) { return type != none && source.types[type].kind == kind; }

// A place that is one of the two.
Place either(Place one, const Place& other) {
    if (one.base != other.base) return {};
    if (one.offset != other.offset) one.known = false;
    return one;
}

std::string_view unqualified(std::string_view spelling) {
    if (spelling.starts_with("const ")) spelling.remove_prefix(6);
    return spelling;
}

}  // namespace

std::int64_t Values::elements_of(TypeId type, VariableId base) const {
    if (type == none || base == none || source_.variables[base].type == none) return 0;
    TypeId base_type = source_.variables[base].type;
    if (is_kind(source_, base_type, TypeKind::reference)) base_type = source_.types[base_type].element;
    if (is_kind(source_, base_type, TypeKind::pointer)) base_type = source_.types[base_type].element;
    const Innermost unit = innermost(source_, base_type);
    const Innermost object = innermost(source_, type);
    if (unit.type == none || object.type == none) return 0;
    const Type& unit_type = source_.types[unit.type];
    const Type& object_type = source_.types[object.type];
    if (unqualified(unit_type.spelling) == unqualified(object_type.spelling)) return object.count;
    if (unit_type.bytes == 0 || object_type.bytes == 0 || object_type.bytes % unit_type.bytes != 0) return 0;
    return object.count * static_cast<std::int64_t>(object_type.bytes / unit_type.bytes);
}

// The place `count` objects of type `element` further on.
Place Values::advanced(Place place, const Polynomial& count, TypeId element) const {
    const std::int64_t elements = elements_of(element, place.base);
    if (elements == 0) place.known = false;
    place.offset = place.offset + count * Polynomial(elements);
    if (!place.offset.is_valid()) place.known = false;
    return place;
}

Place Values::of_pointer_variable(VariableId id) const {
    const Variable& variable = source_.variables[id];
    if (is_kind(source_, variable.type, TypeKind::reference)) {
        return variable.initializer != none ? pointee(variable.initializer) : Place{id, {}, true, {}};
    }
    if (!is_kind(source_, variable.type, TypeKind::pointer)) return {id, {}, true, {}};  // an array
    const auto writes = writes_.find(id);
    if (writes == writes_.end() && variable.storage != Storage::local) return {id, {}, true, {}};
    if (const ExpressionId value = definition(id); value != none) return pointee(value);
    if (writes == writes_.end() || writes->second.address_taken || variable.address_taken) return {};

    // Written several times: steps stay within the object; assignments must all lead to the same one.
    Place place = variable.storage == Storage::parameter ? Place{id, {}, true, {}}
                  : variable.initializer != none         ? pointee(variable.initializer)
                                                         : Place{};
    bool has_base = place.base != none;
    for (const ExpressionId write : writes->second.expressions) {
        const Expression& expression = source_.expressions[write];
        if (expression.kind != ExpressionKind::assignment || expression.op != "=") continue;
        const ExpressionId value = expression.children[1];
        const std::vector<ExpressionId> parts = expressions_below(source_, value);
        const auto is_itself = [&](ExpressionId part) { return source_.expressions[part].variable == id; };
        if (std::any_of(parts.begin(), parts.end(), is_itself)) {  // p = p + step
            const Expression& sum = source_.expressions[value];
            if (sum.kind == ExpressionKind::binary && is_itself(sum.children[0])) continue;
            return {};
        }
        const Place other = pointee(value);
        if (has_base && other.base != place.base) return {};
        place = other;
        has_base = true;
    }
    place.known = false;
    return place;
}

Place Values::pointee(ExpressionId id) const {
    if (id == none || depth_ >= 500) return {};
    const Expression& expression = source_.expressions[id];
    ++depth_;
    Place place;
    switch (expression.kind) {
        case ExpressionKind::variable:
            if (expression.variable != none) place = of_pointer_variable(expression.variable);
            break;
        case ExpressionKind::unary:
            if (expression.op == "&") {
                place = lvalue(expression.children[0]);
            } else if (expression.op.size() >= 2) {  // ++p, p++
                place = pointee(expression.children[0]);
                place.known = false;
            } else if (expression.op == "*" && is_kind(source_, expression.type, TypeKind::array)) {
                place = lvalue(id);
            }
            break;
        case ExpressionKind::binary: {
            if (expression.op != "+" && expression.op != "-") break;
            ExpressionId pointer = expression.children[0];
            ExpressionId count = expression.children[1];
            const TypeId right = source_.expressions[count].type;
            if (is_kind(source_, right, TypeKind::pointer) || is_kind(source_, right, TypeKind::array)) std::swap(pointer, count);
            const Polynomial steps = polynomial(count) * Polynomial(expression.op == "-" ? -1 : 1);
            const TypeId element = expression.type != none ? source_.types[expression.type].element : none;
            place = advanced(pointee(pointer), steps, element);
            place.subscripts.clear();
            break;
        }
        case ExpressionKind::cast:
            if (expression.children.size() == 1) place = pointee(expression.children[0]);
            break;
        case ExpressionKind::conditional:
            place = either(pointee(expression.children[1]), pointee(expression.children[2]));
            break;
        case ExpressionKind::subscript:
        case ExpressionKind::member:
            if (is_kind(source_, expression.type, TypeKind::array)) place = lvalue(id);
            break;
        default:
            break;
    }
    --depth_;
    return place;
}

Place Values::lvalue(ExpressionId id) const {
    if (id == none || depth_ >= 500) return {};
    const Expression& expression = source_.expressions[id];
    ++depth_;
    Place place;
    switch (expression.kind) {
        case ExpressionKind::variable:
            if (expression.variable == none) break;
            if (const Variable& variable = source_.variables[expression.variable];
                is_kind(source_, variable.type, TypeKind::reference)) {
                place = variable.initializer != none ? lvalue(variable.initializer) : Place{expression.variable, {}, true, {}};
            } else {
                place = {expression.variable, {}, true, {}};
            }
            break;
        case ExpressionKind::subscript: {
            place = pointee(expression.children[0]);
            const Polynomial index = polynomial(expression.children[1]);
            place = advanced(place, index, expression.type);
            const bool of_array = is_kind(source_, source_.expressions[expression.children[0]].type, TypeKind::array);
            if (of_array || is_kind(source_, expression.type, TypeKind::array)) {
                place.subscripts.push_back(index);
            } else {
                place.subscripts.clear();
            }
            break;
        }
        case ExpressionKind::unary:
            if (expression.op == "*") place = pointee(expression.children[0]);
            break;
        case ExpressionKind::member:
            if (expression.children.empty()) break;
            place = expression.op == "->" ? pointee(expression.children[0]) : lvalue(expression.children[0]);
            if (place.base != none && elements_of(expression.type, place.base) > 1) place.known = false;
            break;
        case ExpressionKind::cast:
            if (expression.children.size() == 1) place = lvalue(expression.children[0]);
            break;
        case ExpressionKind::conditional:
            place = either(lvalue(expression.children[1]), lvalue(expression.children[2]));
            break;
        default:
            break;
    }
    --depth_;
    return place;
}

}  // namespace optiml::cuda_source
