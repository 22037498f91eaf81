#include "task/candidate.h"

#include "task/digest_fields.h"

namespace optiml::task {

Digest Candidate::digest() const {
    Hasher hasher;
    hasher.add(source).add(plan.canonical_text());
    add_fields(hasher, compile);
    return hasher.finish();
}

Candidate original_of(const Task& task) { return {task.source, task.plan, task.compile, {}}; }

}  // namespace optiml::task
