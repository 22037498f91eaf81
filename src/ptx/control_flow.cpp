#include "ptx/control_flow.h"

#include "ptx/flow_graph.h"

namespace optiml::ptx {
namespace {

bool leaves_function(const Instruction& instruction) {
    return instruction.opcode == Opcode::ret || instruction.opcode == Opcode::exit;
}

bool branches(const Instruction& instruction) { return instruction.opcode == Opcode::bra || instruction.opcode == Opcode::brx_idx; }

template <class Visit>
void for_each_label(Function& function, Visit visit) {
    for (Instruction& instruction : function.instructions) {
        for (Operand& operand : instruction.sources) {
            if (operand.kind == OperandKind::label) visit(operand);
        }
    }
    for (Operand& operand : function.operand_pool) {
        if (operand.kind == OperandKind::label) visit(operand);
    }
}

// By instruction: the block that it lies in.
std::vector<std::uint32_t> split_into_blocks(Function& function) {
    const std::size_t count = function.instructions.size();
    std::vector<bool> leader(count + 1, false);
    leader[0] = true;
    for_each_label(function, [&](Operand& label) { leader[label.index] = true; });
    for (std::size_t i = 0; i < count; ++i) {
        const Instruction& instruction = function.instructions[i];
        if (branches(instruction) || leaves_function(instruction)) leader[i + 1] = true;
    }
    std::vector<std::uint32_t> block_of(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        if (leader[i]) function.blocks.emplace_back().first = i;
        function.blocks.back().last = i + 1;
        block_of[i] = static_cast<std::uint32_t>(function.blocks.size() - 1);
    }
    return block_of;
}

void add_targets(const Function& function, const Instruction& instruction, std::vector<std::uint32_t>& successors) {
    const Operand& target = instruction.sources.back();
    if (target.kind == OperandKind::label) successors.push_back(target.index);
    if (target.kind != OperandKind::vector) return;
    for (std::uint32_t i = 0; i < target.count; ++i) successors.push_back(function.operand_pool[target.first + i].index);
}

void connect_blocks(Function& function) {
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
        const Instruction& last = function.instructions[function.blocks[block].last - 1];
        std::vector<std::uint32_t>& successors = function.blocks[block].successors;
        if (branches(last)) add_targets(function, last, successors);
        if (falls_through(last) && block + 1 < function.blocks.size()) successors.push_back(block + 1);
    }
}

void find_loops(Function& function, const Successors& successors) {
    function.loops = natural_loops(successors);
    std::vector<std::uint32_t> depth(function.loops.size(), 1);
    for (std::uint32_t loop = 0; loop < function.loops.size(); ++loop) {  // outer loops come first
        if (function.loops[loop].parent != none) depth[loop] = depth[function.loops[loop].parent] + 1;
        for (const std::uint32_t block : function.loops[loop].blocks) {
            function.blocks[block].innermost_loop = loop;
            function.blocks[block].loop_depth = depth[loop];
        }
    }
}

}  // namespace

bool falls_through(const Instruction& instruction) {
    return instruction.guard != none || !(branches(instruction) || leaves_function(instruction));
}

void build_control_flow(Function& function) {
    if (function.instructions.empty()) return;
    const std::vector<std::uint32_t> block_of = split_into_blocks(function);
    for_each_label(function, [&](Operand& label) { label.index = block_of[label.index]; });
    connect_blocks(function);

    Successors successors;
    std::vector<bool> leaves;
    for (const BasicBlock& block : function.blocks) {
        successors.push_back(block.successors);
        leaves.push_back(leaves_function(function.instructions[block.last - 1]));
    }
    const auto post_dominators = immediate_post_dominators(successors, leaves);
    for (std::uint32_t block = 0; block < function.blocks.size(); ++block) {
        function.blocks[block].post_dominator = post_dominators[block];
    }
    find_loops(function, successors);
}

}  // namespace optiml::ptx
