#include "evaluation/device/device_session.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/random.h"
#include "base/statistics.h"
#include "evaluation/device/measured_profile.h"
#include "evaluation/stopwatch.h"

namespace optiml::evaluation::device {
namespace {

// DRAM's theoretical rate, double data rate, with a twentieth for the clock's own inaccuracy. 0: unknown.
double ceiling_gb_per_s(const gpu::DeviceProperties& properties) {
    return 1.05 * 2.0 * properties.memory_clock_khz * 1e3 * properties.memory_bus_bits / 8 / 1e9;
}

constexpr std::size_t kMostProfiledLaunches = 16;
constexpr const char* kLostContext = "the device's context was lost";
constexpr const char* kCupti = "CUPTI";
constexpr double kLeastHangSeconds = 0.5, kHangFactor = 20;
constexpr double kLongSeconds = 0.05;  // fewer samples of originals that take longer

// A bench holds the task's buffers three times over (pristine, the original's, the candidate's) and scratch for both plans.
double bytes_of_bench(const task::ResolvedPlan& plan) {
    double bytes = 0;
    for (const task::ResolvedBuffer& buffer : plan.buffers) {
        bytes += (buffer.is_scratch ? 2.0 : 3.0) * (static_cast<double>(buffer.elements) * task::bytes_of(buffer.type) + 2 * kGuardBytes);
    }
    return bytes;
}

std::vector<KernelBuild> builds_of(const CompiledCandidate& candidate) {
    std::vector<KernelBuild> builds;
    for (const gpu::CompiledKernel& kernel : candidate.kernels) {
        builds.push_back({kernel.name, kernel.lowered_name, kernel.registers, kernel.static_shared, kernel.local_bytes,
                          kernel.spill_store_bytes, kernel.spill_load_bytes});
    }
    return builds;
}

void note_parts(const gpu::TimingParts& parts, Evaluation& evaluation) {
    evaluation.stage_seconds["time/prepare"] += parts.prepare;
    evaluation.stage_seconds["time/enqueue"] += parts.enqueue;
    evaluation.stage_seconds["time/run"] += parts.run;
    evaluation.stage_seconds["time/clocks"] += parts.clocks;
}

}  // namespace

// What exists of one candidate on the device.
struct DeviceSession::Trial {
    std::optional<gpu::DeviceModule> module;
    std::vector<Bench::Seat> odd_seats;  // as odd_benches_
    std::optional<Bench::Seat> seat;
    std::optional<Bench::Seat> large_seat;
};

Result<std::unique_ptr<DeviceSession>> DeviceSession::open(std::unique_ptr<DeviceTools> tools, const task::Task& task,
                                                           const CompiledCandidate& original, const SessionSettings& settings,
                                                           const SessionKnowledge& knowledge, const Disk& disk) {
    std::unique_ptr<DeviceSession> session(new DeviceSession(std::move(tools), task, settings));
    if (const auto prepared = session->prepare(original, knowledge, disk); !prepared) return tl::make_unexpected(prepared.error());
    session->original_seconds_ = session->seconds_of_original(*session->bench_);
    if (session->large_bench_ != nullptr) session->large_original_seconds_ = session->seconds_of_original(*session->large_bench_);
    session->limit_hangs(session->original_seconds_);
    return session;
}

Status DeviceSession::prepare(const CompiledCandidate& original, const SessionKnowledge& knowledge, const Disk& disk) {
    BenchSettings settings{.sizes = settings_.timing_sizes, .seed = settings_.seed, .secret = secret_, .tolerance_factor = settings_.tolerance_factor,
                           .absolute = task_.checks.absolute,
                           .relative = task_.checks.relative, .bitwise = task_.checks.bitwise};
    const auto make = [&](const task::Sizes& sizes, std::size_t number) {
        settings.sizes = sizes;
        if (number < knowledge.terms_per_output.size()) settings.terms_per_output = knowledge.terms_per_output[number];
        return Bench::make(*tools_->device, *tools_->kernels, task_, original, settings,
                           settings.terms_per_output ? nullptr : profiler(), disk);
    };
    auto made = make(settings_.timing_sizes, 0);
    if (!made) return tl::make_unexpected(made.error());
    bench_ = std::move(*made);
    for (const task::Sizes& sizes : settings_.odd_sizes) {
        auto odd = make(sizes, odd_benches_.size() + 1);
        if (!odd) return tl::make_unexpected(odd.error());
        odd_benches_.push_back(std::move(*odd));
    }
    settings.terms_per_output.reset();
    return settings_.large_sizes ? prepare_large(original, settings, disk) : Status{};
}

// Too little memory only means that nothing is verified there.
Status DeviceSession::prepare_large(const CompiledCandidate& original, BenchSettings settings, const Disk& disk) {
    settings.sizes = *settings_.large_sizes;
    const auto plan = task::resolve(task_, original.candidate.plan, settings.sizes);
    if (!plan) return tl::make_unexpected(plan.error());
    const double needed = bytes_of_bench(*plan);
    const double available = static_cast<double>(tools_->device->free_memory().value_or(0));
    if (needed > available) {
        not_large_because_ = fmt::format("it needs {:.1f} GB of device memory and {:.1f} GB are free", needed / 1e9, available / 1e9);
        return {};
    }
    auto made = Bench::make(*tools_->device, *tools_->kernels, task_, original, settings, profiler(), disk);
    if (!made && made.error().kind != ErrorKind::environment) return tl::make_unexpected(made.error());
    if (made) {
        large_bench_ = std::move(*made);
    } else {
        not_large_because_ = made.error().text();
    }
    return {};
}

SessionKnowledge DeviceSession::knowledge() const {
    SessionKnowledge knowledge{tools_->helper_cubin, {bench_->terms_per_output()}};
    for (const auto& bench : odd_benches_) knowledge.terms_per_output.push_back(bench->terms_per_output());
    return knowledge;
}

double DeviceSession::seconds_of_original(Bench& bench) {
    const double began = tools_->clock.now();
    if (!bench.refresh(++round_)) return 0;
    return tools_->clock.now() - began;
}

Evaluation DeviceSession::evaluate(const CompiledCandidate& candidate, std::optional<gpu::MetricTier> tier) {
    Evaluation evaluation;
    evaluation.level = Level::L0;
    evaluation.kernels = builds_of(candidate);
    auto trial = std::make_unique<Trial>();
    std::optional<Finding> finding;
    {
        const Stopwatch stage(tools_->clock, evaluation, "load");
        finding = load(candidate, *trial);
    }
    if (!finding) {
        const Stopwatch stage(tools_->clock, evaluation, "verify_device");
        finding = verify(*trial);
    }
    if (!finding && !settings_.only_verify) {
        const Stopwatch stage(tools_->clock, evaluation, "time");
        finding = time(*trial->seat, evaluation);
    }
    evaluation.accepted = !finding;
    if (evaluation.accepted) evaluation.level = Level::L3;
    if (evaluation.accepted) {
        const Stopwatch stage(tools_->clock, evaluation, "profile");
        profile(*trial->seat, tier, evaluation);
    }
    finish(std::move(trial), std::move(finding), evaluation);
    return evaluation;
}

Evaluation DeviceSession::profile(const CompiledCandidate& candidate, gpu::MetricTier tier) {
    Evaluation evaluation;
    auto trial = std::make_unique<Trial>();
    std::optional<Finding> finding = load(candidate, *trial);
    // A first run outside the profiler, judged as any other: its code is loaded then.
    if (!finding) finding = verify_at(*bench_, *trial->seat, 1);
    if (!finding) profile(*trial->seat, tier, evaluation);
    evaluation.accepted = !finding;
    finish(std::move(trial), std::move(finding), evaluation);
    return evaluation;
}

// Gives the candidate's memory back, unless that would wait for a kernel that never ends.
void DeviceSession::finish(std::unique_ptr<Trial> trial, std::optional<Finding> finding, Evaluation& evaluation) {
    // The surest test of a context is to use it.
    const auto alive = tools_->device->synchronize();
    lost_ = lost_ || (!alive && alive.error().sticky);
    if (finding) {
        if (lost_) finding->message += fmt::format(" ({})", kLostContext);
        evaluation.findings.push_back(std::move(*finding));
    }
    if (lost_) (void)trial.release();
}

// One module for all sizes: loading it costs as much as a small run.
std::optional<Finding> DeviceSession::load(const CompiledCandidate& candidate, Trial& trial) {
    auto module = tools_->device->load(candidate.cubin);
    if (!module) return finding_of(module.error(), "");
    trial.module = std::move(*module);
    for (const auto& bench : odd_benches_) {
        auto seat = bench->seat(candidate, *trial.module);
        if (!seat) return seat.error();
        trial.odd_seats.push_back(std::move(*seat));
    }
    auto seat = bench_->seat(candidate, *trial.module);
    if (!seat) return seat.error();
    trial.seat = std::move(*seat);
    if (large_bench_ == nullptr) return std::nullopt;
    auto large = large_bench_->seat(candidate, *trial.module);
    if (!large) return large.error();
    trial.large_seat = std::move(*large);
    return std::nullopt;
}

std::optional<Finding> DeviceSession::verify(Trial& trial) {
    for (std::size_t i = 0; i < odd_benches_.size(); ++i) {
        if (auto finding = verify_at(*odd_benches_[i], trial.odd_seats[i], 1)) return finding;
    }
    if (auto finding = verify_at(*bench_, *trial.seat, is_slow() ? 1 : settings_.repeats)) return finding;
    return trial.large_seat ? verify_large(*trial.large_seat) : std::nullopt;
}

// A candidate may be far slower than the original without being called hung. An original that was not timed sets no limit.
void DeviceSession::limit_hangs(double original_seconds) {
    tools_->device->set_hang_limit(original_seconds > 0 ? std::max(kLeastHangSeconds, kHangFactor * original_seconds) : 0);
}

std::optional<Finding> DeviceSession::verify_large(Bench::Seat& seat) {
    limit_hangs(large_original_seconds_);
    auto finding = verify_at(*large_bench_, seat, 1);
    limit_hangs(original_seconds_);
    return finding;
}

// Each run has fresh values at the same addresses: what was kept from the last run is wrong now.
std::optional<Finding> DeviceSession::verify_at(Bench& bench, Bench::Seat& seat, std::uint32_t runs) {
    for (std::uint32_t run = 0; run < runs; ++run) {
        if (const auto fresh = bench.refresh(++round_); !fresh) return finding_of(fresh.error(), "the original");
        if (auto finding = bench.run_and_judge(seat)) return finding;
    }
    return std::nullopt;
}

std::optional<Finding> DeviceSession::time(Bench::Seat& seat, Evaluation& evaluation) {
    // A timed run in the middle, chosen so that no candidate can know it, is judged as well as the last one.
    const std::uint64_t judged_run = 1 + random_bits(secret_, 1000 + round_) % 4;
    std::uint64_t runs = 0;
    std::optional<Finding> finding;
    const auto judge_timed_run = [&]() -> gpu::DeviceStatus {
        const auto truth = bench_->refresh(round_);
        if (truth) finding = bench_->judge(seat);
        return truth;
    };
    gpu::Timed original{[&] { return bench_->restore(true); }, [&] { return bench_->original_program().enqueue(); },
                        bench_->original_program().launch_count()};
    gpu::Timed timed{[&]() -> gpu::DeviceStatus {
                         if (runs++ == judged_run && !finding) {
                             if (const auto judged = judge_timed_run(); !judged) return judged;
                         }
                         // Other values in every timed run: replaying an earlier one's results would be wrong in the judged ones.
                         const auto renewed = bench_->renew(++round_);
                         return renewed ? bench_->lay_out_values(seat) : renewed;
                     },
                     [&] { return seat.program.enqueue(); }, seat.program.launch_count()};
    std::vector<std::unique_ptr<gpu::StoppingRule>> rules;
    rules.push_back(gpu::interval_rule(settings_.half_width, original_seconds_ > kLongSeconds ? 3 : 5));
    rules.push_back(gpu::hopeless_rule(settings_.hopeless_factor, 3));
    // Verification has warmed both up.
    gpu::TimingOptions options{.cold = true, .maximum_seconds = settings_.seconds_a_candidate / (is_slow() ? 2 : 1), .order_seed = settings_.seed + round_, .warm_up = false};
    const auto times = tools_->timer->compare(original, timed, *gpu::any_rule(std::move(rules)), options);
    if (!times) return finding_of(times.error(), seat.program.failed_kernel());
    note_parts(times->parts, evaluation);
    if (const auto judged = judge_timed_run(); !judged) return finding_of(judged.error(), "the original");
    if (finding) {
        finding->message = "in a timed run: " + finding->message;
        return finding;
    }
    if (times->candidate_ms.empty()) {
        evaluation.is_inconclusive = times->everything_throttled;
        Finding none;
        none.kind = FindingKind::time_limit;
        none.message = times->everything_throttled ? "the card throttles all the time: no sample is fit" : "no sample within the time limit";
        return none;
    }
    Timing timing;
    timing.source = Source::measured;
    timing.device = fmt::format("cuda:{} {}", properties().ordinal, properties().name);
    timing.cold_ms = median(times->candidate_ms);
    timing.original_ms = median(times->original_ms);
    timing.samples = times->candidate_ms.size();
    timing.interval = {quantile(times->candidate_ms, 0.05), quantile(times->candidate_ms, 0.95)};
    const Interval speedup = bootstrap_ratio(times->original_ms, times->candidate_ms, settings_.confidence, 1000, settings_.seed + round_);
    timing.speedup = {speedup.low, speedup.high};
    timing.sizes = bench_->sizes();
    if (settings_.take_warm_time) {
        options.cold = false;
        const gpu::Timed again{[&] { return bench_->restore(false); }, timed.enqueue, timed.launches};
        const auto warm = tools_->timer->measure(again, *gpu::count_rule(10), options);
        if (warm) timing.warm_ms = median(warm->candidate_ms);
    }
    evaluation.timing = timing;
    return check_rate(timing);
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

// Where there are no counters the evaluation says why, and has what the driver tells without any permission.
void DeviceSession::profile(Bench::Seat& seat, std::optional<gpu::MetricTier> tier, Evaluation& evaluation) {
    const std::size_t launches = std::min<std::size_t>(seat.program.launch_count(), kMostProfiledLaunches);
    evaluation.profile = driver_profile(*tools_->device, seat.program, launches);
    if (!tier || !settings_.in_process_counters) return;
    gpu::Profiler* const profiler = tools_->profiler();
    if (profiler == nullptr) evaluation.no_counters_because = tools_->no_counters_because();
    if (profiler == nullptr || launches == 0) return;
    const auto prepare = [&] {
        const auto laid = bench_->lay_out_values(seat);
        return laid ? tools_->kernels->flush_l2() : laid;
    };
    const auto collected = profiler->collect(*tier, launches, prepare, [&] { return seat.program.enqueue(launches); });
    if (!collected) {
        evaluation.no_counters_because = collected.error().text();
        return;
    }
    const std::vector<std::string> kernels = seat.program.launched_kernels();
    std::vector<LaunchCounters> counters;
    for (std::size_t i = 0; i < collected->size(); ++i) counters.push_back({i < kernels.size() ? kernels[i] : "", (*collected)[i]});
    evaluation.profile = measured_profile(counters, kCupti);
    const auto views = seat.program.launches();
    for (std::size_t i = 0; i < std::min(views.size(), evaluation.profile->launches.size()); ++i) {
        std::copy(views[i].shape->grid.begin(), views[i].shape->grid.end(), evaluation.profile->launches[i].grid.begin());
        std::copy(views[i].shape->block.begin(), views[i].shape->block.end(), evaluation.profile->launches[i].block.begin());
    }
}

}  // namespace optiml::evaluation::device
