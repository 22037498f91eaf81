#include "evaluation/code_digest.h"

namespace optiml::evaluation {

Digest digest_of_code(const Digest& ptx, const task::Candidate& candidate) {
    Hasher hasher;
    hasher.add(ptx).add(candidate.plan.canonical_text());
    for (const std::string& option : candidate.compile.extra) hasher.add(option);
    return hasher.finish();
}

}  // namespace optiml::evaluation
