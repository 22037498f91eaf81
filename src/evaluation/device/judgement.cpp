// How a bench judges what a candidate left behind. All checks of a run are queued on the stream and read back together.

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "evaluation/device/bench.h"

namespace optiml::evaluation::device {
namespace {

Finding made(FindingKind kind, std::string message) {
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    return finding;
}

}  // namespace

// Slots: first the guards of all buffers, then the contents of the task's own.
std::optional<Finding> Bench::judge(Seat& seat) {
    const std::size_t guarded = task_buffers_ + seat.scratch.size();
    auto queued = seat.program.store_surfaces();
    if (queued) queued = kernels_.begin_checks(guarded + task_buffers_);
    for (std::size_t i = 0; i < guarded && queued; ++i) queued = candidate_buffer(seat, i).queue_guard_check(kernels_, i);
    for (std::size_t i = 0; i < task_buffers_ && queued; ++i) queued = queue_content_check(guarded + i, i);
    if (!queued) return finding_of(queued.error(), "");
    const auto found = kernels_.finish_checks();
    if (!found) return finding_of(found.error(), "");

    std::optional<Finding> finding;
    for (std::size_t i = 0; i < guarded && !finding; ++i) finding = judge_guards(seat.plan.buffers[i].name, (*found)[i]);
    for (std::size_t i = 0; i < task_buffers_ && !finding; ++i) {
        if (!is_result(i)) finding = judge_input(i, (*found)[guarded + i]);
    }
    for (std::size_t i = 0; i < task_buffers_ && !finding; ++i) {
        if (is_result(i)) finding = judge_output(i, (*found)[guarded + i]);
    }
    if (finding) finding->sizes = settings_.sizes;
    if (!finding && arithmetic_ == Arithmetic::f64) seat.is_judged_in_f64 = true;
    return finding;
}

gpu::DeviceResult<std::optional<double>> Bench::error_of_original(WiderOriginal& wider) {
    Buffers exact;
    std::vector<gpu::DeviceAddress> results(task_buffers_, 0);
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        auto buffer = GuardedBuffer::make(device_, original_[i].bytes(), 0);
        if (!buffer) return tl::make_unexpected(buffer.error());
        results[i] = buffer->data();
        exact.push_back(std::move(*buffer));
    }
    auto done = write_inputs(round_);
    if (done) done = wider.run(settings_.sizes, pristine_, results);
    if (done) done = kernels_.begin_checks(task_buffers_);
    for (std::size_t i = 0; i < task_buffers_ && done; ++i) {
        if (is_result(i)) done = queue_comparison_of_truth(i, results[i]);
    }
    for (GuardedBuffer& buffer : exact) {  // freed memory goes to candidates
        const auto wiped = buffer.poison();
        if (done) done = wiped;
    }
    // Freeing would wait for a kernel that never ends.
    if (!done && done.error().sticky) (void)std::make_unique<Buffers>(std::move(exact)).release();
    if (!done) return tl::make_unexpected(done.error());
    const auto found = kernels_.finish_checks();
    if (!found) return tl::make_unexpected(found.error());
    return error_from(*found);
}

// The truth takes the candidate's place.
gpu::DeviceStatus Bench::queue_comparison_of_truth(std::size_t i, gpu::DeviceAddress exact) {
    return queue_with_truth(i, [&](gpu::DeviceAddress truth) { return queue_comparison(i, i, truth, exact); });
}

std::optional<double> Bench::error_from(const std::vector<gpu::Comparison>& found) const {
    double error = 0;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (found[i].mismatches == 0) continue;
        // Integers are right or wrong: no rounding explains their difference.
        if (found[i].non_finite_mismatches > 0 || !task::is_float(plan_.buffers[i].type)) return std::nullopt;
        const double mean_square = found[i].truth_sum_of_squares / static_cast<double>(plan_.buffers[i].elements);
        error = std::max(error, mean_square > 0 ? found[i].largest_difference / std::sqrt(mean_square) : 1.0);
    }
    return error;
}

gpu::DeviceStatus Bench::queue_content_check(std::size_t slot, std::size_t i) {
    // The bench's own copy may be as spoilt as the candidate's, and a declared one is the same in the next run.
    if (is_declared(i) && !is_result(i)) return queue_digest(slot, i, candidate_[i]);
    if (!is_result(i)) return kernels_.queue_differing_bytes(slot, candidate_[i].data(), pristine_[i].data(), candidate_[i].bytes());
    return queue_with_truth(i, [&](gpu::DeviceAddress truth) { return queue_comparison(slot, i, candidate_[i].data(), truth); });
}

// The truth is uncovered only while it is compared, and the candidate has finished by then.
gpu::DeviceStatus Bench::queue_with_truth(std::size_t i, const std::function<gpu::DeviceStatus(gpu::DeviceAddress truth)>& compare) {
    auto queued = kernels_.mask(original_[i].data(), original_[i].bytes(), key(i));
    if (queued) queued = compare(original_[i].data());
    return queued ? kernels_.mask(original_[i].data(), original_[i].bytes(), key(i)) : queued;
}

gpu::DeviceStatus Bench::queue_comparison(std::size_t slot, std::size_t i, gpu::DeviceAddress judged, gpu::DeviceAddress truth) {
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    return kernels_.queue_comparison(slot, judged, truth, buffer.elements, element_type(buffer.type), bounds_[i].absolute, bounds_[i].relative);
}

std::optional<Finding> Bench::judge_guards(const std::string& buffer, const gpu::Comparison& found) {
    if (found.mismatches == 0) return std::nullopt;
    return made(FindingKind::out_of_bounds, fmt::format("{} bytes beside '{}' were overwritten", found.mismatches, buffer));
}

std::optional<Finding> Bench::judge_input(std::size_t i, const gpu::Comparison& found) const {
    if (found.mismatches == 0) return std::nullopt;
    if (is_declared(i)) return made(FindingKind::input_modified, fmt::format("the input '{}' was changed", plan_.buffers[i].name));
    return made(FindingKind::input_modified, fmt::format("{} bytes of the input '{}' were changed", found.mismatches, plan_.buffers[i].name));
}

std::optional<Finding> Bench::judge_output(std::size_t i, const gpu::Comparison& found) const {
    if (found.mismatches == 0) return std::nullopt;
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    const double scale = std::sqrt(found.truth_sum_of_squares / std::max<double>(1, static_cast<double>(buffer.elements)));
    // Everything a little off is a matter of precision; anything far off, not finite or never written is simply wrong.
    const bool slightly = task::is_float(buffer.type) && found.non_finite_mismatches == 0 && found.largest_difference < 0.02 * scale &&
                          std::isfinite(found.difference_sum_of_squares);
    return made(slightly ? FindingKind::accuracy : FindingKind::wrong_values,
                fmt::format("{} of {} elements of '{}' differ, the first at {}; largest difference {:.3g}, allowed {:.3g} + {:.3g} |truth|",
                            found.mismatches, buffer.elements, buffer.name, found.first_mismatch, found.largest_difference,
                            bounds_[i].absolute, bounds_[i].relative));
}

}  // namespace optiml::evaluation::device
