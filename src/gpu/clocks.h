#pragma once
// Clocks, temperature and reasons for throttling, through NVML. Reads only: card settings are never touched.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"

namespace optiml::gpu {

struct ClockReading {
    std::uint32_t sm_mhz = 0;
    std::uint32_t memory_mhz = 0;
    std::uint32_t max_sm_mhz = 0;
    std::uint32_t temperature_c = 0;
    std::uint32_t power_w = 0;
    std::uint64_t throttle_reasons = 0;  // NVML's bits

    // A reason that makes a sample unfit: thermal, power brake, or hardware slow-down (not idle, not the application's own clocks).
    bool throttled() const;
};

std::vector<std::string> names_of_throttle_reasons(std::uint64_t reasons);

class Clocks {
public:
    // uuid: DeviceProperties::uuid. Error (environment): no NVML.
    static Result<std::unique_ptr<Clocks>> open(const std::string& uuid);
    virtual ~Clocks() = default;
    virtual ClockReading read() = 0;
    // Only ClockReading::throttle_reasons: a fraction of the time of a whole reading.
    virtual ClockReading read_reasons() = 0;
};

}  // namespace optiml::gpu
