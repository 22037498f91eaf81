// How a session times a candidate against the original.

#include <algorithm>

#include <fmt/format.h>

#include "base/random.h"
#include "base/statistics.h"
#include "evaluation/device/device_session.h"

namespace optiml::evaluation::device {
namespace {

constexpr double kLongSeconds = 0.05;  // fewer samples of originals that take longer
constexpr std::size_t kLeastSlow = 2, kLeastLong = 3, kLeastSamples = 5;
// Such an advantage is believed from so many samples on.
constexpr gpu::SmallAdvantage kSmallAdvantage = {kLeastCertainSpeedup - 1, 0.1};
constexpr std::size_t kConvincingSamples = 10;
// One or two samples show nothing of how runs vary: this much is taken for granted then.
constexpr std::size_t kFewSamples = 3;
constexpr double kUnknownVariation = 0.1;

// DRAM's theoretical rate, double data rate, with a twentieth for the clock's own inaccuracy. 0: unknown.
double ceiling_gb_per_s(const gpu::DeviceProperties& properties) {
    return 1.05 * 2.0 * properties.memory_clock_khz * 1e3 * properties.memory_bus_bits / 8 / 1e9;
}

void note_parts(const gpu::TimingParts& parts, Evaluation& evaluation) {
    evaluation.stage_seconds["time/prepare"] += parts.prepare;
    evaluation.stage_seconds["time/enqueue"] += parts.enqueue;
    evaluation.stage_seconds["time/run"] += parts.run;
    evaluation.stage_seconds["time/clocks"] += parts.clocks;
}

}  // namespace

std::optional<Finding> DeviceSession::time(Bench::Seat& seat, Evaluation& evaluation) {
    // A timed run in the middle, chosen so that no candidate can know it, is judged as well as the last one.
    // It lies before the last of the runs that there are at least: two however long they take, and the rule's minimum of quicker ones.
    const bool takes_long = original_seconds_ > kLongSeconds;
    const std::size_t least_samples = takes_long ? kLeastLong : kLeastSamples;
    const std::uint64_t least_runs = (is_slow() ? kLeastSlow : least_samples) + (rounds_.keeps() ? 1 : 0);
    const std::uint64_t judged_run = 1 + random_bits(secret_, 1000 + rounds_.candidates()) % (least_runs - 1);
    std::uint64_t runs = 0, round = 0;
    bool is_closing = false;
    std::optional<Finding> finding;
    const auto judge_timed_run = [&]() -> gpu::DeviceStatus {
        const auto truth = bench_->refresh(round);
        if (truth) finding = confirm(*bench_, seat, round, bench_->judge(seat));
        return truth;
    };
    const gpu::Timed original{[&] { return bench_->restore(true); }, [&] { return bench_->original_program().enqueue(); },
                              bench_->original_program().launch_count()};
    const gpu::Timed timed{[&]() -> gpu::DeviceStatus {
                               if (runs++ == judged_run && !finding) {
                                   if (const auto judged = judge_timed_run(); !judged) return judged;
                               }
                               // Other values in every timed run: replaying an earlier one's results would be wrong in the judged ones.
                               round = runs == judged_run || is_closing ? rounds_.judged() : rounds_.fresh();
                               const auto renewed = bench_->renew(round);
                               return renewed ? bench_->lay_out_values(seat) : renewed;
                           },
                           [&] { return seat.program.enqueue(); }, seat.program.launch_count()};
    std::vector<std::unique_ptr<gpu::StoppingRule>> rules;
    rules.push_back(gpu::convinced_rule(gpu::interval_rule(settings_.half_width, least_samples), kSmallAdvantage, kConvincingSamples));
    rules.push_back(gpu::hopeless_rule(settings_.hopeless_factor, takes_long ? 2 : 3));
    // Verification has warmed both up.
    gpu::TimingOptions options{.cold = true, .maximum_seconds = settings_.seconds_a_candidate / (is_slow() ? 2 : 1),
                               .order_seed = settings_.seed + rounds_.candidates(), .warm_up = false,
                               .known_original = settings_.reuse_original ? &known_original_ : nullptr};
    auto times = tools_->timer->compare(original, timed, *gpu::any_rule(std::move(rules)), options);
    if (times && rounds_.keeps() && !times->candidate_ms.empty()) {
        // The truth of the last run would cost a run of the original: another timed run, with values whose truth is kept, is the last.
        is_closing = true;
        const auto closing = tools_->timer->measure(timed, *gpu::count_rule(1), options);
        if (!closing) return finding_of(closing.error(), seat.program.failed_kernel());
        times->candidate_ms.insert(times->candidate_ms.end(), closing->candidate_ms.begin(), closing->candidate_ms.end());
    }
    if (!times) return finding_of(times.error(), seat.program.failed_kernel());
    note_parts(times->parts, evaluation);
    if (!finding) {
        if (const auto judged = judge_timed_run(); !judged) return finding_of(judged.error(), "the original");
    }
    if (finding) {
        finding->message = "in a timed run: " + finding->message;
        return finding;
    }
    if (times->candidate_ms.empty() || times->original_ms.empty()) {
        evaluation.is_inconclusive = times->everything_throttled;
        Finding none;
        none.kind = FindingKind::time_limit;
        none.message = times->everything_throttled ? "the card throttles all the time: no sample is fit" : "no sample within the time limit";
        return none;
    }
    Timing timing = timing_from(*times);
    if (settings_.take_warm_time) {
        options.cold = false;
        const gpu::Timed again{[&] { return bench_->restore(false); }, timed.enqueue, timed.launches};
        const auto warm = tools_->timer->measure(again, *gpu::count_rule(10), options);
        if (warm) timing.warm_ms = median(warm->candidate_ms);
    }
    evaluation.timing = timing;
    return check_rate(timing);
}

Timing DeviceSession::timing_from(const gpu::PairedTimes& times) const {
    Timing timing;
    timing.source = Source::measured;
    timing.device = fmt::format("cuda:{} {}", properties().ordinal, properties().name);
    timing.cold_ms = median(times.candidate_ms);
    timing.original_ms = median(times.original_ms);
    timing.samples = times.candidate_ms.size();
    timing.interval = {quantile(times.candidate_ms, 0.05), quantile(times.candidate_ms, 0.95)};
    const Interval speedup = bootstrap_ratio(times.original_ms, times.candidate_ms, settings_.confidence, 1000, settings_.seed + rounds_.candidates());
    const double unknown = std::min(times.original_ms.size(), times.candidate_ms.size()) < kFewSamples ? kUnknownVariation : 0;
    timing.speedup = {speedup.low * (1 - unknown), speedup.high * (1 + unknown)};
    timing.sizes = bench_->sizes();
    return timing;
}

// Inputs read faster than DRAM can give them after a flush were not read: an error, not a record. Only where the original reads them
// all, too, by the same measure, is nothing said (small inputs stay below any rate).
std::optional<Finding> DeviceSession::check_rate(const Timing& timing) const {
    const double ceiling = ceiling_gb_per_s(properties());
    const double bytes = static_cast<double>(bench_->input_bytes());
    const double rate = bytes / (timing.cold_ms * 1e6);
    const double original_rate = bytes / (timing.original_ms * 1e6);
    if (ceiling == 0 || rate <= ceiling || original_rate > ceiling) return std::nullopt;
    Finding finding;
    finding.kind = FindingKind::wrong_values;
    finding.message = fmt::format("{:.0f} GB/s of inputs from a cold cache, where the card gives {:.0f} at most: they cannot have been read", rate, ceiling);
    finding.sizes = timing.sizes;
    return finding;
}

}  // namespace optiml::evaluation::device
