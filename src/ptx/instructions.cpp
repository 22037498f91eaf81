#include <fmt/format.h>

#include "ptx/function_parser.h"
#include "ptx/opcode_table.h"

namespace optiml::ptx {

// `@!%p1 mul.wide.s32 %rd1, %r1, 4;`
void FunctionParser::instruction() {
    Instruction result;
    result.ptx_line = cursor_.peek().line;
    result.place = places_.place();
    result.inlined_at = places_.inlined_at();
    if (cursor_.accept('@')) guard(result);
    result.text = cursor_.expect_word("an instruction");
    while (cursor_.peek().kind == TokenKind::dot_word) result.text += cursor_.take().text;
    const DecodedOpcode& decoded = names_.decode(result.text);
    result.opcode = decoded.opcode;
    result.modifiers = decoded.modifiers;
    literal_type_ = result.modifiers.source_type != Type::none ? result.modifiers.source_type : result.modifiers.type;
    meaningless_special_ = {};

    switch (result.opcode) {
        case Opcode::unknown: unknown_instruction(result); break;
        case Opcode::bra: branch_operands(result); break;
        case Opcode::brx_idx: indexed_branch_operands(result); break;
        case Opcode::call: call_operands(result); break;
        default: ordinary_operands(result); break;
    }
    cursor_.expect(';');
    if (!meaningless_special_.empty()) {
        result.text += fmt::format(" {}", meaningless_special_);
        result.opcode = Opcode::unknown;
        result.modifiers = {};
        result.destinations.clear();
        result.sources.clear();
    }
    function_.instructions.push_back(std::move(result));
}

void FunctionParser::guard(Instruction& result) {
    result.guard_negated = cursor_.accept('!');
    const std::string_view name = cursor_.expect_word("a predicate");
    const Symbol* symbol = scopes_.find(name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::reg || symbol->type != Type::pred) {
        return cursor_.fail(fmt::format("'{}' is not a predicate register", name));
    }
    result.guard = symbol->index;
}

// Keeps the operands as text: their syntax may be as new as the instruction.
void FunctionParser::unknown_instruction(Instruction& result) {
    const char* first = cursor_.peek().text.data();
    while (!cursor_.at_end() && !cursor_.peek().is(';')) cursor_.take();
    const char* last = cursor_.peek().text.data();
    result.operand_text.assign(first, last);
    while (!result.operand_text.empty() && result.operand_text.back() == ' ') result.operand_text.pop_back();
}

void FunctionParser::ordinary_operands(Instruction& result) {
    std::vector<Operand> operands;
    std::size_t partners = 0;  // behind `|`
    if (!cursor_.peek().is(';')) {
        operand(operands);
        if (cursor_.accept('|')) {
            partners = 1;
            operand(operands);
        }
        while (cursor_.accept(',')) operand(operands);
    }
    std::size_t destinations = destination_count(result.opcode) + partners;
    // An arrive at another block's barrier gives no state back.
    const bool without_state = !operands.empty() && operands[0].kind == OperandKind::address;
    if (result.opcode == Opcode::mbarrier_arrive && without_state) destinations = 0;
    if (operands.size() < destinations) return cursor_.fail(fmt::format("'{}' lacks operands", result.text));
    const auto middle = operands.begin() + static_cast<std::ptrdiff_t>(destinations);
    result.destinations.assign(operands.begin(), middle);
    result.sources.assign(middle, operands.end());
}

// `call.uni (retval0), f, (param0, param1), prototype;` where all but the target may be missing.
void FunctionParser::call_operands(Instruction& result) {
    if (cursor_.peek().is('(')) {
        parenthesised(result.destinations);
        cursor_.expect(',');
    }
    call_target(result);
    if (!cursor_.accept(',')) return;
    if (cursor_.peek().is('(')) {
        parenthesised(result.sources);
        if (!cursor_.accept(',')) return;
    }
    const std::string_view name = cursor_.expect_word("a prototype");
    const Symbol* symbol = scopes_.find(name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::prototype) return;  // .calltargets: the register alone says all
    Operand prototype;
    prototype.kind = OperandKind::prototype;
    prototype.index = symbol->index;
    result.sources.push_back(prototype);
}

void FunctionParser::call_target(Instruction& result) {
    operand(result.sources);
    if (cursor_.failed()) return;
    const Operand& target = result.sources.front();
    const bool is_address = target.kind == OperandKind::reg && function_.registers[target.index].type != Type::pred;
    if (target.kind != OperandKind::function && !is_address) cursor_.fail("call of something that is no function");
}

void FunctionParser::parenthesised(std::vector<Operand>& operands) {
    cursor_.expect('(');
    if (cursor_.accept(')')) return;
    do {
        operand(operands);
    } while (cursor_.accept(','));
    cursor_.expect(')');
}

void FunctionParser::branch_operands(Instruction& result) {
    const std::uint32_t line = cursor_.peek().line;
    const std::string_view name = cursor_.expect_word("a label");
    Operand target;
    target.kind = OperandKind::label;
    result.sources.push_back(target);
    const auto index = static_cast<std::uint32_t>(function_.instructions.size());
    label_references_.push_back({index, 0, false, name, scopes_.current(), line});
}

// `brx.idx %r1, targets;` with `targets: .branchtargets L1, L2;` above it.
void FunctionParser::indexed_branch_operands(Instruction& result) {
    operand(result.sources);
    cursor_.expect(',');
    const std::uint32_t line = cursor_.peek().line;
    const std::string_view name = cursor_.expect_word("a list of targets");
    const Symbol* symbol = scopes_.find(name);
    if (symbol == nullptr || symbol->kind != Symbol::Kind::branch_targets) {
        return cursor_.fail(fmt::format("'{}' is no list of branch targets", name));
    }
    const BranchTargets& targets = branch_targets_[symbol->index];
    Operand list;
    list.kind = OperandKind::vector;
    list.first = static_cast<std::uint32_t>(function_.operand_pool.size());
    list.count = static_cast<std::uint32_t>(targets.labels.size());
    const auto index = static_cast<std::uint32_t>(function_.instructions.size());
    for (std::uint32_t i = 0; i < list.count; ++i) {
        function_.operand_pool.emplace_back().kind = OperandKind::label;
        label_references_.push_back({index, list.first + i, true, targets.labels[i], targets.scope, line});
    }
    result.sources.push_back(list);
}

}  // namespace optiml::ptx
