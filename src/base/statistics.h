#pragma once
// Figures from samples, without assumptions about their distribution.

#include <cstdint>
#include <span>
#include <vector>

namespace optiml {

// Median of the samples; 0 for none. Even counts: the mean of the middle two.
double median(std::span<const double> samples);
// Quantile by linear interpolation, fraction in 0..1; 0 for none.
double quantile(std::span<const double> samples, double fraction);

struct Interval {
    double low = 0;
    double high = 0;
};

// Percentile bootstrap interval of median(numerator) / median(denominator) (Efron and Tibshirani 1993, chapter 13). Deterministic for
// a seed. Both need at least one sample, all positive; otherwise {0, infinity}: nothing is known.
Interval bootstrap_ratio(std::span<const double> numerator, std::span<const double> denominator, double confidence,
                         std::uint32_t resamples, std::uint64_t seed);

// Half the width of the bootstrap interval of the median, relative to the median; infinity for fewer than three samples.
double relative_half_width(std::span<const double> samples, double confidence, std::uint32_t resamples, std::uint64_t seed);

}  // namespace optiml
