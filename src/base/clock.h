#pragma once
// Time as a seam: everything that waits or stops takes a Clock, so that tests need not sleep.

#include <chrono>
#include <limits>

namespace optiml {

class Clock {
public:
    virtual ~Clock() = default;
    // Seconds since an arbitrary start; never goes back.
    virtual double now() const = 0;
};

class SteadyClock final : public Clock {
public:
    double now() const override {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }
};

class FakeClock final : public Clock {
public:
    double now() const override { return seconds_; }
    void advance(double seconds) { seconds_ += seconds; }

private:
    double seconds_ = 0;
};

// A point in time after which work is to stop.
class Deadline {
public:
    Deadline() = default;  // never
    Deadline(const Clock& clock, double seconds) : clock_(&clock), end_(clock.now() + seconds) {}
    bool passed() const { return clock_ != nullptr && clock_->now() >= end_; }
    double seconds_left() const {
        return clock_ == nullptr ? std::numeric_limits<double>::infinity() : end_ - clock_->now();
    }

private:
    const Clock* clock_ = nullptr;
    double end_ = 0;
};

}  // namespace optiml
