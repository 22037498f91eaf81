#include "gpu/timing.h"

#include <algorithm>
#include <utility>

#include "gpu/sampling.h"

namespace optiml::gpu {
namespace {

// The stream holds about 1,000 launches before enqueueing itself blocks; longer plans are timed without holding the stream back.
constexpr std::uint32_t kMostHeldLaunches = 700;
constexpr std::uint32_t kHoldTimeoutMicroseconds = 200'000;

class IntervalRule final : public StoppingRule {
public:
    IntervalRule(double half_width, std::size_t minimum) : half_width_(half_width), minimum_(minimum) {}
    bool enough(const std::vector<double>& original, const std::vector<double>& candidate) const override {
        if (candidate.size() < minimum_ || (candidate.size() - minimum_) % 5 != 0) return false;  // the bootstrap costs more than a sample
        return is_known(candidate) && (original.empty() || is_known(original));
    }

private:
    bool is_known(const std::vector<double>& times) const { return relative_half_width(times, 0.95, 200, times.size()) <= half_width_; }
    double half_width_;
    std::size_t minimum_;
};

class HopelessRule final : public StoppingRule {
public:
    HopelessRule(double factor, std::size_t minimum) : factor_(factor), minimum_(minimum) {}
    bool enough(const std::vector<double>& original, const std::vector<double>& candidate) const override {
        if (original.size() < minimum_ || candidate.size() < minimum_) return false;
        return *std::min_element(candidate.begin(), candidate.end()) > factor_ * *std::max_element(original.begin(), original.end());
    }

private:
    double factor_;
    std::size_t minimum_;
};

class ConvincedRule final : public StoppingRule {
public:
    ConvincedRule(std::unique_ptr<StoppingRule> rule, SmallAdvantage small, std::size_t minimum)
        : rule_(std::move(rule)), small_(small), minimum_(minimum) {}
    bool enough(const std::vector<double>& original, const std::vector<double>& candidate) const override {
        if (!rule_->enough(original, candidate)) return false;
        return original.empty() || candidate.size() >= minimum_ || !seems_a_little_faster(original, candidate);
    }

private:
    bool seems_a_little_faster(const std::vector<double>& original, const std::vector<double>& candidate) const {
        const auto [fastest, slowest] = std::minmax_element(original.begin(), original.end());
        const auto [lowest, highest] = std::minmax_element(candidate.begin(), candidate.end());
        return (1 + small_.least) * *highest < *fastest && *slowest < (1 + small_.most) * *lowest;
    }

