#pragma once

#include <cstdint>

namespace optiml {

// Processors that this process may run on: less than the machine's where it was pinned (taskset, a scheduler's share). At least 1.
std::uint32_t available_processors();

}  // namespace optiml
