#pragma once
// Which line of the source wrote one element of a result.

#include <cstdint>
#include <string>

#include "evaluation/reference.h"
#include "task/launch_plan.h"

namespace optiml::evaluation {

struct StorePlace {
    std::string kernel;      // as in the plan
    std::uint32_t line = 0;  // 0: nothing writes the element
};

// Runs the plan twice more, with the buffer cut off before the element and behind it: the line whose number of accesses out of bounds
// differs is the one that writes the element. The last launch that does counts.
Result<StorePlace> writer_of(const VerificationContext& context, const Build& build, const task::LaunchPlan& plan,
                             const InputChoice& choice, std::size_t buffer, std::uint64_t element, std::uint64_t instruction_limit);

// The line of the last instruction that stores anything to the buffer, in the last launch that does; where none can be told apart,
// that of the last launched kernel's name.
StorePlace last_store(const Build& build, const task::ResolvedPlan& plan, std::size_t buffer);

}  // namespace optiml::evaluation
