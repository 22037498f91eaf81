#pragma once
// Private to DeviceSession: what exists of one candidate on the device.

#include <optional>
#include <vector>

#include "evaluation/device/device_session.h"

namespace optiml::evaluation::device {

struct DeviceSession::Trial {
    explicit Trial(std::size_t in_turn) : number(in_turn) { evaluation.level = Level::L0; }

    std::size_t number;                  // among those evaluated together
    Evaluation evaluation;               // as far as it has come
    bool is_counted = true;              // false: another candidate lost the device before its counters were read
    std::optional<gpu::DeviceModule> module;
    std::vector<Bench::Seat> odd_seats;  // as odd_benches_
    std::optional<Bench::Seat> seat;
    std::optional<Bench::Seat> large_seat;
};

}  // namespace optiml::evaluation::device
