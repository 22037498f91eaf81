#include "emulator/execution/pointer_flow.h"

#include <algorithm>
#include <cstring>

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using ptx::OperandKind;
using ptx::Space;

// A set of parameters by index, and at the end whether the value may also come from elsewhere.
using Roots = std::vector<bool>;

bool merge(Roots& into, const Roots& from) {
    bool changed = false;
    for (std::size_t i = 0; i < from.size(); ++i) {
        if (!from[i] || into[i]) continue;
        into[i] = changed = true;
    }
    return changed;
}

bool is_store(const ptx::Instruction& instruction) {
    const Space space = instruction.modifiers.space;
    if (space != Space::global && space != Space::generic) return false;
    switch (instruction.opcode) {
        case Opcode::st: case Opcode::atom: case Opcode::red: case Opcode::wmma_store: return true;
        default: return false;
    }
}

class PointerFlow {
public:
    PointerFlow(const ptx::Function& function, std::size_t parameters)
        : function_(function), unknown_(parameters), roots_(function.registers.size(), Roots(parameters + 1)) {}

    Roots written() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (const ptx::Instruction& instruction : function_.instructions) changed |= step(instruction);
        }
        Roots written(unknown_ + 1);
        for (const ptx::Instruction& instruction : function_.instructions) {
            if (!is_store(instruction)) continue;
            for (const ptx::Operand& operand : instruction.sources)
                if (operand.kind == OperandKind::address) merge(written, roots_of(operand));
        }
        return written;
    }

private:
    bool step(const ptx::Instruction& instruction) {
        const Roots value = value_of(instruction);
        bool changed = false;
        for_each_register(instruction.destinations, [&](std::uint32_t index) { changed |= merge(roots_[index], value); });
        return changed;
    }

    Roots value_of(const ptx::Instruction& instruction) {
        Roots value(unknown_ + 1);
        const bool loads = instruction.opcode == Opcode::ld || instruction.opcode == Opcode::ldu || instruction.opcode == Opcode::atom;
        if (!loads) {
            for_each_register(instruction.sources, [&](std::uint32_t index) { merge(value, roots_[index]); });
            return value;
        }
        const ptx::Operand& address = *std::ranges::find(instruction.sources, OperandKind::address, &ptx::Operand::kind);
        const bool is_parameter = function_.is_kernel && address.is_symbol && address.local_symbol && address.index < function_.parameters.size();
        if (is_parameter)
            value[address.index] = true;
        else
            value[unknown_] = ptx::bits_of(instruction.modifiers.type) >= 64;
        return value;
    }

    Roots roots_of(const ptx::Operand& address) const {
        if (address.is_symbol || address.index == ptx::none) return Roots(unknown_ + 1);
        return roots_[address.index];
    }

    template <class Act>
    void for_each_register(const std::vector<ptx::Operand>& operands, Act act) const {
        for (const ptx::Operand& operand : operands) {
            if (operand.kind == OperandKind::reg) act(operand.index);
            if (operand.kind != OperandKind::vector) continue;
            for (std::uint32_t element = 0; element < operand.count; ++element) {
                const ptx::Operand& part = function_.operand_pool[operand.first + element];
                if (part.kind == OperandKind::reg) act(part.index);
            }
        }
    }

    const ptx::Function& function_;
    std::size_t unknown_;  // index of "elsewhere" in Roots
    std::vector<Roots> roots_;
};

// Buffers that the bytes of a structure may point to.
void mark_pointers(Memory::Implementation& memory, const std::vector<std::uint8_t>& bytes) {
    for (std::size_t offset = 0; offset + sizeof(std::uint64_t) <= bytes.size(); offset += sizeof(std::uint64_t)) {
        std::uint64_t value;
        std::memcpy(&value, bytes.data() + offset, sizeof value);
        if (Region* region = memory.region_near(value)) region->may_be_written = true;
    }
}

}  // namespace

WrittenParameters written_parameters(const ptx::Function& kernel, const std::vector<const ptx::Function*>& functions) {
    WrittenParameters written;
    Roots roots = PointerFlow(kernel, kernel.parameters.size()).written();
    written.anything = roots.back();
    roots.pop_back();
    written.parameters = std::move(roots);
    for (const ptx::Function* function : functions)
        written.anything |= function != &kernel && std::ranges::any_of(function->instructions, is_store);
    for (const ptx::Function* function : functions)
        written.surfaces |= std::ranges::any_of(function->instructions, [](const ptx::Instruction& instruction) { return instruction.opcode == Opcode::sust; });
    return written;
}

void mark_written_regions(Memory::Implementation& memory, const Launch& launch, const KernelImage& kernel) {
    for (Region* buffer : memory.buffers) buffer->may_be_written = kernel.written.anything;
    for (std::size_t index = 0; index < launch.arguments.size(); ++index) {
        if (!kernel.written.parameters[index]) continue;
        if (const auto* buffer = std::get_if<BufferArgument>(&launch.arguments[index]))
            memory.buffers[buffer->buffer]->may_be_written = true;
        else
            mark_pointers(memory, std::get<std::vector<std::uint8_t>>(launch.arguments[index]));
    }
    for (const TextureObject& texture : memory.textures) memory.regions[texture.region].may_be_written = texture.is_surface && kernel.written.surfaces;
}

}  // namespace optiml::emulator
