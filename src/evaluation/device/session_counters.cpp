// How a session reads the counters of candidates that were accepted.

#include <algorithm>

#include "evaluation/device/measured_profile.h"
#include "evaluation/device/trial.h"

namespace optiml::evaluation::device {
namespace {

constexpr std::size_t kMostProfiledLaunches = 16;
constexpr const char* kCupti = "CUPTI";

std::size_t profiled_launches(const Bench::Seat& seat) { return std::min<std::size_t>(seat.program.launch_count(), kMostProfiledLaunches); }

Profile profile_of(const Bench::Seat& seat, const std::vector<gpu::CounterValues>& counted) {
    const std::vector<std::string> kernels = seat.program.launched_kernels();
    std::vector<LaunchCounters> counters;
    for (std::size_t i = 0; i < counted.size(); ++i) counters.push_back({i < kernels.size() ? kernels[i] : "", counted[i]});
    Profile profile = measured_profile(counters, kCupti);
    const auto views = seat.program.launches();
    for (std::size_t i = 0; i < std::min(views.size(), profile.launches.size()); ++i) {
        std::copy(views[i].shape->grid.begin(), views[i].shape->grid.end(), profile.launches[i].grid.begin());
        std::copy(views[i].shape->block.begin(), views[i].shape->block.end(), profile.launches[i].block.begin());
    }
    return profile;
}

}  // namespace

// Those whose counters another candidate's failure prevented are not answered: a new session evaluates them again.
void DeviceSession::count(Trials& trials, std::optional<gpu::MetricTier> tier, std::vector<std::optional<Evaluation>>& evaluations) {
    const double began = tools_->clock.now();
    read_counters(trials, tier);
    const double seconds = (tools_->clock.now() - began) / static_cast<double>(std::max<std::size_t>(1, trials.size()));
    for (std::unique_ptr<Trial>& trial : trials) {
        if (trial->is_counted) {
            trial->evaluation.stage_seconds["profile"] = seconds;
            evaluations[trial->number] = std::move(trial->evaluation);
        }
        let_go(std::move(trial));
    }
    trials.clear();
}

// Where there are no counters the evaluation says why, and has what the driver tells without any permission.
void DeviceSession::read_counters(Trials& trials, std::optional<gpu::MetricTier> tier) {
    for (const auto& trial : trials) trial->evaluation.profile = driver_profile(*tools_->device, trial->seat->program, profiled_launches(*trial->seat));
    if (!tier || !settings_.in_process_counters || trials.empty()) return;
    gpu::Profiler* const profiler = tools_->profiler();
    std::vector<Trial*> counted;
    std::vector<gpu::CountedWork> works;
    for (const auto& trial : trials) {
        if (profiler == nullptr) trial->evaluation.no_counters_because = tools_->no_counters_because();
        if (profiler == nullptr || trial->seat->program.launch_count() == 0) continue;
        counted.push_back(trial.get());
        works.push_back(counted_work(*trial->seat));
    }
    if (works.empty()) return;
    const auto results = counter_.count(*profiler, gpu::metrics_of(*tier, profiler->chip()), works);
    for (std::size_t i = 0; i < counted.size(); ++i) {
        counted[i]->is_counted = results[i].has_value();
        if (!results[i]) continue;
        if (*results[i]) {
            counted[i]->evaluation.profile = profile_of(*counted[i]->seat, **results[i]);
        } else {
            counted[i]->evaluation.no_counters_because = results[i]->error().text();
        }
    }
    notice_loss();
}

// Each step waits for the device, so that a failure is known to be this candidate's.
gpu::CountedWork DeviceSession::counted_work(Bench::Seat& seat) {
    const std::size_t launches = profiled_launches(seat);
    const auto finished = [this](const gpu::DeviceStatus& done) {
        const auto waited = tools_->device->synchronize();
        return done ? waited : done;
    };
    return {launches,
            [this, &seat, finished] {
                const auto laid = bench_->lay_out_values(seat);
                return finished(laid ? tools_->kernels->flush_l2_by_fill() : laid);
            },
            [&seat, launches, finished] { return finished(seat.program.enqueue(launches)); }};
}

}  // namespace optiml::evaluation::device
