#include "evaluation/volatile_values.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "evaluation/value_flow.h"

namespace optiml::evaluation {
namespace {

using ptx::OperandKind;
using Special = ptx::SpecialRegister;

struct VolatileSource {
    const char* name;
    std::vector<Special> registers;
    bool may_address = false;
};

const std::array<VolatileSource, 4> kSources{{{"a clock", {Special::clock, Special::clock_hi, Special::clock64}, false},
                                      {"a timer", {Special::globaltimer, Special::globaltimer_lo, Special::globaltimer_hi}, false},
                                      {"the multiprocessor that it runs on", {Special::smid}, true},
                                      {"the warp's place on its multiprocessor", {Special::warpid}, true}}};

bool reads(const ptx::Instruction& instruction, const VolatileSource& source) {
    return std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& operand) {
        return operand.kind == OperandKind::special && std::find(source.registers.begin(), source.registers.end(), operand.special) != source.registers.end();
    });
}

// Whether the source says of its own lines that they are another file's.
bool names_other_files(std::string_view source) {
    for (std::size_t hash = source.find('#'); hash != std::string_view::npos; hash = source.find('#', hash + 1)) {
        const std::size_t word = source.find_first_not_of(" \t", hash + 1);
        if (word == std::string_view::npos) return false;
        if (source.substr(word).starts_with("line") || is_digit(source[word])) return true;
    }
    return false;
}

// Branches in the toolkit's headers: libcu++ chooses by the clock how long to sleep between two looks at a barrier. What such a loop
// returns is followed further.
std::vector<bool> branches_of_toolkit(const ptx::Function& function, const Build& build) {
    std::vector<bool> are(function.instructions.size());
    if (build.toolkit_headers.empty() || names_other_files(build.source)) return are;
    for (std::size_t i = 0; i < are.size(); ++i) {
        const ptx::Instruction& instruction = function.instructions[i];
        const std::uint32_t file = instruction.place.file;
        are[i] = moves_control(instruction.opcode) && file < build.module->files.size() &&
                 build.module->files[file].starts_with(build.toolkit_headers + "/");
    }
    return are;
}

// Whether the instruction makes something of the value that others can see.
bool shows(const ptx::Instruction& instruction, const ValueFlow& flow, const VolatileSource& source, bool may_branch) {
    const bool writes = is_store(instruction.opcode) || is_atomic(instruction.opcode);
    if (writes || (moves_control(instruction.opcode) && !may_branch)) {
        if (flow.decides(instruction)) return true;
    }
    if (!writes && !is_load(instruction.opcode)) return false;
    // What shared and local memory take is followed further.
    const bool is_followed = instruction.modifiers.space == ptx::Space::shared || instruction.modifiers.space == ptx::Space::local;
    return std::any_of(instruction.sources.begin(), instruction.sources.end(), [&](const ptx::Operand& operand) {
        if (!flow.holds(operand)) return false;
        return operand.kind == OperandKind::address ? !source.may_address : writes && !is_followed;
    });
}

const ptx::Instruction* first_shown(const ptx::Function& function, const Build& build, const VolatileSource& source) {
    const bool is_read = std::any_of(function.instructions.begin(), function.instructions.end(),
                                     [&](const ptx::Instruction& instruction) { return reads(instruction, source); });
    if (!is_read) return nullptr;
    const ValueFlow flow(function, [&](const ptx::Instruction& instruction) { return reads(instruction, source); });
    const std::vector<bool> may_branch = branches_of_toolkit(function, build);
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        if (shows(function.instructions[i], flow, source, may_branch[i])) return &function.instructions[i];
    }
    return nullptr;
}

// Of the kernel's author, not of a header.
std::uint32_t line_in_source(const ptx::Instruction& instruction) {
    const bool from_elsewhere = instruction.inlined_at.line != 0 && instruction.inlined_at.file != instruction.place.file;
    return from_elsewhere ? instruction.inlined_at.line : instruction.place.line;
}

}  // namespace

std::optional<Finding> find_volatile_result(const Build& build) {
    for (const ptx::Function& function : build.module->functions) {
        for (const VolatileSource& source : kSources) {
            const ptx::Instruction* shown = first_shown(function, build, source);
            if (shown == nullptr) continue;
            const auto kernel = std::find_if(build.kernels.begin(), build.kernels.end(),
                                             [&](const KernelBuild& known) { return known.lowered_name == function.name; });
            return Finding{FindingKind::nondeterministic, fmt::format("what it does or stores hangs on {}, which differs from run to run", source.name),
                           build.file, line_in_source(*shown), kernel == build.kernels.end() ? function.name : kernel->kernel};
        }
    }
    return std::nullopt;
}

}  // namespace optiml::evaluation
