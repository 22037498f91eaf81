#pragma once
// Whether pointer parameters can name the same memory, read off the launch plan: it says which buffers a kernel gets.

#include <cstddef>

#include "transforms/transformation.h"

namespace optiml::transforms {

// In every launch of the kernel the two pointer parameters get different buffers (of ping-pong pairs with the same selector: at each
// position). Distinct buffers never overlap.
bool are_distinct_buffers(const Context& context, std::size_t kernel, cuda_source::VariableId a, cuda_source::VariableId b);

// The parameter's buffer begins at a multiple of `bytes` in every launch, whatever the sizes.
bool is_aligned(const Context& context, std::size_t kernel, cuda_source::VariableId parameter, std::uint32_t bytes);

// Whether the kernel writes through the parameter (or a pointer made from it), or passes it where we cannot see.
bool may_be_written(const Context& context, std::size_t kernel, cuda_source::VariableId parameter);

// Position in the kernel's parameter list; nullopt if the variable is none of its parameters.
std::optional<std::size_t> parameter_position(const Context& context, std::size_t kernel, cuda_source::VariableId variable);

}  // namespace optiml::transforms
