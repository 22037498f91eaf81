#include <bit>

#include <fmt/format.h>

#include "ptx/constant_expression.h"
#include "ptx/function_parser.h"
#include "ptx/special_registers.h"

namespace optiml::ptx {
namespace {

bool is_float_literal(const Token& token) {
    return token.kind == TokenKind::float32 || token.kind == TokenKind::float64 || token.kind == TokenKind::decimal;
}

}  // namespace

// Appends one operand; `[handle, {x, y}]` of textures appends the coordinates as one more.
void FunctionParser::operand(std::vector<Operand>& operands) {
    if (cursor_.accept('[')) return address(operands);
    operands.push_back(cursor_.accept('{') ? vector() : simple_operand());
}

// Behind the bracket: `base`, `base+offset` or `offset`.
void FunctionParser::address(std::vector<Operand>& operands) {
    Operand result;
    if (cursor_.peek().kind == TokenKind::word) {
        const Operand base = named_operand();
        const bool fits = base.kind == OperandKind::reg || base.kind == OperandKind::symbol;
        if (!fits && meaningless_special_.empty()) return cursor_.fail("an address needs a register or a variable");
        result = base;
        result.is_symbol = base.kind == OperandKind::symbol;
        if (base.kind == OperandKind::reg) result.bits = optional_offset();
    } else {
        result.bits = parse_constant_expression(cursor_);
    }
    result.kind = OperandKind::address;
    operands.push_back(result);
    while (cursor_.accept(',')) operands.push_back(cursor_.accept('{') ? vector() : simple_operand());
    cursor_.expect(']');
}

// Behind the brace.
Operand FunctionParser::vector() {
    std::vector<Operand> elements;
    do {
        elements.push_back(simple_operand());
    } while (cursor_.accept(','));
    cursor_.expect('}');
    Operand result;
    result.kind = OperandKind::vector;
    result.first = static_cast<std::uint32_t>(function_.operand_pool.size());
    result.count = static_cast<std::uint32_t>(elements.size());
    function_.operand_pool.insert(function_.operand_pool.end(), elements.begin(), elements.end());
    return result;
}

Operand FunctionParser::simple_operand() {
    const Token& token = cursor_.peek();
    if (token.kind == TokenKind::word) return named_operand();
    if (token.is('!') && cursor_.peek(1).kind == TokenKind::word) return negated_predicate();
    if (is_float_literal(token) || (token.is('-') && is_float_literal(cursor_.peek(1)))) return float_literal();
    if (starts_constant_expression(token)) return literal();
    cursor_.fail_unexpected("an operand");
    return {};
}

Operand FunctionParser::named_operand() {
    const std::string_view name = cursor_.take().text;
    const Symbol* symbol = scopes_.find(name);
    if (symbol == nullptr) symbol = names_.find(name);
    if (symbol == nullptr) return special_register(name);
    Operand result;
    result.index = symbol->index;
    switch (symbol->kind) {
        case Symbol::Kind::reg: result.kind = OperandKind::reg; break;
        case Symbol::Kind::function: result.kind = OperandKind::function; break;
        case Symbol::Kind::local:
        case Symbol::Kind::module_variable:
            result.kind = OperandKind::symbol;
            result.local_symbol = symbol->kind == Symbol::Kind::local;
            result.bits = optional_offset();
            break;
        case Symbol::Kind::prototype:
        case Symbol::Kind::branch_targets: cursor_.fail(fmt::format("'{}' is no operand", name)); break;
    }
    return result;
}

// What is not declared: a special register, WARP_SZ, `_`, or an error.
Operand FunctionParser::special_register(std::string_view name) {
    Operand result;
    if (name == "_") {
        result.kind = OperandKind::sink;
        return result;
    }
    std::string full(name);
    if (cursor_.peek().kind == TokenKind::dot_word) full += cursor_.take().text;
    const auto special = find_special_register(full);
    if (!special) {
        cursor_.fail(fmt::format("'{}' is not declared", full));
        return result;
    }
    if (*special == SpecialRegister::unknown) meaningless_special_ = name;
    result.kind = OperandKind::special;
    result.special = *special;
    return result;
}

Operand FunctionParser::negated_predicate() {
    cursor_.expect('!');
    Operand result = named_operand();
    if (result.kind != OperandKind::reg) cursor_.fail("only predicates can be negated");
    result.negated = true;
    return result;
}

Operand FunctionParser::literal() {
    Operand result;
    result.kind = OperandKind::immediate;
    result.bits = parse_constant_expression(cursor_);
    return result;
}

Operand FunctionParser::float_literal() {
    const bool negative = cursor_.accept('-');
    const Token& token = cursor_.take();
    Operand result;
    result.kind = OperandKind::immediate;
    result.float_immediate = true;
    result.bits = token.value;
    const bool narrow_decimal = token.kind == TokenKind::decimal && literal_type_ == Type::f32;
    if (narrow_decimal) result.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(token.value)));
    const bool narrow = narrow_decimal || token.kind == TokenKind::float32;
    if (negative) result.bits ^= std::uint64_t{1} << (narrow ? 31 : 63);
    return result;
}

// `+8`, `+-8`, `-8` or nothing.
std::uint64_t FunctionParser::optional_offset() {
    if (!cursor_.peek().is('+') && !cursor_.peek().is('-')) return 0;
    return parse_constant_expression(cursor_);
}

}  // namespace optiml::ptx
