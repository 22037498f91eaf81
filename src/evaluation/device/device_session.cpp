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

std::vector<KernelBuild> builds_of(const CompiledCandidate& candidate) {
    std::vector<KernelBuild> builds;
    for (const gpu::CompiledKernel& kernel : candidate.kernels) {
        builds.push_back({kernel.name, kernel.lowered_name, kernel.registers, kernel.static_shared, kernel.local_bytes,
                          kernel.spill_store_bytes, kernel.spill_load_bytes});
    }
    return builds;
}

}  // namespace

Result<std::unique_ptr<DeviceSession>> DeviceSession::open(int ordinal, const task::Task& task, const CompiledCandidate& original,
                                                           const SessionSettings& settings, const Disk& disk) {
    std::unique_ptr<DeviceSession> session(new DeviceSession(task, settings));
    if (const auto prepared = session->prepare(ordinal, original, disk); !prepared) return tl::make_unexpected(prepared.error());
    return session;
}

Status DeviceSession::prepare(int ordinal, const CompiledCandidate& original, const Disk& disk) {
    auto device = gpu::Device::open(ordinal);
    if (!device) return tl::make_unexpected(device.error());
    device_ = std::move(*device);
    auto compiler = gpu::load_compiler();
    if (!compiler) return tl::make_unexpected(compiler.error());
    compiler_ = std::move(*compiler);
    auto kernels = gpu::HelperKernels::load(*compiler_, *device_);
    if (!kernels) return tl::make_unexpected(kernels.error());
    kernels_ = std::move(*kernels);
    clocks_ = gpu::Clocks::open(device_->properties().uuid).value_or(nullptr);
    auto timer = gpu::Timer::make(*device_, *kernels_, clocks_.get(), clock_);
    if (!timer) return environment_error(timer.error().text());
    timer_ = std::move(*timer);
    auto profiler = gpu::Profiler::open(*device_);
    if (profiler) {
        profiler_ = std::move(*profiler);
    } else {
        no_counters_because_ = profiler.error().text();
    }

    BenchSettings bench{.sizes = settings_.timing_sizes, .seed = settings_.seed, .tolerance_factor = settings_.tolerance_factor,
                        .absolute = task_.checks.absolute,
                        .relative = task_.checks.relative, .bitwise = task_.checks.bitwise};
    auto made = Bench::make(*device_, *kernels_, task_, original, bench, profiler_.get(), disk);
    if (!made) return tl::make_unexpected(made.error());
    bench_ = std::move(*made);
    for (const task::Sizes& sizes : settings_.odd_sizes) {
        bench.sizes = sizes;
        auto odd = Bench::make(*device_, *kernels_, task_, original, bench, profiler_.get(), disk);
        if (!odd) return tl::make_unexpected(odd.error());
        odd_benches_.push_back(std::move(*odd));
    }
    return {};
}

// The surest test of a context is to use it.
bool DeviceSession::check_context() {
    const auto alive = device_->synchronize();
    lost_ = lost_ || (!alive && alive.error().sticky);
    return !lost_;
}

Evaluation DeviceSession::evaluate(const CompiledCandidate& candidate, std::optional<gpu::MetricTier> tier) {
    Evaluation evaluation;
    evaluation.level = Level::L0;
    evaluation.kernels = builds_of(candidate);
    const auto reject = [&](Finding finding) {
        if (!check_context()) finding.message += fmt::format(" ({})", kLostContext);
        evaluation.findings.push_back(std::move(finding));
        return evaluation;
    };
    std::optional<Finding> finding;
    {
        const Stopwatch stage(clock_, evaluation, "verify_device");
        finding = verify(candidate);
    }
    if (finding) return reject(std::move(*finding));
    auto seat = bench_->seat(candidate);
    if (!seat) return reject(std::move(seat.error()));
    {
        const Stopwatch stage(clock_, evaluation, "time");
        finding = time(*seat, evaluation);
    }
    if (finding) return reject(std::move(*finding));
    evaluation.level = Level::L3;
    evaluation.accepted = true;
    {
        const Stopwatch stage(clock_, evaluation, "profile");
        if (tier && profiler_ != nullptr) profile(*seat, *tier, evaluation);
        // The last rung: without permission the driver still tells registers, shared memory and occupancy.
        if (!evaluation.profile) evaluation.profile = driver_profile(*device_, seat->program, kMostProfiledLaunches);
    }
    return evaluation;
}

std::optional<Finding> DeviceSession::verify(const CompiledCandidate& candidate) {
    for (const auto& bench : odd_benches_) {
        if (auto finding = verify_at(*bench, candidate, 1)) return finding;
    }
    return verify_at(*bench_, candidate, settings_.repeats);
}

// Each run has fresh values at the same addresses: what was kept from the last run is wrong now.
std::optional<Finding> DeviceSession::verify_at(Bench& bench, const CompiledCandidate& candidate, std::uint32_t runs) {
    auto seat = bench.seat(candidate);
    if (!seat) return seat.error();
    for (std::uint32_t run = 0; run < runs; ++run) {
        if (const auto fresh = bench.refresh(++round_); !fresh) return finding_of(fresh.error(), "the original");
        if (auto finding = bench.run_and_judge(*seat)) return finding;
    }
    return std::nullopt;
}

std::optional<Finding> DeviceSession::time(Bench::Seat& seat, Evaluation& evaluation) {
    // A timed run in the middle, chosen so that no candidate can know it, is judged as well as the last one.
    const std::uint64_t judged_run = 2 + random_bits(settings_.seed, 1000 + round_) % 4;
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
                         return renewed ? bench_->lay_out(seat) : renewed;
                     },
                     [&] { return seat.program.enqueue(); }, seat.program.launch_count()};
    std::vector<std::unique_ptr<gpu::StoppingRule>> rules;
    rules.push_back(gpu::interval_rule(settings_.half_width, 5));
    rules.push_back(gpu::hopeless_rule(settings_.hopeless_factor, 3));
    gpu::TimingOptions options{.cold = true, .maximum_seconds = settings_.seconds_a_candidate, .order_seed = settings_.seed + round_};
    const auto times = timer_->compare(original, timed, *gpu::any_rule(std::move(rules)), options);
    if (!times) return finding_of(times.error(), seat.program.failed_kernel());
    if (const auto judged = judge_timed_run(); !judged) return finding_of(judged.error(), "the original");
    if (finding) {
        finding->message = "in a timed run: " + finding->message;
        return finding;
    }
    if (times->candidate_ms.empty()) {
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
        const auto warm = timer_->measure(timed, *gpu::count_rule(10), options);
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

void DeviceSession::profile(Bench::Seat& seat, gpu::MetricTier tier, Evaluation& evaluation) {
    const std::size_t launches = std::min<std::size_t>(seat.program.launch_count(), kMostProfiledLaunches);
    if (launches == 0) return;
    gpu::DeviceStatus laid = bench_->lay_out(seat);
    if (laid) laid = kernels_->flush_l2();
    if (laid) laid = device_->synchronize();
    if (!laid) return;
    const auto collected = profiler_->collect(tier, launches, [&] { return seat.program.enqueue(); });
    if (!collected) {
        no_counters_because_ = collected.error().text();
        return;
    }
    const std::vector<std::string> kernels = seat.program.launched_kernels();
    std::vector<LaunchCounters> counters;
    for (std::size_t i = 0; i < collected->size(); ++i) counters.push_back({i < kernels.size() ? kernels[i] : "", (*collected)[i]});
    evaluation.profile = measured_profile(counters, "CUPTI");
}

}  // namespace optiml::evaluation::device