    std::unique_ptr<StoppingRule> rule_;
    SmallAdvantage small_;
    std::size_t minimum_;
};

class CountRule final : public StoppingRule {
public:
    explicit CountRule(std::size_t samples) : samples_(samples) {}
    bool enough(const std::vector<double>&, const std::vector<double>& candidate) const override { return candidate.size() >= samples_; }

private:
    std::size_t samples_;
};

class AnyRule final : public StoppingRule {
public:
    explicit AnyRule(std::vector<std::unique_ptr<StoppingRule>> rules) : rules_(std::move(rules)) {}
    bool enough(const std::vector<double>& original, const std::vector<double>& candidate) const override {
        return std::any_of(rules_.begin(), rules_.end(), [&](const auto& rule) { return rule->enough(original, candidate); });
    }

private:
    std::vector<std::unique_ptr<StoppingRule>> rules_;
};

}  // namespace

std::unique_ptr<StoppingRule> interval_rule(double half_width, std::size_t minimum) { return std::make_unique<IntervalRule>(half_width, minimum); }
std::unique_ptr<StoppingRule> hopeless_rule(double factor, std::size_t minimum) { return std::make_unique<HopelessRule>(factor, minimum); }
std::unique_ptr<StoppingRule> convinced_rule(std::unique_ptr<StoppingRule> rule, SmallAdvantage small, std::size_t minimum) {
    return std::make_unique<ConvincedRule>(std::move(rule), small, minimum);
}
std::unique_ptr<StoppingRule> count_rule(std::size_t samples) { return std::make_unique<CountRule>(samples); }
std::unique_ptr<StoppingRule> any_rule(std::vector<std::unique_ptr<StoppingRule>> rules) { return std::make_unique<AnyRule>(std::move(rules)); }

DeviceResult<std::unique_ptr<Timer>> Timer::make(Device& device, HelperKernels& kernels, Clocks* clocks, const Clock& clock) {
    auto word = device.make_shared_word();
    if (!word) return tl::make_unexpected(word.error());
    auto begin = device.make_event();
    if (!begin) return tl::make_unexpected(begin.error());
    auto end = device.make_event();
    if (!end) return tl::make_unexpected(end.error());
    return std::unique_ptr<Timer>(new Timer(device, kernels, clocks, clock, std::move(*word), std::move(*begin), std::move(*end)));
}

// [hold][flush][event][launches][event], then the hold is let go: the device runs them back to back, and the host's launch overhead
// lies before the first event.
DeviceResult<std::optional<double>> Timer::sample(const Timed& timed, const TimingOptions& options, TimingParts& parts) {
    const double began = clock_.now();
    auto done = timed.prepare ? timed.prepare() : DeviceStatus{};
    const bool held = timed.launches <= kMostHeldLaunches;
    word_.value() = 0;
    // Lines that a kernel has pinned would outlive the flush. Before the hold, since this call may wait for the device.
    if (done && options.cold) done = device_.reset_persisting_l2();
    const double prepared = clock_.now();
    if (done && held) done = kernels_.hold(word_, kHoldTimeoutMicroseconds);
    if (done && options.cold) done = kernels_.flush_l2();
    if (done) done = device_.record(begin_);
    if (done) done = timed.enqueue();
    if (done) done = device_.record(end_);
    const bool filled_in_time = word_.value() == 0;
    if (filled_in_time) word_.value() = 1;
    const double enqueued = clock_.now();
    read_clocks();
    const double asked = clock_.now();
    // Everything on the device must be over, not only our stream: work hidden elsewhere counts as well.
    const auto finished = device_.synchronize();
    parts.prepare += prepared - began;
    parts.enqueue += enqueued - prepared;
    parts.clocks += asked - enqueued;
    parts.run += clock_.now() - asked;
    if (!done) return tl::make_unexpected(done.error());
    if (!finished) return tl::make_unexpected(finished.error());
    const auto elapsed = device_.milliseconds(begin_, end_);
    if (!elapsed) return tl::make_unexpected(elapsed.error());
    if (!filled_in_time || throttled_) return std::nullopt;
    return static_cast<double>(*elapsed);
}

// Every 20 ms, while the device is busy with a sample: throttling lasts far longer, and the question may cost milliseconds.
void Timer::read_clocks() {
    if (clocks_ == nullptr || clock_.now() < next_clock_reading_) return;
    throttled_ = clocks_->read_reasons().throttled();
    next_clock_reading_ = clock_.now() + 0.02;
}

DeviceResult<PairedTimes> Timer::compare(const Timed& original, const Timed& candidate, const StoppingRule& rule, const TimingOptions& options) {
    TimingParts parts, ignored;
    for (const Timed* timed : {&original, &candidate}) {
        if (!options.warm_up || !timed->enqueue) continue;
        if (const auto ran = sample(*timed, options, ignored); !ran) return tl::make_unexpected(ran.error());
    }
    const Sampler sampler = [&](Side side) { return sample(side == Side::original ? original : candidate, options, parts); };
    auto times = sample_in_turns(sampler, original.enqueue != nullptr, rule, options, clock_);
    if (times) times->parts = parts;
    return times;
}

DeviceResult<PairedTimes> Timer::measure(const Timed& candidate, const StoppingRule& rule, const TimingOptions& options) {
    return compare({}, candidate, rule, options);
}

}  // namespace optiml::gpu
