#include "evaluation/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace optiml::evaluation {
namespace {

// Up to this share of the element or of the output's typical magnitude a deviation is a matter of accuracy, beyond it plainly wrong.
constexpr double kAccuracyShare = 1e-2;

std::string text_of(const Output& output, std::uint64_t element) {
    if (task::is_float(output.type)) return fmt::format("{:.9g}", output.value(element));
    if (output.type == task::ScalarType::u64) return fmt::format("{}", static_cast<std::uint64_t>(task::load_integer(output.type, output.at(element))));
    return fmt::format("{}", task::load_integer(output.type, output.at(element)));
}

class OutputComparison {
public:
    OutputComparison(const OutputReference& reference, const Output& output, const task::Checks& checks)
        : reference_(reference), output_(output), checks_(checks) {}

    std::optional<Deviation> compare() {
        for (std::uint64_t i = 0; i < output_.elements; ++i) {
            if (!reference_.original.written[i]) {
                if (!output_.written[i]) continue;
                if (!first_stray_) first_stray_ = i;
                ++strays_;
                continue;
            }
            ++compared_;
            const double excess = output_.written[i] ? excess_at(i) : std::numeric_limits<double>::infinity();
            if (excess <= 0) continue;
            ++wrong_;
            // Never written is worse than any value, the first one of equals is kept.
            const bool worse = !worst_ || (!output_.written[i] && output_.written[*worst_]) ||
                               (excess > worst_excess_ && output_.written[i] == output_.written[*worst_]);
            if (worse) {
                worst_ = i;
                worst_excess_ = excess;
            }
        }
        if (worst_) return deviation();
        return first_stray_ ? std::optional(stray()) : std::nullopt;
    }

private:
    // How many times over its bound an element is, less one; 0 or less: it is as it should be.
    double excess_at(std::uint64_t i) const {
        constexpr double infinite = std::numeric_limits<double>::infinity();
        const std::uint32_t size = task::bytes_of(output_.type);
        if (std::equal(output_.at(i), output_.at(i) + size, reference_.original.at(i))) return 0;
        if (!task::is_float(output_.type)) return std::isinf(reference_.bounds[i]) ? 0 : integer_distance(i);
        const double original = reference_.original.value(i), value = output_.value(i);
        if (!std::isfinite(original)) {
            if (!checks_.compare_nan_exactly || (std::isnan(original) && std::isnan(value)) || original == value) return 0;
            // The original overflowed where wider arithmetic does not: the true value is as good.
            if (!std::isfinite(reference_.exact.high[i])) return infinite;
        }
        if (!std::isfinite(value)) return infinite;
        if (checks_.bitwise) return 1;
        const double error = error_at(i);
        if (error <= reference_.bounds[i]) return 0;
        return reference_.bounds[i] == 0 ? infinite : error / reference_.bounds[i] - 1;
    }

    // From what exact arithmetic gives, which need not be what the original gives.
    double error_at(std::uint64_t i) const { return std::fabs(distance(output_.value(i), reference_.exact.high[i], reference_.exact.low[i])); }

    double integer_distance(std::uint64_t i) const {
        return std::max(std::fabs(output_.value(i) - reference_.original.value(i)), 1.0);
    }

    Deviation stray() const {
        Deviation deviation{FindingKind::wrong_values, output_.buffer, *first_stray_, false};
        deviation.message = fmt::format("element {} of '{}' was written, which the original leaves as it was ({} of {} elements it leaves so)", *first_stray_,
                                        output_.name, strays_, output_.elements - compared_);
        return deviation;
    }

    Deviation deviation() const {
        const std::uint64_t i = *worst_;
        Deviation deviation{FindingKind::wrong_values, output_.buffer, i, !output_.written[i]};
        const std::string count = fmt::format("{} of {} elements differ", wrong_, compared_);
        if (deviation.never_written) {
            deviation.message = fmt::format("element {} of '{}' was never written ({})", i, output_.name, count);
            return deviation;
        }
        deviation.message = fmt::format("element {} of '{}' is {} instead of {}", i, output_.name, text_of(output_, i),
                                        text_of(reference_.original, i));
        if (task::is_float(output_.type)) {
            deviation.message += fmt::format(", {:.3g} off; at most {:.3g} off is allowed", error_at(i), reference_.bounds[i]);
            if (is_near(i)) deviation.kind = FindingKind::accuracy;
        }
        deviation.message += " (" + count + ")";
        return deviation;
    }

    bool is_near(std::uint64_t i) const {
        double sum = 0;
        std::uint64_t finite = 0;
        for (std::uint64_t k = 0; k < output_.elements; ++k) {
            const double magnitude = std::fabs(reference_.exact.high[k]);
            if (!reference_.original.written[k] || !std::isfinite(magnitude)) continue;
            sum += magnitude;
            ++finite;
        }
        const double typical = finite == 0 ? 0 : sum / static_cast<double>(finite);
        const double error = error_at(i);
        return std::isfinite(error) && error <= kAccuracyShare * std::max(std::fabs(reference_.exact.high[i]), typical);
    }

    const OutputReference& reference_;
    const Output& output_;
    const task::Checks& checks_;
    std::optional<std::uint64_t> worst_;
    double worst_excess_ = 0;
    std::uint64_t wrong_ = 0;
    std::uint64_t compared_ = 0;
    std::optional<std::uint64_t> first_stray_;  // written, though not by the original
    std::uint64_t strays_ = 0;
};

// Whether some element is further from the constant than its bound.
bool rejects_constant(const OutputReference& output, double constant) {
    for (std::uint64_t i = 0; i < output.original.elements; ++i) {
        if (!output.original.written[i]) continue;
        const double value = output.original.value(i);
        if (!std::isfinite(value) || std::fabs(value - constant) > output.bounds[i]) return true;
    }
    return false;
}

}  // namespace

std::optional<Deviation> compare(const Reference& reference, const std::vector<Output>& outputs, const task::Checks& checks) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (auto deviation = OutputComparison(reference.outputs[i], outputs[i], checks).compare()) return deviation;
    }
    return std::nullopt;
}

bool has_power(const Reference& reference) {
    return std::any_of(reference.outputs.begin(), reference.outputs.end(), [](const OutputReference& output) {
        if (output.original.elements == 0) return false;
        const double first = output.original.value(0);
        return rejects_constant(output, 0) && (output.original.elements == 1 || rejects_constant(output, first));
    });
}

}  // namespace optiml::evaluation
