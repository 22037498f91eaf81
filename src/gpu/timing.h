#pragma once
// Times on the device: original and candidate interleaved, between device events, launch overhead outside, cold and warm L2 apart.
// Clocks and card settings are never touched; samples taken while the card throttles are dropped.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/statistics.h"
#include "gpu/clocks.h"
#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "gpu/known_times.h"

namespace optiml::gpu {

// What is timed: enqueues all launches of a plan on the device's stream.
struct Timed {
    std::function<DeviceStatus()> prepare;  // before each sample, outside the timed part: restores what the launches change
    std::function<DeviceStatus()> enqueue;
    std::uint32_t launches = 1;             // how many launches enqueue makes
};

// A stopping rule sees the samples so far (milliseconds) and says whether they suffice.
class StoppingRule {
public:
    virtual ~StoppingRule() = default;
    virtual bool enough(const std::vector<double>& original, const std::vector<double>& candidate) const = 0;
};
// Both medians known to within +-half_width (relative) at 95 % by bootstrap, checked from minimum samples on.
std::unique_ptr<StoppingRule> interval_rule(double half_width, std::size_t minimum);
// The candidate is clearly slower (its fastest sample above the original's slowest, by `factor`): no need to know by how much.
std::unique_ptr<StoppingRule> hopeless_rule(double factor, std::size_t minimum);
// An advantage that a few samples may only seem to show, 0.1 being 10 %. Below `least` nobody calls it one.
struct SmallAdvantage {
    double least = 0;
    double most = 0;
};
// As `rule`, but where the candidate seems a little faster (all its samples below all of the original's, by such an advantage) only from so
// many samples on: of two equal kernels one is so in 1 of 252 comparisons of five samples, and in 1 of 184,756 of ten.
std::unique_ptr<StoppingRule> convinced_rule(std::unique_ptr<StoppingRule> rule, SmallAdvantage small, std::size_t minimum);
std::unique_ptr<StoppingRule> count_rule(std::size_t samples);
std::unique_ptr<StoppingRule> any_rule(std::vector<std::unique_ptr<StoppingRule>> rules);

struct TimingOptions {
    bool cold = true;                 // flush L2 before each sample
    std::size_t maximum_samples = 200;
    double maximum_seconds = 2;       // whatever the rule says: at most one pair of samples ends after it
    std::uint64_t order_seed = 1;     // which of the two comes first in each pair
    bool warm_up = true;              // run each once before the first sample (lazy loading)
    KnownTimes* known_original = nullptr;  // the original's samples so far, and what they are added to; null: it is always run
};

// Where the host's time went, seconds.
struct TimingParts {
    double prepare = 0;
    double enqueue = 0;
    double run = 0;                   // waiting for the device
    double clocks = 0;                // asking for throttling
};

struct PairedTimes {
    std::vector<double> original_ms;  // of these runs, or the known ones
    std::vector<double> candidate_ms;
    std::uint64_t dropped = 0;        // throttled, or the stream was not filled in time
    bool stopped_by_limit = false;    // samples or seconds ran out before the rule was content
    bool everything_throttled = false;
    TimingParts parts;
};

class Timer {
public:
    static DeviceResult<std::unique_ptr<Timer>> make(Device& device, HelperKernels& kernels, Clocks* clocks, const Clock& clock);

    // The first failure of either is returned as it is.
    DeviceResult<PairedTimes> compare(const Timed& original, const Timed& candidate, const StoppingRule& rule, const TimingOptions& options);
    // Only one thing, as many samples as the rule wants.
    DeviceResult<PairedTimes> measure(const Timed& candidate, const StoppingRule& rule, const TimingOptions& options);

private:
    Timer(Device& device, HelperKernels& kernels, Clocks* clocks, const Clock& clock, SharedWord word, DeviceEvent begin, DeviceEvent end)
        : device_(device), kernels_(kernels), clocks_(clocks), clock_(clock), word_(std::move(word)), begin_(std::move(begin)),
          end_(std::move(end)) {}

    DeviceResult<std::optional<double>> sample(const Timed& timed, const TimingOptions& options, TimingParts& parts);
    void read_clocks();

    Device& device_;
    HelperKernels& kernels_;
    Clocks* clocks_;
    const Clock& clock_;
    SharedWord word_;
    DeviceEvent begin_;
    DeviceEvent end_;
    double next_clock_reading_ = 0;
    bool throttled_ = false;
};

}  // namespace optiml::gpu
