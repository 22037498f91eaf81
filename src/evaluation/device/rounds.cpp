#include "evaluation/device/rounds.h"

#include <utility>

#include "base/random.h"

namespace optiml::evaluation::device {

void Rounds::begin_candidate() {
    ++candidates_;
    order_.clear();
    for (std::size_t i = 0; i < kept_; ++i) order_.push_back(kFirstKept + i);
    for (std::size_t i = order_.size(); i > 1; --i) {
        std::swap(order_[i - 1], order_[random_bits(secret_ + 1, candidates_ * kept_ + i) % i]);
    }
}

std::uint64_t Rounds::judged() {
    if (order_.empty()) return fresh();
    const std::uint64_t round = order_.back();
    order_.pop_back();
    return round;
}

}  // namespace optiml::evaluation::device
