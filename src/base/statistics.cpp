#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/random.h"

namespace optiml {
namespace {

// Quantile of samples that may be reordered.
double quantile_of(std::vector<double>& samples, double fraction) {
    if (samples.empty()) return 0;
    const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(samples.size() - 1);
    const auto index = static_cast<std::size_t>(position);
    const auto below = samples.begin() + static_cast<std::ptrdiff_t>(index);
    std::nth_element(samples.begin(), below, samples.end());
    const double low = *below;
    if (index + 1 == samples.size()) return low;
    const double high = *std::min_element(below + 1, samples.end());
    return low + (high - low) * (position - static_cast<double>(index));
}

// Draws with replacement, element i of draw number `draw`.
double resampled_median(std::span<const double> samples, std::uint64_t seed, std::uint64_t draw, std::vector<double>& scratch) {
    scratch.resize(samples.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const std::uint64_t bits = random_bits(seed, draw * samples.size() + i);
        scratch[i] = samples[bits * samples.size() >> 32];
    }
    return quantile_of(scratch, 0.5);
}

bool all_positive(std::span<const double> samples) {
    return !samples.empty() && std::all_of(samples.begin(), samples.end(), [](double x) { return x > 0 && std::isfinite(x); });
}

}  // namespace

double quantile(std::span<const double> samples, double fraction) {
    std::vector<double> copy(samples.begin(), samples.end());
    return quantile_of(copy, fraction);
}

double median(std::span<const double> samples) { return quantile(samples, 0.5); }

Interval bootstrap_ratio(std::span<const double> numerator, std::span<const double> denominator, double confidence,
                         std::uint32_t resamples, std::uint64_t seed) {
    if (!all_positive(numerator) || !all_positive(denominator)) return {0, std::numeric_limits<double>::infinity()};
    std::vector<double> ratios, scratch;
    for (std::uint32_t draw = 0; draw < resamples; ++draw) {
        const double above = resampled_median(numerator, 2 * seed, draw, scratch);
        ratios.push_back(above / resampled_median(denominator, 2 * seed + 1, draw, scratch));
    }
    const double tail = (1 - confidence) / 2;
    return {quantile(ratios, tail), quantile(ratios, 1 - tail)};
}

double relative_half_width(std::span<const double> samples, double confidence, std::uint32_t resamples, std::uint64_t seed) {
    if (samples.size() < 3 || !all_positive(samples)) return std::numeric_limits<double>::infinity();
    std::vector<double> medians, scratch;
    for (std::uint32_t draw = 0; draw < resamples; ++draw) medians.push_back(resampled_median(samples, seed, draw, scratch));
    const double tail = (1 - confidence) / 2;
    return (quantile(medians, 1 - tail) - quantile(medians, tail)) / 2 / median(samples);
}

}  // namespace optiml
