#include "evaluation/tolerance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace optiml::evaluation {
namespace {

// An element's error is pooled with those of all smaller elements and this many larger ones.
constexpr std::size_t kPooledAbove = 64;
constexpr double kLeastSpacings = 4;

struct FloatFormat {
    int mantissa_bits;
    int smallest_exponent;
};

FloatFormat format_of(task::ScalarType type) {
    switch (type) {
        case task::ScalarType::f16: return {10, -14};
        case task::ScalarType::bf16: return {7, -126};
        case task::ScalarType::f64: return {52, -1022};
        default: return {23, -126};
    }
}

}  // namespace

double spacing(task::ScalarType type, double magnitude) {
    const FloatFormat format = format_of(type);
    if (!std::isfinite(magnitude)) return 0;
    const int exponent = magnitude == 0 ? format.smallest_exponent : std::max(std::ilogb(magnitude), format.smallest_exponent);
    const double flushed = std::ldexp(1.0, format.smallest_exponent);
    return std::max(std::ldexp(1.0, exponent - format.mantissa_bits), flushed);
}

double largest_error(const ErrorEvidence& evidence) {
    double largest = 0;
    for (std::size_t i = 0; i < evidence.error.size(); ++i) {
        if (!std::isnan(evidence.magnitude[i]) && std::isfinite(evidence.error[i])) largest = std::max(largest, evidence.error[i]);
    }
    return largest;
}

std::vector<double> bounds_from(const ErrorEvidence& evidence, task::ScalarType type, double factor, double additional_error) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < evidence.magnitude.size(); ++i) {
        if (!std::isnan(evidence.magnitude[i]) && std::isfinite(evidence.error[i])) order.push_back(i);
    }
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return evidence.magnitude[a] < evidence.magnitude[b]; });
    std::vector<double> largest_so_far(order.size());
    double largest = additional_error;
    for (std::size_t i = 0; i < order.size(); ++i) {
        largest = std::max(largest, evidence.error[order[i]]);
        largest_so_far[i] = largest;
    }
    // Elements that say nothing themselves (the original overflowed) get the least bound.
    std::vector<double> bounds(evidence.magnitude.size());
    for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = kLeastSpacings * spacing(type, evidence.magnitude[i]);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double pooled = largest_so_far[std::min(i + kPooledAbove, order.size() - 1)];
        bounds[order[i]] = std::max(bounds[order[i]], factor * pooled);
    }
    return bounds;
}

}  // namespace optiml::evaluation
