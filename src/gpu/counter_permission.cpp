#include "gpu/counter_permission.h"

#include "base/disk.h"

namespace optiml::gpu {

CounterPermission counter_permission_in(std::string_view parameters) {
    constexpr std::string_view kName = "RmProfilingAdminOnly:";
    const std::size_t place = parameters.find(kName);
    if (place == std::string_view::npos) return CounterPermission::unknown;
    const std::size_t value = parameters.find_first_not_of(" \t", place + kName.size());
    if (value == std::string_view::npos) return CounterPermission::unknown;
    return parameters[value] == '0' ? CounterPermission::everybody : CounterPermission::administrators;
}

CounterPermission counter_permission() {
    return counter_permission_in(RealDisk().read("/proc/driver/nvidia/params").value_or(""));
}

}  // namespace optiml::gpu
