// How a bench judges a candidate by its own first run on the same values.

#include "evaluation/device/repetition.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "evaluation/device/bench.h"

namespace optiml::evaluation::device {

bool may_use_atomics(std::string_view source) {
    constexpr std::array<std::string_view, 3> signs = {"atomic", "asm", "#include \""};
    return std::any_of(signs.begin(), signs.end(), [&](std::string_view sign) { return source.find(sign) != std::string_view::npos; });
}

std::optional<Finding> Bench::repeat_and_judge(Seat& seat) {
    const bool is_kept = keep_first_results().has_value();  // where there is no room the truth alone judges
    if (auto failed = run(seat)) return failed;
    if (const auto stored = seat.program.store_surfaces(); !stored) return finding_of(stored.error(), "");
    for (std::size_t i = 0; is_kept && i < task_buffers_; ++i) {
        if (!is_result(i) || !task::is_float(plan_.buffers[i].type)) continue;  // others are judged exactly by the truth
        if (auto finding = judge_by_first(seat, i)) return finding;
    }
    return judge(seat);
}

// Masked like the truth: the second run must compute its results, not copy those of the first.
gpu::DeviceStatus Bench::keep_first_results() {
    for (std::size_t i = first_results_.size(); i < task_buffers_; ++i) {
        auto buffer = GuardedBuffer::make(device_, is_result(i) ? candidate_[i].bytes() : 0, 0);
        if (!buffer) return tl::make_unexpected(buffer.error());
        first_results_.push_back(std::move(*buffer));
    }
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_result(i)) continue;
        auto done = device_.copy(first_results_[i].data(), candidate_[i].data(), candidate_[i].bytes());
        if (done) done = mask_first(i);
        if (!done) return done;
    }
    return {};
}

// Not the truth's key: two secrets under one would tell how they differ.
gpu::DeviceStatus Bench::mask_first(std::size_t i) { return kernels_.mask(first_results_[i].data(), first_results_[i].bytes(), ~key(i)); }

// Bit by bit, where the original repeats itself and the candidate has no atomics either; else as far as the original's own runs differ,
// times the tolerance. Atomics that only the candidate has round as they may against the truth.
std::optional<Finding> Bench::judge_by_first(Seat& seat, std::size_t i) {
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    const double of_original = settings_.tolerance_factor * bounds_[i].spread;
    const Bound allowed = seat.may_use_atomics ? Bound{std::max(bounds_[i].absolute, of_original), bounds_[i].relative} : Bound{of_original, 0};
    if (const auto uncovered = mask_first(i); !uncovered) return finding_of(uncovered.error(), "");
    const auto found = kernels_.compare(candidate_[i].data(), first_results_[i].data(), buffer.elements, element_type(buffer.type),
                                        allowed.absolute, allowed.relative);
    // Later candidates may get these values again.
    if (const auto covered = mask_first(i); !covered) return finding_of(covered.error(), "");
    if (!found) return finding_of(found.error(), "");
    if (found->mismatches == 0) return std::nullopt;
    Finding finding;
    finding.kind = FindingKind::nondeterministic;
    finding.sizes = settings_.sizes;
    finding.message = fmt::format("a second run on the same values differs from the first in {} of {} elements of '{}', the first at {}; largest "
                                  "difference {:.3g}, of the original's own runs {:.3g}",
                                  found->mismatches, buffer.elements, buffer.name, found->first_mismatch, found->largest_difference, bounds_[i].spread);
    return finding;
}

}  // namespace optiml::evaluation::device
