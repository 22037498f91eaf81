#include "evaluation/device/device_session.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/random.h"
#include "evaluation/device/trial.h"
#include "evaluation/stopwatch.h"

namespace optiml::evaluation::device {
namespace {

constexpr const char* kLostContext = "the device's context was lost";
constexpr double kLeastHangSeconds = 0.5, kHangFactor = 20;
constexpr double kKeepingSeconds = 0.005;  // the truth of originals that take longer is kept
constexpr double kKeptShare = 0.125;        // of the free memory, at most

// A bench holds the task's buffers three times over (pristine, the original's, the candidate's) and scratch for both plans.
double bytes_of_bench(const task::ResolvedPlan& plan) {
    double bytes = 0;
    for (const task::ResolvedBuffer& buffer : plan.buffers) {
        if (buffer.texture) bytes += 2.0 * static_cast<double>(buffer.elements) * task::bytes_of(buffer.type);  // arrays of original and candidate
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

}  // namespace

Result<std::unique_ptr<DeviceSession>> DeviceSession::open(std::unique_ptr<DeviceTools> tools, const task::Task& task,
                                                           const CompiledCandidate& original, const SessionSettings& settings,
                                                           const SessionKnowledge& knowledge, const Disk& disk) {
    std::unique_ptr<DeviceSession> session(new DeviceSession(std::move(tools), task, settings));
    session->original_ = original.candidate;
    if (const auto prepared = session->prepare(original, knowledge, disk); !prepared) return tl::make_unexpected(prepared.error());
    session->original_seconds_ = knowledge.original_seconds > 0 ? knowledge.original_seconds : session->seconds_of_original(*session->bench_, Rounds::kFirstKept);
    session->keep_truths();
    if (session->large_bench_ != nullptr) session->large_original_seconds_ = session->seconds_of_original(*session->large_bench_, session->rounds_.fresh());
    session->limit_hangs(session->original_seconds_);
    return session;
}

Status DeviceSession::prepare(const CompiledCandidate& original, const SessionKnowledge& knowledge, const Disk& disk) {
    BenchSettings settings{.sizes = settings_.timing_sizes, .seed = settings_.seed, .secret = secret_, .tolerance_factor = settings_.tolerance_factor,
                           .absolute = task_.checks.absolute,
                           .relative = task_.checks.relative, .bitwise = task_.checks.bitwise};
    const auto make = [&](const task::Sizes& sizes, std::size_t number) {
        settings.sizes = sizes;
        settings.terms_per_output.reset();
        settings.bounds.reset();
        if (number < knowledge.terms_per_output.size()) settings.terms_per_output = knowledge.terms_per_output[number];
        if (number < knowledge.bounds.size()) settings.bounds = knowledge.bounds[number];
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
    settings.bounds.reset();
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
    SessionKnowledge knowledge{tools_->helper_cubin, {bench_->terms_per_output()}, {bench_->bounds()}, original_seconds_};
    for (const auto& bench : odd_benches_) {
        knowledge.terms_per_output.push_back(bench->terms_per_output());
        knowledge.bounds.push_back(bench->bounds());
    }
    return knowledge;
}

double DeviceSession::seconds_of_original(Bench& bench, std::uint64_t round) {
    const double began = tools_->clock.now();
    if (!bench.refresh(round) || !tools_->device->synchronize()) return 0;
    return tools_->clock.now() - began;
}

// For the runs that are judged: those of verification, one in the middle of the timed runs and one at their end.
void DeviceSession::keep_truths() {
    const std::size_t count = verified_runs() + 2;
    const double bytes = 2 * static_cast<double>(count * bench_->truth_bytes());  // as written and, where need be, in f64
    if (original_seconds_ < kKeepingSeconds || bytes > kKeptShare * static_cast<double>(tools_->device->free_memory().value_or(0))) return;
    rounds_.keep(count);
    bench_->keep_truths_from(Rounds::kFirstKept);
}

std::vector<std::optional<Evaluation>> DeviceSession::evaluate(const std::vector<CompiledCandidate>& candidates, std::optional<gpu::MetricTier> tier) {
    std::vector<std::optional<Evaluation>> evaluations(candidates.size());
    Trials accepted;
    for (std::size_t i = 0; i < candidates.size() && !lost_; ++i) {
        auto trial = std::make_unique<Trial>(i);
        std::optional<Finding> finding = load(candidates[i], *trial);
        if (finding && !accepted.empty()) {  // it may only lack room beside the others
            trial = std::make_unique<Trial>(i);
            count(accepted, tier, evaluations);
            if (lost_) break;
            finding = load(candidates[i], *trial);
        }
        if (!finding) finding = measure(*trial);
        conclude(*trial, std::move(finding));
        if (is_lost_in_f64()) {  // not its doing
            let_go(std::move(trial));
            break;
        }
        if (trial->evaluation.accepted && !lost_) {
            trial->odd_seats.clear();
            trial->large_seat.reset();
            accepted.push_back(std::move(trial));
        } else {
            evaluations[i] = std::move(trial->evaluation);
            let_go(std::move(trial));
        }
    }
    if (!lost_) count(accepted, tier, evaluations);
    for (auto& trial : accepted) let_go(std::move(trial));
    return evaluations;
}

Evaluation DeviceSession::profile(const CompiledCandidate& candidate, gpu::MetricTier tier) {
    Trials trials;
    Trial& trial = *trials.emplace_back(std::make_unique<Trial>(0));
    rounds_.begin_candidate();
    std::optional<Finding> finding = load(candidate, trial);
    // A first run outside the profiler, judged as any other: its code is loaded then.
    if (!finding) finding = verify_at(*bench_, *trial.seat, 1);
    if (!finding) read_counters(trials, tier);
    conclude(trial, std::move(finding));
    Evaluation evaluation = std::move(trial.evaluation);
    let_go(std::move(trials.front()));
    return evaluation;
}

std::optional<Finding> DeviceSession::measure(Trial& trial) {
    rounds_.begin_candidate();
    std::optional<Finding> finding;
    {
        const Stopwatch stage(tools_->clock, trial.evaluation, "verify_device");
        finding = verify(trial);
    }
    if (!finding && !settings_.only_verify) {
        const Stopwatch stage(tools_->clock, trial.evaluation, "time");
        finding = time(*trial.seat, trial.evaluation);
    }
    return finding;
}

void DeviceSession::conclude(Trial& trial, std::optional<Finding> finding) {
    notice_loss();
    trial.evaluation.accepted = !finding;
    if (!finding) {
        trial.evaluation.level = Level::L3;
        note_accuracy(trial, trial.evaluation);
        return;
    }
    if (lost_) finding->message += fmt::format(" ({})", kLostContext);
    trial.evaluation.findings.push_back(std::move(*finding));
}

// The surest test of a context is to use it.
void DeviceSession::notice_loss() {
    const auto alive = tools_->device->synchronize();
    lost_ = lost_ || (!alive && alive.error().sticky);
}

// Gives the candidate's memory back, unless that would wait for a kernel that never ends.
void DeviceSession::let_go(std::unique_ptr<Trial> trial) {
    if (lost_) (void)trial.release();
}

// One module for all sizes: loading it costs as much as a small run.
std::optional<Finding> DeviceSession::load(const CompiledCandidate& candidate, Trial& trial) {
    const Stopwatch stage(tools_->clock, trial.evaluation, "load");
    trial.evaluation.kernels = builds_of(candidate);
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
    if (auto finding = verify_at(*bench_, *trial.seat, verified_runs())) return finding;
    if (auto finding = repeat(*trial.seat)) return finding;
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
        const std::uint64_t round = &bench == bench_.get() ? rounds_.judged() : rounds_.fresh();
        if (const auto fresh = bench.refresh(round); !fresh) return finding_of(fresh.error(), "the original");
        if (auto finding = confirm(bench, seat, round, bench.run_and_judge(seat))) return finding;
    }
    return std::nullopt;
}

// Not beside an original that takes long: its candidates may take as long.
std::optional<Finding> DeviceSession::repeat(Bench::Seat& seat) {
    if (is_slow()) return std::nullopt;
    return confirm(*bench_, seat, bench_->round(), bench_->repeat_and_judge(seat));
}

}  // namespace optiml::evaluation::device
