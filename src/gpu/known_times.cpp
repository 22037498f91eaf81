#include "gpu/known_times.h"

#include <algorithm>

namespace optiml::gpu {
namespace {

constexpr std::size_t kLeast = 3, kMost = 9;
constexpr double kFar = 3, kRecentSeconds = 5;

}  // namespace

void KnownTimes::add(double milliseconds, double now) {
    if (times_.size() == kMost) times_.erase(times_.begin());
    times_.push_back(milliseconds);
    latest_ = now;
}

bool KnownTimes::suffice(const std::vector<double>& candidate_ms, double now) const {
    if (times_.size() < kLeast || candidate_ms.empty() || now - latest_ > kRecentSeconds) return false;
    const auto [fastest, slowest] = std::minmax_element(times_.begin(), times_.end());
    const auto [lowest, highest] = std::minmax_element(candidate_ms.begin(), candidate_ms.end());
    return *highest * kFar < *fastest || *lowest > kFar * *slowest;
}

}  // namespace optiml::gpu
