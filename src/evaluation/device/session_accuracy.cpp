// What a session does before it rejects a candidate for its results: whose rounding is it?
//
// A candidate that differs from the original is right where the original is not: it may be the one that adds up in a better order. The
// original in f64 decides, but only where the original itself lies outside of the candidates' bounds around it. Then either truth will
// do, each for all elements of a run: a candidate that keeps the original's order is near the original, any accurate one near f64.

#include <algorithm>

#include <fmt/format.h>

#include "evaluation/device/device_session.h"
#include "evaluation/device/trial.h"

namespace optiml::evaluation::device {
namespace {

constexpr double kMostWiderSeconds = 8;  // that f64 may take
// Beyond so many times what it may take it hangs. The supervisor gives a candidate sixty runs of the original: it must not come first.
constexpr double kWiderHangFactor = 5, kLeastWiderHangSeconds = 1;

// How many times as long f64 may take as f32: as bandwidth and the rates of the arithmetic units have it, at worst.
double slowdown_of_f64(std::uint32_t compute_capability) {
    const bool has_many_units = compute_capability % 10 == 0 && compute_capability < 120;  // 6.0, 7.0, 8.0, 9.0, 10.0
    return has_many_units ? 4 : 64;
}

bool differs(const std::optional<Finding>& finding) {
    return finding && (finding->kind == FindingKind::wrong_values || finding->kind == FindingKind::accuracy);
}

std::string text_of(const task::Sizes& sizes) {
    std::string text;
    for (const auto& [name, value] : sizes) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
    return text;
}

}  // namespace

// An earlier candidate's stray write may have hit a truth that was kept: nobody is rejected by such a one alone.
std::optional<Finding> DeviceSession::confirm(Bench& bench, Bench::Seat& seat, std::uint64_t round, std::optional<Finding> finding) {
    if (differs(finding) && bench.known_error_of_original() > 0) finding = judge_by_all(bench, seat, round);
    if (differs(finding) && bench.forget_truth(round)) finding = judge_by_all(bench, seat, round);
    if (differs(finding) && learn_accuracy(bench)) finding = judge_by_all(bench, seat, round);
    return finding;
}

// nullopt: it agrees with one of the truths there are; otherwise what the first of them says.
std::optional<Finding> DeviceSession::judge_by_all(Bench& bench, Bench::Seat& seat, std::uint64_t round) {
    std::optional<Finding> finding;
    if (bench.known_error_of_original() > 0) {
        const auto fresh = bench.refresh(round, Arithmetic::f64);
        if (!fresh && fresh.error().sticky) return finding_of(fresh.error(), "the original");
        if (fresh) finding = bench.judge(seat);
        if (fresh && !differs(finding)) return finding;
    }
    if (const auto fresh = bench.refresh(round, Arithmetic::as_written); !fresh) return finding_of(fresh.error(), "the original");
    const auto as_written = bench.judge(seat);
    return finding && differs(as_written) ? finding : as_written;
}

// At the first candidate that differs there; true: the original turns out to be inaccurate. The round's truth is computed as written.
bool DeviceSession::learn_accuracy(Bench& bench) {
    const bool is_odd = &bench != bench_.get() && &bench != large_bench_.get();
    if (is_odd || !weighed_.insert(&bench).second) return false;
    WiderOriginal* const wider = wider_original();
    if (wider == nullptr) return false;
    const auto error = bench.error_of_original(*wider);
    if (!error || !*error || **error == 0) return false;
    bench.take_as_inaccurate(*wider, **error);
    return true;
}

WiderOriginal* DeviceSession::wider_original() {
    if (!believes_f64_) believes_f64_ = make_wider_original();
    return *believes_f64_ ? wider_original_.get() : nullptr;
}

// It is believed if it agrees with the original where sums are short and rounding does little.
bool DeviceSession::make_wider_original() {
    const double seconds = std::max(original_seconds_, large_original_seconds_) * slowdown_of_f64(properties().compute_capability);
    if (!settings_.judges_in_f64 || task_.checks.bitwise || seconds > kMostWiderSeconds || odd_benches_.empty()) return false;
    const double hang_seconds = std::max(kLeastWiderHangSeconds, kWiderHangFactor * seconds);
    auto made = WiderOriginal::make(*tools_->device, *tools_->kernels, task_, original_, hang_seconds);
    if (!made) return false;
    wider_original_ = std::move(*made);
    return std::all_of(odd_benches_.begin(), odd_benches_.end(), [&](const auto& bench) {
        if (!bench->refresh(rounds_.fresh(), Arithmetic::as_written)) return false;
        const auto error = bench->error_of_original(*wider_original_);
        return error && *error == 0.0;
    });
}

void DeviceSession::note_accuracy(const Trial& trial, Evaluation& evaluation) const {
    const auto note = [&](const Bench& bench, const std::optional<Bench::Seat>& seat) {
        if (!seat || !seat->is_judged_in_f64 || !evaluation.accuracy_note.empty()) return;
        evaluation.accuracy_note = fmt::format("the original itself is off by {:.2g} % at {} (rounding in f32); judged against the same computation in f64",
                                               100 * bench.known_error_of_original(), text_of(bench.sizes()));
    };
    note(*bench_, trial.seat);
    if (large_bench_ != nullptr) note(*large_bench_, trial.large_seat);
}

}  // namespace optiml::evaluation::device
