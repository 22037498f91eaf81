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
    return finding;
}

// The truth is uncovered only while it is compared, and the candidate has finished by then.
gpu::DeviceStatus Bench::queue_content_check(std::size_t slot, std::size_t i) {
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    if (!is_result(i)) return kernels_.queue_differing_bytes(slot, candidate_[i].data(), pristine_[i].data(), candidate_[i].bytes());
    auto queued = kernels_.mask(original_[i].data(), original_[i].bytes(), key(i));
    if (queued) {
        queued = kernels_.queue_comparison(slot, candidate_[i].data(), original_[i].data(), buffer.elements, element_type(buffer.type),
                                           bounds_[i].absolute, bounds_[i].relative);
    }
    return queued ? kernels_.mask(original_[i].data(), original_[i].bytes(), key(i)) : queued;
}

std::optional<Finding> Bench::judge_guards(const std::string& buffer, const gpu::Comparison& found) {
    if (found.mismatches == 0) return std::nullopt;
    return made(FindingKind::out_of_bounds, fmt::format("{} bytes beside '{}' were overwritten", found.mismatches, buffer));
}

std::optional<Finding> Bench::judge_input(std::size_t i, const gpu::Comparison& found) const {
    if (found.mismatches == 0) return std::nullopt;
    return made(FindingKind::input_modified, fmt::format("{} bytes of the input '{}' were changed", found.mismatches, plan_.buffers[i].name));
}

std::optional<Finding> Bench::judge_output(std::size_t i, const gpu::Comparison& found) const {
    if (found.mismatches == 0) return std::nullopt;
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    const double scale = std::sqrt(found.truth_sum_of_squares / std::max<double>(1, static_cast<double>(buffer.elements)));
    // Everything a little off is a matter of precision; anything far off is simply wrong.
    const bool slightly = task::is_float(buffer.type) && found.largest_difference < 0.02 * scale && std::isfinite(found.difference_sum_of_squares);
    return made(slightly ? FindingKind::accuracy : FindingKind::wrong_values,
                fmt::format("{} of {} elements of '{}' differ, the first at {}; largest difference {:.3g}, allowed {:.3g} + {:.3g} |truth|",
                            found.mismatches, buffer.elements, buffer.name, found.first_mismatch, found.largest_difference,
                            bounds_[i].absolute, bounds_[i].relative));
}

}  // namespace optiml::evaluation::device
