// A bench's inputs: those that each round renews, and those that stay as they were declared.

#include <algorithm>

#include "base/random.h"
#include "evaluation/device/bench.h"

namespace optiml::evaluation::device {
namespace {

// Whether each run gets other values, made on the device.
bool is_renewed(const task::Fill& fill) {
    return fill.kind == task::FillKind::normal || fill.kind == task::FillKind::integers || fill.kind == task::FillKind::uniform;
}

}  // namespace

gpu::DeviceStatus Bench::write_inputs(std::uint64_t round) {
    const auto renewed = renew(round);
    return renewed ? mend_declared_inputs() : renewed;
}

gpu::DeviceStatus Bench::renew(std::uint64_t round) {
    round_ = round;
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        const task::ResolvedBuffer& buffer = plan_.buffers[i];
        if (!is_input(i) || is_declared(i)) continue;
        const task::Fill& fill = task_.find_argument(buffer.name)->fill;
        const std::uint64_t stream = settings_.seed * 0x9E3779B97F4A7C15ull + round * 64 + i;
        const gpu::ElementType type = element_type(buffer.type);
        double low = fill.low, high = fill.high;
        if (fill.low_expression) low = static_cast<double>(fill.low_expression->evaluate(settings_.sizes).value_or(0));
        if (fill.high_expression) high = static_cast<double>(fill.high_expression->evaluate(settings_.sizes).value_or(0));
        const auto filled = fill.kind == task::FillKind::normal
                                ? kernels_.fill_normal(pristine_[i].data(), buffer.elements, type, fill.mean, fill.deviation, stream)
                                : kernels_.fill_random(pristine_[i].data(), buffer.elements, type, low, high, stream);
        if (!filled) return filled;
    }
    return {};
}

// Declared values have a meaning (an order, a permutation, a file): they come from the host once, and stay. What a candidate's stray
// writes do to them must not show in a truth: a digest tells.
Status Bench::write_declared(std::size_t i) {
    const task::ResolvedBuffer& buffer = plan_.buffers[i];
    const auto generator = task::generator_of(task_, *task_.find_argument(buffer.name), settings_.sizes, task::ValuePattern::declared, settings_.seed, disk_);
    if (!generator) return tl::make_unexpected(generator.error());
    constexpr std::uint64_t kChunk = 1 << 24;
    std::vector<std::uint8_t> bytes;
    const std::uint64_t width = task::bytes_of(buffer.type);
    for (std::uint64_t first = 0; first < buffer.elements; first += kChunk) {
        const std::uint64_t count = std::min(kChunk, buffer.elements - first);
        bytes.resize(count * width);
        (*generator)(first, count, bytes.data());
        auto written = device_.write(pristine_[i].data() + first * width, bytes.data(), bytes.size());
        if (written) written = device_.synchronize();
        if (!written) return environment_error(written.error().text());
    }
    return {};
}

Status Bench::write_declared_inputs() {
    for (std::size_t i = 0; i < task_buffers_; ++i) {
        if (!is_input(i) || is_renewed(task_.find_argument(plan_.buffers[i].name)->fill)) continue;
        if (const Status written = write_declared(i); !written) return written;
        digests_[i] = 0;
    }
    const auto found = changes_of_declared_inputs();
    if (!found) return environment_error(found.error().text());
    for (auto& [i, digest] : digests_) digest = (*found)[i].mismatches;
    return {};
}

// By the task's buffers; empty: none is declared.
gpu::DeviceResult<std::vector<gpu::Comparison>> Bench::changes_of_declared_inputs() {
    if (digests_.empty()) return std::vector<gpu::Comparison>();
    auto queued = kernels_.begin_checks(task_buffers_);
    for (const auto& [i, digest] : digests_) {
        if (queued) queued = queue_digest(i, i, pristine_[i]);
    }
    if (!queued) return tl::make_unexpected(queued.error());
    return kernels_.finish_checks();
}

gpu::DeviceStatus Bench::mend_declared_inputs() {
    const auto found = changes_of_declared_inputs();
    if (!found) return tl::make_unexpected(found.error());
    for (const auto& [i, digest] : digests_) {
        if ((*found)[i].mismatches == 0) continue;
        if (const Status written = write_declared(i); !written) return tl::make_unexpected(gpu::DeviceFailure{"inputs", "", written.error().text(), false});
    }
    return {};
}

gpu::DeviceStatus Bench::queue_digest(std::size_t slot, std::size_t i, const GuardedBuffer& buffer) {
    return kernels_.queue_digest(slot, buffer.data(), buffer.bytes(), random_bits(settings_.secret, ~std::uint64_t{i}), digests_.at(i));
}

}  // namespace optiml::evaluation::device
