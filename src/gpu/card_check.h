#pragma once
// What `optiml doctor` says of the driver and of a card, from what was read of them.

#include <cstdint>
#include <optional>

#include "gpu/clocks.h"
#include "gpu/device.h"
#include "gpu/environment.h"

namespace optiml::gpu {

struct CardFacts {
    DeviceProperties properties;
    std::uint64_t free_bytes = 0;
    std::optional<ClockReading> clocks;  // nullopt: no NVML
};

// version: as DeviceProperties::driver_version; 0: unknown.
EnvironmentCheck check_driver(int version, int devices);

// A card that is there but throttled, short of memory or without clocks is present with a remedy.
EnvironmentCheck check_card(const CardFacts& facts);

}  // namespace optiml::gpu
