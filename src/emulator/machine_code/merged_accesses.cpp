#include "emulator/machine_code/merged_accesses.h"

#include <algorithm>
#include <map>

namespace optiml::emulator {
namespace {

bool is_shared_access(const ptx::Instruction& instruction, ptx::Opcode opcode) {
    return instruction.opcode == opcode && instruction.modifiers.space == ptx::Space::shared && !instruction.sources.empty() &&
           instruction.sources[0].kind == ptx::OperandKind::address;
}

std::uint32_t bytes_of(const ptx::Instruction& access) { return ptx::bits_of(access.modifiers.type) / 8 * access.modifiers.vector; }

std::int64_t offset_of(const ptx::Instruction& access) { return static_cast<std::int64_t>(access.sources[0].bits); }

bool same_base(const ptx::Instruction& a, const ptx::Instruction& b) {
    const ptx::Operand& x = a.sources[0];
    const ptx::Operand& y = b.sources[0];
    return x.is_symbol == y.is_symbol && x.local_symbol == y.local_symbol && x.index == y.index;
}

// Merges the loads of a function, or the stores.
class Merger {
public:
    Merger(const ptx::Function& function, const MachineFunction& machine, ptx::Opcode opcode, MachineKind kind,
           std::vector<MergedAccess>& merged)
        : function_(function), opcode_(opcode), merged_(merged) {
        std::map<std::uint32_t, std::uint32_t> by_line;
        for (std::uint32_t i = 0; i < function.instructions.size(); ++i) by_line[function.instructions[i].ptx_line] = i;
        for (const MachineInstruction& instruction : machine.instructions) {
            const auto origin = by_line.find(instruction.ptx_line);
            if (instruction.kind != kind || origin == by_line.end()) continue;
            std::uint32_t& bytes = machine_bytes_[origin->second];
            bytes = std::max<std::uint32_t>(bytes, instruction.access_bytes);
        }
    }

    void merge() {
        for (const auto& [index, bytes] : machine_bytes_) {
            if (!is_shared_access(function_.instructions[index], opcode_)) continue;
            const std::uint32_t own = bytes_of(function_.instructions[index]);
            // The access may be any part of the merged one; it is most often the first.
            for (std::uint32_t before = 0; before + own <= bytes && own > 0 && bytes > own; before += own) {
                if (take(index, -static_cast<std::int64_t>(before), bytes)) break;
            }
        }
    }

private:
    // Whether every other part of [displacement, displacement + bytes) from the access is an access without machine code of its own.
    bool take(std::uint32_t index, std::int64_t displacement, std::uint32_t bytes) {
        const ptx::Instruction& access = function_.instructions[index];
        const std::uint32_t own = bytes_of(access);
        std::vector<std::uint32_t> parts;
        for (std::int64_t at = displacement; at < displacement + bytes; at += own) {
            if (at == 0) continue;
            const std::uint32_t part = find_absent(index, offset_of(access) + at, own);
            if (part == ptx::none) return false;
            parts.push_back(part);
        }
        merged_[index] = {static_cast<std::uint8_t>(bytes), false, static_cast<std::int32_t>(displacement)};
        for (const std::uint32_t part : parts) merged_[part].absent = true;
        return true;
    }

    std::uint32_t find_absent(std::uint32_t index, std::int64_t offset, std::uint32_t bytes) const {
        for (const ptx::BasicBlock& block : function_.blocks) {
            if (index < block.first || index >= block.last) continue;
            for (std::uint32_t i = block.first; i < block.last; ++i) {
                const ptx::Instruction& other = function_.instructions[i];
                if (!is_shared_access(other, opcode_) || !same_base(other, function_.instructions[index]) || offset_of(other) != offset) continue;
                if (bytes_of(other) == bytes && !machine_bytes_.contains(i) && !merged_[i].absent) return i;
            }
        }
        return ptx::none;
    }

    const ptx::Function& function_;
    ptx::Opcode opcode_;
    std::vector<MergedAccess>& merged_;
    std::map<std::uint32_t, std::uint32_t> machine_bytes_;  // PTX instruction -> widest access made from it
};

}  // namespace

std::vector<MergedAccess> find_merged_accesses(const ptx::Function& function, const MachineFunction& machine) {
    std::vector<MergedAccess> merged(function.instructions.size());
    Merger(function, machine, ptx::Opcode::ld, MachineKind::shared_load, merged).merge();
    Merger(function, machine, ptx::Opcode::st, MachineKind::shared_store, merged).merge();
    return merged;
}

}  // namespace optiml::emulator
