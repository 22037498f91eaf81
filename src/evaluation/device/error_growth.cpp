#include "evaluation/device/error_growth.h"

#include <algorithm>
#include <cmath>

namespace optiml::evaluation::device {

double longest_sum(const std::vector<CountedLaunch>& launches, std::size_t all_launches, double inputs, double outputs) {
    if (launches.empty()) return supposed_longest_sum(inputs, outputs);
    double additions = 0, by_thread = 0;
    for (const CountedLaunch& launch : launches) {
        additions += launch.additions;
        by_thread = std::max(by_thread, launch.additions / std::max(1.0, launch.threads));
    }
    additions *= static_cast<double>(all_launches) / static_cast<double>(launches.size());
    const double by_output = std::max(additions, inputs) / std::max(1.0, outputs);
    return std::max({1.0, by_output, by_thread});
}

double supposed_longest_sum(double inputs, double outputs) {
    return std::max({1.0, inputs / std::max(1.0, outputs), std::sqrt(inputs)});
}

}  // namespace optiml::evaluation::device
