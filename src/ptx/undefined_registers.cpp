#include "ptx/undefined_registers.h"

#include <algorithm>

namespace optiml::ptx {
namespace {

class Registers {
public:
    Registers(std::size_t count, bool all) : words_((count + 63) / 64, all ? ~std::uint64_t{0} : 0) {}

    bool contains(std::uint32_t index) const { return (words_[index / 64] >> index % 64 & 1) != 0; }
    void remove(std::uint32_t index) { words_[index / 64] &= ~(std::uint64_t{1} << index % 64); }
    // True: some were new.
    bool add(const Registers& others) {
        bool changed = false;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            changed |= (others.words_[word] & ~words_[word]) != 0;
            words_[word] |= others.words_[word];
        }
        return changed;
    }

private:
    std::vector<std::uint64_t> words_;
};

class Analysis {
public:
    explicit Analysis(const Function& function)
        : function_(function), without_value_(function.blocks.size(), Registers(function.registers.size(), false)) {}

    std::vector<UndefinedRegister> run() {
        if (function_.blocks.empty()) return {};
        Registers entry(function_.registers.size(), true);
        for (const Parameter& parameter : function_.parameters)
            if (parameter.register_index != none) entry.remove(parameter.register_index);
        without_value_[0] = entry;
        std::vector<std::uint32_t> open{0};
        std::vector<bool> reached(function_.blocks.size());
        while (!open.empty()) {
            const BasicBlock& block = function_.blocks[open.back()];
            reached[open.back()] = true;
            open.pop_back();
            Registers left = without_value_[static_cast<std::size_t>(&block - function_.blocks.data())];
            for (std::uint32_t index = block.first; index < block.last; ++index) write(function_.instructions[index], left);
            for (const std::uint32_t successor : block.successors)
                if (without_value_[successor].add(left) || !reached[successor]) open.push_back(successor);
        }
        return readers(reached);
    }

private:
    template <class Act>
    void for_each_register(const Operand& operand, Act act) const {
        if (operand.kind == OperandKind::reg || (operand.kind == OperandKind::address && !operand.is_symbol && operand.index != none))
            act(operand.index);
        if (operand.kind != OperandKind::vector) return;
        for (std::uint32_t element = 0; element < operand.count; ++element)
            for_each_register(function_.operand_pool[operand.first + element], act);
    }

    void write(const Instruction& instruction, Registers& left) const {
        if (instruction.guard != none) return;
        for (const Operand& operand : instruction.destinations)
            for_each_register(operand, [&](std::uint32_t index) { left.remove(index); });
    }

    std::vector<UndefinedRegister> readers(const std::vector<bool>& reached) const {
        std::vector<UndefinedRegister> found;
        const auto note = [&](std::uint32_t register_index, std::uint32_t reader) {
            const bool known = std::ranges::any_of(found, [&](const auto& one) { return one.register_index == register_index; });
            if (!known) found.push_back({register_index, reader});
        };
        for (std::size_t number = 0; number < function_.blocks.size(); ++number) {
            if (!reached[number]) continue;
            Registers left = without_value_[number];
            for (std::uint32_t index = function_.blocks[number].first; index < function_.blocks[number].last; ++index) {
                const Instruction& instruction = function_.instructions[index];
                const auto read = [&](std::uint32_t register_index) {
                    if (left.contains(register_index)) note(register_index, index);
                };
                if (instruction.guard != none) read(instruction.guard);
                for (const Operand& operand : instruction.sources) for_each_register(operand, read);
                write(instruction, left);
            }
        }
        return found;
    }

    const Function& function_;
    std::vector<Registers> without_value_;  // by block: which may have no value at its begin
};

}  // namespace

std::vector<UndefinedRegister> undefined_registers(const Function& function) { return Analysis(function).run(); }

}  // namespace optiml::ptx
