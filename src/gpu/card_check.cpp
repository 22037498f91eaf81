#include "gpu/card_check.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace optiml::gpu {
namespace {

constexpr const char* kMeasuring = "measuring; without one OptiML models times on its emulator";
constexpr std::uint64_t kAmpleBytes = 4'000'000'000;  // original and candidate, their masks, and several sets of values

bool is_short_of_memory(const CardFacts& facts) { return facts.free_bytes < std::min(kAmpleBytes, facts.properties.memory_bytes / 2); }

std::string text_of(const std::optional<ClockReading>& clocks) {
    if (!clocks) return "clocks unknown (no NVML)";
    std::string text = fmt::format("{} of {} MHz, {} C, {} W", clocks->sm_mhz, clocks->max_sm_mhz, clocks->temperature_c, clocks->power_w);
    if (clocks->throttled()) text += fmt::format(", throttled: {}", fmt::join(names_of_throttle_reasons(clocks->throttle_reasons), ", "));
    return text;
}

std::vector<std::string> remedies_for(const CardFacts& facts) {
    std::vector<std::string> remedies;
    if (!facts.clocks) remedies.emplace_back("Install the driver's libnvidia-ml.so.1: without it samples of a throttled card cannot be told and dropped.");
    if (facts.clocks && facts.clocks->throttled())
        remedies.emplace_back("Let the card cool, or see to its power and cooling: samples taken while it throttles are dropped.");
    if (is_short_of_memory(facts))
        remedies.emplace_back("End what else holds the card's memory (nvidia-smi lists it), or choose another card with --device cuda:N.");
    return remedies;
}

}  // namespace

EnvironmentCheck check_driver(int version, int devices) {
    const std::string supports = version > 0 ? fmt::format("for CUDA up to {}.{}", version / 1000, version % 1000 / 10) : "version unknown";
    return {"NVIDIA driver", CheckState::present, fmt::format("{}, {} {}", supports, devices, devices == 1 ? "device" : "devices"), kMeasuring, ""};
}

EnvironmentCheck check_card(const CardFacts& facts) {
    const DeviceProperties& properties = facts.properties;
    return {fmt::format("cuda:{}", properties.ordinal), CheckState::present,
            fmt::format("{}, sm_{}, {:.1f} of {:.1f} GB free, {}", properties.name, properties.compute_capability,
                        static_cast<double>(facts.free_bytes) / 1e9, static_cast<double>(properties.memory_bytes) / 1e9, text_of(facts.clocks)),
            kMeasuring, fmt::format("{}", fmt::join(remedies_for(facts), " "))};
}

}  // namespace optiml::gpu
