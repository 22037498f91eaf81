#pragma once
// The original's latest samples, kept from one comparison to the next. Against a candidate that is far away they serve as well as new
// ones: what a card's clock or memory does in some seconds changes a time by a fifth at most, not threefold.

#include <cstddef>
#include <vector>

namespace optiml::gpu {

class KnownTimes {
public:
    // now: seconds on one clock.
    void add(double milliseconds, double now);
    // Whether they may stand in for new samples beside these of the candidate, of which there must be one: all of those lie at least three
    // times above or below all known times, and enough of these are known, the last of them of late.
    bool suffice(const std::vector<double>& candidate_ms, double now) const;
    const std::vector<double>& times() const { return times_; }  // milliseconds, the oldest first

private:
    std::vector<double> times_;
    double latest_ = 0;
};

}  // namespace optiml::gpu
