#pragma once
// What CUDA's own functions do besides computing their result.

#include <cstdint>

#include "cuda_source/syntax.h"

namespace optiml::cuda_source {

enum class CallEffect : std::uint8_t {
    none,     // a function of its arguments' values: math, conversions, intrinsics
    barrier,  // __syncthreads and the like, fences
    warp,     // shuffles, votes, __syncwarp
    atomic,   // on what the first argument points to
    load,     // __ldg and the like: reads what the first argument points to
    store,    // __stcs and the like: writes it
    outputs,  // sincosf and the like: reads or writes what its pointer arguments point to, and nothing else
    unknown,
};

// For a call or member_call of a function that is not one of this file.
CallEffect effect_of_builtin(const Expression& call);

}  // namespace optiml::cuda_source
