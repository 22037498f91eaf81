#include "evaluation/size_constants.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace optiml::evaluation {
namespace {

constexpr std::int64_t kLeast = 2, kMost = 1 << 16;

std::set<std::int64_t> compared_with(const ptx::Module& module) {
    std::set<std::int64_t> constants;
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.opcode != ptx::Opcode::setp || ptx::is_float(instruction.modifiers.type)) continue;
            for (const ptx::Operand& operand : instruction.sources) {
                const auto value = static_cast<std::int64_t>(operand.bits);
                if (operand.kind == ptx::OperandKind::immediate && value >= kLeast && value <= kMost) constants.insert(value);
            }
        }
    }
    return constants;
}

}  // namespace

std::vector<std::int64_t> size_constants(const ptx::Module& candidate, const ptx::Module& original) {
    const std::set<std::int64_t> own = compared_with(candidate), known = compared_with(original);
    std::vector<std::int64_t> constants;
    std::set_difference(own.begin(), own.end(), known.begin(), known.end(), std::back_inserter(constants));
    return constants;
}

}  // namespace optiml::evaluation
