#pragma once

#include "base/hash.h"
#include "task/candidate.h"

namespace optiml::evaluation {

// Equal for candidates that come to the same code and are launched alike. ptx: of the normalised PTX (Evaluation::ptx); the
// compiler options that only its back end sees are the candidate's.
Digest digest_of_code(const Digest& ptx, const task::Candidate& candidate);

}  // namespace optiml::evaluation
