#include "ptx/declarations.h"

#include <algorithm>
#include <optional>

#include "ptx/constant_expression.h"
#include "ptx/initializer.h"

namespace optiml::ptx {
namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 40;
constexpr std::uint64_t kMaxAlignment = 1 << 20;
constexpr std::size_t kMaxDimensions = 16;

std::uint32_t parse_alignment(Cursor& cursor) {
    const std::uint64_t alignment = cursor.expect_integer("an alignment");
    const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
    if (!power_of_two || alignment > kMaxAlignment) cursor.fail("an alignment must be a power of two");
    return cursor.failed() ? 1 : static_cast<std::uint32_t>(alignment);
}

std::uint32_t bytes_of(Cursor& cursor, Type type) {
    if (bits_of(type) % 8 == 0 && type != Type::none) return bits_of(type) / 8;
    cursor.fail("a variable cannot have this type");
    return 1;
}

// What stands between the state space and the name.
struct ElementDeclaration {
    Type type = Type::b8;
    std::uint32_t vector = 1;
    std::uint32_t alignment = 0;  // 0: natural
    std::uint32_t pointer_alignment = 0;
    bool managed = false;

    std::uint32_t alignment_or(std::uint32_t natural) const { return std::max(alignment, natural); }
};

bool parse_attribute(Cursor& cursor) {
    const bool managed = cursor.peek(1).is_dot_word(".managed");
    cursor.skip_brackets('(', ')');
    return managed;
}

std::uint32_t parse_pointer(Cursor& cursor) {
    for (const std::string_view space : {".global", ".shared", ".const", ".local"}) cursor.accept_dot_word(space);
    return cursor.accept_dot_word(".align") ? parse_alignment(cursor) : 0;
}

// The words may come in any order; `.ptr` follows the type.
ElementDeclaration parse_element(Cursor& cursor) {
    ElementDeclaration element;
    bool typed = false;
    while (cursor.peek().kind == TokenKind::dot_word) {
        if (cursor.accept_dot_word(".align")) {
            element.alignment = parse_alignment(cursor);
        } else if (cursor.accept_dot_word(".attribute")) {
            element.managed = parse_attribute(cursor) || element.managed;
        } else if (cursor.accept_dot_word(".v2")) {
            element.vector = 2;
        } else if (cursor.accept_dot_word(".v4")) {
            element.vector = 4;
        } else if (cursor.accept_dot_word(".ptr")) {
            element.pointer_alignment = parse_pointer(cursor);
        } else {
            element.type = parse_type(cursor);
            typed = true;
        }
    }
    if (!typed) cursor.fail_unexpected("a type");
    return element;
}

// `[4][8]`; 0 stands for an empty first dimension.
std::vector<std::uint64_t> parse_dimensions(Cursor& cursor) {
    std::vector<std::uint64_t> dimensions;
    while (cursor.accept('[')) {
        const bool empty = dimensions.empty() && cursor.peek().is(']');
        dimensions.push_back(empty ? 0 : parse_constant_expression(cursor));
        if (!empty && (dimensions.back() == 0 || dimensions.back() > kMaxBytes)) cursor.fail("an array must have a size");
        cursor.expect(']');
        if (dimensions.size() > kMaxDimensions) cursor.fail("array has too many dimensions");
    }
    return dimensions;
}

std::uint64_t total_bytes(Cursor& cursor, std::uint64_t element_bytes, const std::vector<std::uint64_t>& dimensions) {
    std::uint64_t bytes = element_bytes;
    for (const std::uint64_t dimension : dimensions) {
        if (dimension != 0 && bytes > kMaxBytes / dimension) {
            cursor.fail("array is too large");
            return 0;
        }
        bytes *= dimension;
    }
    return bytes;
}

DeclaredVariable parse_declarator(Cursor& cursor, const ElementDeclaration& element) {
    DeclaredVariable declared;
    declared.name = cursor.expect_word("a variable's name");
    Variable& variable = declared.variable;
    variable.name = declared.name;
    variable.type = element.type;
    variable.managed = element.managed;
    const std::uint32_t element_bytes = bytes_of(cursor, element.type);
    variable.alignment = element.alignment_or(element_bytes * element.vector);
    std::vector<std::uint64_t> dimensions = parse_dimensions(cursor);
    if (element.vector > 1) dimensions.push_back(element.vector);
    variable.bytes = total_bytes(cursor, element_bytes, dimensions);
    if (cursor.accept('=')) parse_initializer(cursor, element_bytes, dimensions, declared);
    return declared;
}

DeclaredParameter parse_parameter(Cursor& cursor) {
    DeclaredParameter declared;
    declared.in_register = cursor.accept_dot_word(".reg");
    if (!declared.in_register && !cursor.accept_dot_word(".param")) cursor.fail_unexpected(".param or .reg");
    const ElementDeclaration element = parse_element(cursor);
    declared.name = cursor.expect_word("a parameter's name");
    Parameter& parameter = declared.parameter;
    parameter.name = declared.name;
    parameter.type = element.type;
    parameter.pointer_alignment = element.pointer_alignment;
    // A predicate is passed in a byte of its own.
    const std::uint32_t element_bytes = element.type == Type::pred ? 1 : bytes_of(cursor, element.type);
    parameter.alignment = element.alignment_or(element_bytes * element.vector);
    std::vector<std::uint64_t> dimensions = parse_dimensions(cursor);
    dimensions.push_back(element.vector);
    parameter.bytes = total_bytes(cursor, element_bytes, dimensions);
    return declared;
}

}  // namespace

Type parse_type(Cursor& cursor) {
    if (cursor.peek().kind != TokenKind::dot_word) {
        cursor.fail_unexpected("a type");
        return Type::b8;
    }
    const std::string_view word = cursor.peek().text;
    if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
        cursor.take();
        return Type::b64;
    }
    const Type type = find_type(word.substr(1));
    if (type == Type::none) cursor.fail_unexpected("a type");
    cursor.take();
    return type;
}

std::vector<DeclaredVariable> parse_variables(Cursor& cursor, Space space, bool is_extern) {
    std::vector<DeclaredVariable> variables;
    const ElementDeclaration element = parse_element(cursor);
    do {
        variables.push_back(parse_declarator(cursor, element));
        variables.back().variable.space = space;
        variables.back().variable.is_extern = is_extern;
    } while (cursor.accept(','));
    cursor.expect(';');
    return variables;
}

std::vector<DeclaredParameter> parse_parameters(Cursor& cursor) {
    std::vector<DeclaredParameter> parameters;
    cursor.expect('(');
    std::uint64_t offset = 0;
    while (!cursor.at_end() && !cursor.peek().is(')')) {
        if (!parameters.empty()) cursor.expect(',');
        parameters.push_back(parse_parameter(cursor));
        Parameter& parameter = parameters.back().parameter;
        offset = (offset + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
        parameter.offset = offset;
        offset += parameter.bytes;
    }
    cursor.expect(')');
    return parameters;
}

}  // namespace optiml::ptx
