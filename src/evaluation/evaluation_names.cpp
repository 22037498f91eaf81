#include "evaluation/evaluation.h"

namespace optiml::evaluation {

std::string_view name_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::compile: return "compile";
        case FindingKind::launch: return "launch";
        case FindingKind::out_of_bounds: return "out_of_bounds";
        case FindingKind::misaligned: return "misaligned";
        case FindingKind::uninitialized: return "uninitialized";
        case FindingKind::race: return "race";
        case FindingKind::barrier: return "barrier";
        case FindingKind::shuffle: return "shuffle";
        case FindingKind::time_limit: return "time_limit";
        case FindingKind::wrong_values: return "wrong_values";
        case FindingKind::accuracy: return "accuracy";
        case FindingKind::nondeterministic: return "nondeterministic";
        case FindingKind::input_modified: return "input_modified";
        case FindingKind::unsupported: return "unsupported";
    }
    return "unknown";
}

std::string_view name_of(Level level) {
    switch (level) {
        case Level::none: return "none";
        case Level::L0: return "L0";
        case Level::L1: return "L1";
        case Level::L2: return "L2";
        case Level::L3: return "L3";
        case Level::L4: return "L4";
    }
    return "unknown";
}

double speedup_of(const Evaluation& original, const Evaluation& candidate) {
    if (!original.timing || !candidate.timing || candidate.timing->cold_ms <= 0) return 1;
    const double before = candidate.timing->original_ms > 0 ? candidate.timing->original_ms : original.timing->cold_ms;
    return before / candidate.timing->cold_ms;
}

bool is_certain(const Timing& timing) { return timing.source == Source::modelled || timing.speedup[0] > kLeastCertainSpeedup; }

}  // namespace optiml::evaluation
