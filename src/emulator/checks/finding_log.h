#pragma once
// Findings of a launch, one a (kind, place, buffer).

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/finding.h"

namespace optiml::emulator {

class FindingLog {
public:
    explicit FindingLog(std::size_t most) : most_(most) {}

    // Findings beyond the most are dropped, further occurrences of known ones are counted.
    void add(Finding finding);
    bool empty() const { return findings_.empty(); }
    // Sorted by kind, file, line.
    std::vector<Finding> take();

private:
    using Key = std::tuple<FindingKind, std::string, std::uint32_t, std::string>;
    std::size_t most_;
    std::map<Key, Finding> findings_;
};

}  // namespace optiml::emulator
