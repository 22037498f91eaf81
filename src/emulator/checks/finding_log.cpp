#include "emulator/checks/finding_log.h"

namespace optiml::emulator {

std::string_view name_of(FindingKind kind) {
    switch (kind) {
        case FindingKind::out_of_bounds: return "out_of_bounds";
        case FindingKind::misaligned: return "misaligned";
        case FindingKind::uninitialized: return "uninitialized";
        case FindingKind::race: return "race";
        case FindingKind::barrier: return "barrier";
        case FindingKind::shuffle: return "shuffle";
        case FindingKind::time_limit: return "time_limit";
        case FindingKind::launch: return "launch";
        case FindingKind::unsupported: return "unsupported";
        case FindingKind::trap: return "trap";
    }
    return "unknown";
}

void FindingLog::add(Finding finding) {
    Key key{finding.kind, finding.file, finding.line, finding.buffer};
    const auto known = findings_.find(key);
    if (known != findings_.end()) {
        ++known->second.occurrences;
    } else if (findings_.size() < most_) {
        findings_.emplace(std::move(key), std::move(finding));
    }
}

std::vector<Finding> FindingLog::take() {
    std::vector<Finding> sorted;
    for (auto& [key, finding] : findings_) sorted.push_back(std::move(finding));
    findings_.clear();
    return sorted;
}

}  // namespace optiml::emulator
