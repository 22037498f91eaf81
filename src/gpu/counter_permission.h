#pragma once

#include <cstdint>
#include <string_view>

namespace optiml::gpu {

// Who may read hardware counters, by the driver's own setting.
enum class CounterPermission : std::uint8_t { everybody, administrators, unknown };

// Reads RmProfilingAdminOnly of /proc/driver/nvidia/params.
CounterPermission counter_permission();
CounterPermission counter_permission_in(std::string_view parameters);

}  // namespace optiml::gpu
