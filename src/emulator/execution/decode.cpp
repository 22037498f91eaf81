#include "emulator/execution/decode.h"

#include <algorithm>
#include <iterator>

#include "emulator/execution/handlers.h"
#include "emulator/execution/memory_form.h"
#include "emulator/execution/program_builder.h"

namespace optiml::emulator {
namespace {

using ptx::Opcode;
using ptx::OperandKind;

// A kernel that asks for clusters of several blocks: what blocks run in is not emulated, and it could see that.
bool asks_for_clusters(const ptx::Function& function) {
    return std::any_of(std::begin(function.cluster), std::end(function.cluster), [](std::uint32_t blocks) { return blocks > 1; });
}

bool tells_of_clusters(ptx::SpecialRegister special) {
    return special >= ptx::SpecialRegister::clusterid_x && special <= ptx::SpecialRegister::cluster_nctarank;
}

// The handler of what reads a special register without a value here; nullptr: it has one.
Handler refusal_of(ptx::SpecialRegister special, const ptx::Function& function) {
    if (tells_of_clusters(special) && asks_for_clusters(function)) return handlers::not_emulated;
    switch (special) {
        case ptx::SpecialRegister::unknown:
        case ptx::SpecialRegister::reserved_smem_offset_1: return handlers::not_emulated;
        case ptx::SpecialRegister::envreg1:  // both hold the address of what grid-wide synchronisation works on
        case ptx::SpecialRegister::envreg2: return handlers::needs_cooperative_launch;
        default: return nullptr;
    }
}

class Decoder {
public:
    Decoder(const ptx::Function& function, const ModuleImage& image, KernelImage& kernel, Program& program)
        : function_(function), kernel_(kernel), program_(program), builder_(function, image, kernel.shared, program) {}

    void decode() {
        block_of_.resize(function_.instructions.size());
        for (std::uint32_t block = 0; block < function_.blocks.size(); ++block)
            std::fill(block_of_.begin() + function_.blocks[block].first, block_of_.begin() + function_.blocks[block].last, block);
        for (std::uint32_t index = 0; index < function_.instructions.size(); ++index)
            program_.operations.push_back(decode_instruction(index));
        for (const ptx::BasicBlock& block : function_.blocks) {
            if (block.first == block.last) continue;
            program_.operations[block.last - 1].ends_block = true;
            mark_stalls(block);
        }
    }

private:
    Operation decode_instruction(std::uint32_t index) {
        const ptx::Instruction& instruction = function_.instructions[index];
        Operation operation;
        operation.instruction = &instruction;
        operation.index = index;
        operation.compute = find_lane_function(function_, instruction);
        if (operation.compute != nullptr)
            operation.shadow = find_shadow_function(function_, instruction);
        else
            operation.handler = find_handler(instruction);
        operation.handles_shadows = instruction.opcode == Opcode::shfl_sync || instruction.opcode == Opcode::wmma_mma ||
                                    instruction.opcode == Opcode::mma_sync || instruction.opcode == Opcode::atom ||
                                    instruction.opcode == Opcode::tex || instruction.opcode == Opcode::tld4 || instruction.opcode == Opcode::suld;
        if (operation.compute == nullptr && operation.handler == nullptr) operation.handler = handlers::not_emulated;
        if (instruction.guard != ptx::none) {
            operation.guarded = true;
            operation.guard_negated = instruction.guard_negated;
            operation.guard_offset = builder_.guard_offset(instruction.guard);
            operation.guard_row = instruction.guard;
        }
        operation.first_slot = static_cast<std::uint32_t>(program_.slots.size());
        for (const ptx::Operand& operand : instruction.destinations) add_slots(operation, operand, operation.destination_count);
        for (const ptx::Operand& operand : instruction.sources) add_slots(operation, operand, operation.source_count);
        operation.ends_block = instruction.opcode == Opcode::call;  // lanes that called different functions meet after it
        decode_control(operation);
        operation.memory = memory_form(function_, index, builder_);
        if (operation.memory.lane_bytes() != 0 && instruction.opcode != Opcode::unknown) operation.memory.site = number_site(index);
        return operation;
    }

