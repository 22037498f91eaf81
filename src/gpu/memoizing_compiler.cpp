#include "gpu/memoizing_compiler.h"

#include <algorithm>

namespace optiml::gpu {
namespace {

Digest key_of(const CompileRequest& request) {
    Hasher hasher;
    hasher.add(request.source).add(request.file_name).add(request.prelude).add(request.standard);
    hasher.add(request.compute_capability).add(request.want_cubin ? 1 : 0);
    for (const auto* list : {&request.name_expressions, &request.options, &request.include_paths}) {
        hasher.add(list->size());
        for (const std::string& text : *list) hasher.add(text);
    }
    return hasher.finish();
}

}  // namespace

CompileOutcome MemoizingCompiler::compile(const CompileRequest& request) {
    const Digest key = key_of(request);
    {
        const std::lock_guard lock(mutex_);
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.key == key; });
        if (found != entries_.end()) {
            entries_.splice(entries_.begin(), entries_, found);
            return found->outcome;
        }
    }
    // Not under the lock: two threads may compile the same code once each, which is rarer than different code.
    CompileOutcome outcome = compiler_.compile(request);
    if (outcome.is_inconclusive) return outcome;
    const std::lock_guard lock(mutex_);
    entries_.push_front({key, outcome});
    if (entries_.size() > capacity_) entries_.pop_back();
    return outcome;
}

}  // namespace optiml::gpu
