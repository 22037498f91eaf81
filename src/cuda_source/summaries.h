#pragma once
// What functions of the file do, their callees included.

#include <map>
#include <set>
#include <vector>

#include "cuda_source/analysis.h"

namespace optiml::cuda_source {

struct Effects {
    bool barrier = false;
    bool warp_primitives = false;
    bool atomics = false;
    bool inline_assembly = false;
    bool unknown_calls = false;  // also: memory reached through a pointer whose origin is unknown is written
    bool dynamic_shared = false;
    std::set<VariableId> reads;  // through pointer or reference parameters, and file-scope variables
    std::set<VariableId> writes;
    std::set<VariableId> atomic_on;

    void include(const Effects& callee);  // the flags, not the sets
};

class Summaries {
public:
    explicit Summaries(const SourceFile& source) : source_(source) {}
    // A recursive function counts as an unknown call.
    const Effects& of(FunctionId function);

private:
    const SourceFile& source_;
    std::map<FunctionId, Effects> known_;
    std::set<FunctionId> open_;
};

}  // namespace optiml::cuda_source
