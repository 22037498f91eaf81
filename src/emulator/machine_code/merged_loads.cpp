#include "emulator/machine_code/merged_loads.h"

#include <algorithm>
#include <map>

namespace optiml::emulator {
namespace {

bool is_shared_load(const ptx::Instruction& instruction) {
    return instruction.opcode == ptx::Opcode::ld && instruction.modifiers.space == ptx::Space::shared && !instruction.sources.empty() &&
           instruction.sources[0].kind == ptx::OperandKind::address;
}

std::uint32_t bytes_of(const ptx::Instruction& load) { return ptx::bits_of(load.modifiers.type) / 8 * load.modifiers.vector; }

std::int64_t offset_of(const ptx::Instruction& load) { return static_cast<std::int64_t>(load.sources[0].bits); }

bool same_base(const ptx::Instruction& a, const ptx::Instruction& b) {
    const ptx::Operand& x = a.sources[0];
    const ptx::Operand& y = b.sources[0];
    return x.is_symbol == y.is_symbol && x.local_symbol == y.local_symbol && x.index == y.index;
}

class Merger {
public:
    Merger(const ptx::Function& function, const MachineFunction& machine) : function_(function), merged_(function.instructions.size()) {
        std::map<std::uint32_t, std::uint32_t> by_line;
        for (std::uint32_t i = 0; i < function.instructions.size(); ++i) by_line[function.instructions[i].ptx_line] = i;
        for (const MachineInstruction& instruction : machine.instructions) {
            const auto origin = by_line.find(instruction.ptx_line);
            if (instruction.kind != MachineKind::shared_load || origin == by_line.end()) continue;
            std::uint32_t& bytes = machine_bytes_[origin->second];
            bytes = std::max<std::uint32_t>(bytes, instruction.access_bytes);
        }
    }

    std::vector<MergedLoad> merge() {
        for (const auto& [index, bytes] : machine_bytes_) {
            if (!is_shared_load(function_.instructions[index])) continue;
            const std::uint32_t own = bytes_of(function_.instructions[index]);
            // The load may be any part of the merged one; it is most often the first.
            for (std::uint32_t before = 0; before + own <= bytes && own > 0 && bytes > own; before += own) {
                if (take(index, -static_cast<std::int64_t>(before), bytes)) break;
            }
        }
        return std::move(merged_);
    }

private:
    // Whether every other part of [displacement, displacement + bytes) from the load is a load without machine code of its own.
    bool take(std::uint32_t index, std::int64_t displacement, std::uint32_t bytes) {
        const ptx::Instruction& load = function_.instructions[index];
        const std::uint32_t own = bytes_of(load);
        std::vector<std::uint32_t> parts;
        for (std::int64_t at = displacement; at < displacement + bytes; at += own) {
            if (at == 0) continue;
            const std::uint32_t part = find_absent(index, offset_of(load) + at, own);
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
                if (!is_shared_load(other) || !same_base(other, function_.instructions[index]) || offset_of(other) != offset) continue;
                if (bytes_of(other) == bytes && !machine_bytes_.contains(i) && !merged_[i].absent) return i;
            }
        }
        return ptx::none;
    }

    const ptx::Function& function_;
    std::vector<MergedLoad> merged_;
    std::map<std::uint32_t, std::uint32_t> machine_bytes_;  // PTX instruction -> widest load made from it
};

}  // namespace

std::vector<MergedLoad> find_merged_loads(const ptx::Function& function, const MachineFunction& machine) {
    return Merger(function, machine).merge();
}

}  // namespace optiml::emulator
