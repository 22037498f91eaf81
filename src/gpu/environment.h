#pragma once
// What this machine has of what OptiML can use, each with its remedy: the content of `optiml doctor`.

#include <cstdint>
#include <string>
#include <vector>

namespace optiml::gpu {

enum class CheckState : std::uint8_t {
    present,
    missing,   // something works less well, or not at all; the remedy says what to do
    unneeded,  // only useful with something else that is missing (counters without a driver)
};

struct EnvironmentCheck {
    std::string name;      // "NVRTC"
    CheckState state = CheckState::missing;
    std::string detail;    // version and place, or why not
    std::string needed_for;
    std::string remedy;
};

// Compiler and toolkit programs, driver, each device with its free memory and clocks, counters and their permission.
// Takes up to a second where there is a GPU.
std::vector<EnvironmentCheck> check_environment();

}  // namespace optiml::gpu