    // Labels, functions to call and prototypes are not rows; addresses have a form of their own.
    void add_slots(Operation& operation, const ptx::Operand& operand, std::uint8_t& count) {
        switch (operand.kind) {
            case OperandKind::vector:
                for (std::uint32_t element = 0; element < operand.count; ++element)
                    add_slots(operation, function_.operand_pool[operand.first + element], count);
                return;
            case OperandKind::none: case OperandKind::address: case OperandKind::label: case OperandKind::prototype: return;
            default: break;
        }
        const bool is_source = &count == &operation.source_count;
        const std::uint32_t width = is_source ? operand_width(operation, count) : 32;
        if (is_source && operand.negated) operation.negated_sources |= 1u << count;
        if (operand.kind == OperandKind::special) {
            if (const Handler refusal = refusal_of(operand.special, function_)) {
                operation.compute = nullptr;
                operation.handler = refusal;
            }
            operation.reads_clock |= ProgramBuilder::is_clock(operand.special);
        }
        const bool is_call_symbol = operation.instruction->opcode == Opcode::call && operand.kind == OperandKind::symbol;
        program_.slots.push_back(is_call_symbol ? Slot{} : builder_.slot(operand, width));
        ++count;
    }

    std::uint32_t operand_width(const Operation& operation, std::uint32_t index) const {
        if (operation.compute != nullptr) return source_width(function_, *operation.instruction, index);
        return handled_source_width(*operation.instruction, index);
    }

    void decode_control(Operation& operation) {
        const ptx::Instruction& instruction = *operation.instruction;
        const ptx::BasicBlock& block = function_.blocks[block_of_[operation.index]];
        const bool branches = instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx_idx;
        if (!branches) return;
        if (block.post_dominator != ptx::none && !only_ends_thread(block.post_dominator))
            operation.reconvergence = function_.blocks[block.post_dominator].first;
        if (instruction.opcode == Opcode::bra) {
            operation.target = function_.blocks[instruction.sources[0].index].first;
            operation.goes_back = operation.target <= operation.index;
        }
    }

    // Lanes that branch to a kernel's bare `ret` are through: they do not wait there for the others.
    bool only_ends_thread(std::uint32_t block_index) const {
        const ptx::BasicBlock& block = function_.blocks[block_index];
        if (!function_.is_kernel || block.last - block.first != 1) return false;
        const ptx::Instruction& only = function_.instructions[block.first];
        return only.guard == ptx::none && (only.opcode == Opcode::ret || only.opcode == Opcode::exit);
    }

    // A warp stalls at the first instruction that needs what a load of the block fetches from beyond the SM.
    void mark_stalls(const ptx::BasicBlock& block) {
        std::vector<std::uint32_t> pending;
        for (std::uint32_t index = block.first; index < block.last; ++index) {
            Operation& operation = program_.operations[index];
            const Slot* slots = program_.slots_of(operation);
            const auto is_pending = [&](std::uint32_t row) { return row != kNoRow && std::ranges::find(pending, row) != pending.end(); };
            bool stalls = is_pending(operation.guard_row) || is_pending(operation.memory.address.base.row) ||
                          (index + 1 == block.last && !pending.empty());
            for (int slot = 0; slot < operation.destination_count + operation.source_count; ++slot) stalls |= is_pending(slots[slot].row);
            if (stalls) {
                operation.waits_for_load = true;
                pending.clear();
            }
            if (!fetches_from_afar(operation)) continue;
            for (int slot = 0; slot < operation.destination_count; ++slot) pending.push_back(slots[slot].row);
        }
    }

    static bool fetches_from_afar(const Operation& operation) {
        const Opcode opcode = operation.instruction->opcode;
        const ptx::Space space = operation.memory.space;
        const bool fetches = opcode == Opcode::tex || opcode == Opcode::tld4 || opcode == Opcode::suld;
        return fetches || ((opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::atom) &&
                           (space == ptx::Space::global || space == ptx::Space::generic));
    }

    std::uint32_t number_site(std::uint32_t index) {
        kernel_.sites.emplace_back(&function_, index);
        return static_cast<std::uint32_t>(kernel_.sites.size() - 1);
    }

    const ptx::Function& function_;
    KernelImage& kernel_;
    Program& program_;
    ProgramBuilder builder_;
    std::vector<std::uint32_t> block_of_;
};

}  // namespace

Program decode(const ptx::Function& function, std::uint32_t number, const ModuleImage& image, KernelImage& kernel) {
    Program program;
    program.function = &function;
    program.number = number;
    program.undefined = ptx::undefined_registers(function);
    Decoder(function, image, kernel, program).decode();
    return program;
}

}  // namespace optiml::emulator
