#include "gpu/sampling.h"

#include <algorithm>

#include "base/random.h"

namespace optiml::gpu {
namespace {

constexpr std::size_t kMostDropped = 50;
constexpr std::uint64_t kLeastPairs = 2;  // however long they take

class Turns {
public:
    Turns(const Sampler& sample, bool with_original, const StoppingRule& rule, const TimingOptions& options, const Clock& clock)
        : sample_(sample), with_original_(with_original), rule_(rule), options_(options), clock_(clock), deadline_(clock, options.maximum_seconds) {}

    DeviceResult<PairedTimes> run() && {
        for (std::uint64_t pair = 0; !is_enough(); ++pair) {
            times_.stopped_by_limit = times_.candidate_ms.size() >= options_.maximum_samples || is_out_of_time(pair);
            times_.everything_throttled = times_.dropped > kMostDropped && times_.candidate_ms.size() < times_.dropped / 10;
            if (times_.stopped_by_limit || times_.everything_throttled) break;
            if (const auto ran = take_pair(pair); !ran) return tl::make_unexpected(ran.error());
        }
        // What sufficed when the original was passed over may have grown old in a long sample of the candidate since.
        if (known_suffices() || (passed_over_ && times_.original_ms.empty())) times_.original_ms = options_.known_original->times();
        return std::move(times_);
    }

private:
    // How well the known times are known does not matter to a candidate that is far from them.
    bool is_enough() const {
        if (!known_suffices()) return rule_.enough(times_.original_ms, times_.candidate_ms);
        return rule_.enough({}, times_.candidate_ms) || rule_.enough(options_.known_original->times(), times_.candidate_ms);
    }

    bool known_suffices() const {
        return with_original_ && options_.known_original != nullptr && options_.known_original->suffice(times_.candidate_ms, clock_.now());
    }

    // A pair that would end after the limit is not begun.
    bool is_out_of_time(std::uint64_t pairs) const {
        return deadline_.passed() || (pairs >= kLeastPairs && deadline_.seconds_left() < longest_pair_);
    }

    DeviceStatus take_pair(std::uint64_t pair) {
        const double began = clock_.now();
        // Where the original is known the candidate's first sample may show that it need not run at all.
        const bool candidate_first = (pair == 0 && options_.known_original != nullptr) || (random_bits(options_.order_seed, pair) & 1) == 0;
        const Side first = candidate_first ? Side::candidate : Side::original, second = candidate_first ? Side::original : Side::candidate;
        for (const Side side : {first, second}) {
            if (side == Side::original && known_suffices()) passed_over_ = true;
            if (side == Side::original && (!with_original_ || known_suffices())) continue;
            if (const auto ran = take(side); !ran) return ran;
        }
        longest_pair_ = std::max(longest_pair_, clock_.now() - began);
        return {};
    }

    DeviceStatus take(Side side) {
        const auto milliseconds = sample_(side);
        if (!milliseconds) return tl::make_unexpected(milliseconds.error());
        if (!*milliseconds) {
            ++times_.dropped;
            return {};
        }
        (side == Side::original ? times_.original_ms : times_.candidate_ms).push_back(**milliseconds);
        if (side == Side::original && options_.known_original != nullptr) options_.known_original->add(**milliseconds, clock_.now());
        return {};
    }

    const Sampler& sample_;
    const bool with_original_;
    const StoppingRule& rule_;
    const TimingOptions& options_;
    const Clock& clock_;
    const Deadline deadline_;
    PairedTimes times_;
    double longest_pair_ = 0;
    bool passed_over_ = false;  // the original, for what is known of it
};

}  // namespace

DeviceResult<PairedTimes> sample_in_turns(const Sampler& sample, bool with_original, const StoppingRule& rule, const TimingOptions& options,
                                          const Clock& clock) {
    return Turns(sample, with_original, rule, options, clock).run();
}

}  // namespace optiml::gpu
