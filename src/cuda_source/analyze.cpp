#include <algorithm>

#include "cuda_source/accesses.h"
#include "cuda_source/analysis.h"
#include "cuda_source/loops.h"

namespace optiml::cuda_source {

const CanonicalLoop* KernelFacts::loop_at(StatementId statement) const {
    const auto found =
        std::find_if(loops.begin(), loops.end(), [&](const CanonicalLoop& loop) { return loop.statement == statement; });
    return found == loops.end() ? nullptr : &*found;
}

KernelFacts analyze(const SourceFile& source, FunctionId kernel) {
    KernelFacts facts;
    facts.function = kernel;
    Summaries summaries(source);
    const Values values(source, kernel);
    CollectedAccesses collected = collect_accesses(source, kernel, values, summaries);
    facts.accesses = std::move(collected.accesses);
    facts.has_barrier = collected.effects.barrier;
    facts.has_warp_primitives = collected.effects.warp_primitives;
    facts.has_atomics = collected.effects.atomics;
    facts.has_inline_assembly = collected.effects.inline_assembly;
    facts.calls_unknown = collected.effects.unknown_calls;
    facts.uses_dynamic_shared = collected.effects.dynamic_shared;
    classify_loops(source, values, summaries, facts);
    return facts;
}

}  // namespace optiml::cuda_source
