// Any text as PTX: an error with a message, or a module whose indices all point at something.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ptx/normalize.h"
#include "ptx/parser.h"

using namespace optiml::ptx;

namespace {

void require(bool condition) {
    if (!condition) std::abort();
}

class Checker {
public:
    Checker(const Module& module, const Function& function) : module_(module), function_(function) {}

    void run() const {
        require(function_.has_body == !function_.blocks.empty());
        for (const Instruction& instruction : function_.instructions) check(instruction);
        for (const Operand& operand : function_.operand_pool) check(operand);
        for (std::uint32_t i = 0; i < function_.blocks.size(); ++i) check_block(i);
        for (std::uint32_t i = 0; i < function_.loops.size(); ++i) check_loop(i);
        for (const Pragma& pragma : function_.pragmas) require(pragma.instruction <= function_.instructions.size());
    }

private:
    void check(const Instruction& instruction) const {
        require(!instruction.text.empty());
        if (instruction.guard != none) require(function_.registers[instruction.guard].type == Type::pred);
        if (instruction.place.line != 0) require(instruction.place.file < module_.files.size());
        if (instruction.inlined_at.line != 0) require(instruction.inlined_at.file < module_.files.size());
        if (instruction.opcode == Opcode::unknown) require(instruction.sources.empty() && instruction.destinations.empty());
        for (const Operand& operand : instruction.destinations) check(operand);
        for (const Operand& operand : instruction.sources) check(operand);
    }

    void check(const Operand& operand) const {
        switch (operand.kind) {
            case OperandKind::reg: require(operand.index < function_.registers.size()); break;
            case OperandKind::function: require(operand.index < module_.functions.size()); break;
            case OperandKind::label: require(operand.index < function_.blocks.size()); break;
            case OperandKind::prototype: require(operand.index < function_.prototypes.size()); break;
            case OperandKind::symbol: check_symbol(operand); break;
            case OperandKind::vector: require(operand.first + std::uint64_t{operand.count} <= function_.operand_pool.size()); break;
            case OperandKind::address:
                if (operand.is_symbol) {
                    check_symbol(operand);
                } else if (operand.index != none) {
                    require(operand.index < function_.registers.size());
                }
                break;
            case OperandKind::special: require(operand.special != SpecialRegister::unknown); break;
            case OperandKind::none: require(false); break;
            case OperandKind::immediate:
            case OperandKind::sink: break;
        }
    }

    void check_symbol(const Operand& operand) const {
        require(operand.index < (operand.local_symbol ? function_.symbol_count() : module_.variables.size()));
    }

    void check_block(std::uint32_t index) const {
        const BasicBlock& block = function_.blocks[index];
        require(block.first < block.last);
        require(block.first == (index == 0 ? 0 : function_.blocks[index - 1].last));
        require(index + 1 < function_.blocks.size() || block.last == function_.instructions.size());
        for (const std::uint32_t next : block.successors) require(next < function_.blocks.size());
        require(block.post_dominator == none || block.post_dominator < function_.blocks.size());
        require((block.innermost_loop == none) == (block.loop_depth == 0));
    }

    void check_loop(std::uint32_t index) const {
        const Loop& loop = function_.loops[index];
        require(loop.parent == none || loop.parent < index);
        for (const std::uint32_t block : loop.blocks) require(block < function_.blocks.size());
    }

    const Module& module_;
    const Function& function_;
};

void check_variable(const Module& module, const Variable& variable) {
    require(variable.initial.size() <= variable.bytes);
    for (const Variable::Relocation& relocation : variable.relocations) {
        require(relocation.index < (relocation.is_function ? module.functions.size() : module.variables.size()));
        require(relocation.offset + relocation.size <= variable.bytes);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = parse({reinterpret_cast<const char*>(data), size});
    if (!module) {
        require(!module.error().message.empty());
        return 0;
    }
    for (const Variable& variable : module->variables) check_variable(*module, variable);
    for (const Function& function : module->functions) Checker(*module, function).run();
    require(!normalized_text(*module).empty());
    return 0;
}
