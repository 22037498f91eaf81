#pragma once
// Which values a run gets. Values follow from a round's number; equal rounds give equal values.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace optiml::evaluation::device {

class Rounds {
public:
    // From here on rounds whose truth is kept; fresh ones stay below.
    static constexpr std::uint64_t kFirstKept = std::uint64_t{1} << 40;

    // secret: of this process, so that nobody can know which values come next.
    explicit Rounds(std::uint64_t secret) : secret_(secret) {}

    // Judged runs draw from so many rounds, whose truth the original computes once and not for every candidate: for originals that take
    // long.
    void keep(std::size_t count) { kept_ = count; }
    bool keeps() const { return kept_ > 0; }
    // Puts the kept rounds into another order.
    void begin_candidate();
    std::uint64_t candidates() const { return candidates_; }  // begun so far
    // Of a run whose truth is not wanted: never given before.
    std::uint64_t fresh() { return ++last_; }
    // Of a run that will be judged: no candidate gets one of them twice, since it could have kept its results.
    std::uint64_t judged();

private:
    const std::uint64_t secret_;
    std::uint64_t last_ = 0, candidates_ = 0;
    std::size_t kept_ = 0;
    std::vector<std::uint64_t> order_;  // kept rounds that this candidate has not had
};

}  // namespace optiml::evaluation::device
