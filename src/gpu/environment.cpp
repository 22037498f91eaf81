#include "gpu/environment.h"

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/clocks.h"
#include "gpu/compiler.h"
#include "gpu/device.h"
#include "gpu/metrics.h"
#include "gpu/profiler.h"
#include "gpu/toolkit.h"

namespace optiml::gpu {
namespace {

EnvironmentCheck missing(std::string name, std::string needed_for, const Error& error) {
    return {std::move(name), CheckState::missing, error.message, std::move(needed_for), error.remedy};
}

EnvironmentCheck check_compiler() {
    const std::string purpose = "compiling candidates, with and without a GPU";
    const auto compiler = load_compiler();
    if (!compiler) return missing("NVRTC", purpose, compiler.error());
    return {"NVRTC", CheckState::present, (*compiler)->version(), purpose, ""};
}

EnvironmentCheck check_headers() {
    const std::string headers = find_cuda_headers();
    EnvironmentCheck check{"CUDA headers", CheckState::present, headers, "kernels that include CUDA's headers", ""};
    if (headers.empty()) {
        check.state = CheckState::missing;
        check.detail = "no cuda_runtime.h was found";
        check.remedy = "Run ./demo once, or install a CUDA toolkit and set CUDA_HOME.";
    }
    return check;
}

EnvironmentCheck check_program(const char* name, const char* purpose, const char* remedy) {
    const std::string path = find_toolkit_program(name);
    if (path.empty()) return {name, CheckState::missing, "not found", purpose, remedy};
    return {name, CheckState::present, path, purpose, ""};
}

std::string clocks_of(const DeviceProperties& properties) {
    const auto clocks = Clocks::open(properties.uuid);
    if (!clocks) return "clocks unknown (no NVML)";
    const ClockReading reading = (*clocks)->read();
    std::string text = fmt::format("{} of {} MHz, {} C, {} W", reading.sm_mhz, reading.max_sm_mhz, reading.temperature_c, reading.power_w);
    if (reading.throttled()) text += fmt::format(", throttled: {}", fmt::join(names_of_throttle_reasons(reading.throttle_reasons), ", "));
    return text;
}

// The driver's own setting, where it tells: 1 keeps counters for administrators.
std::string counter_permission() {
    std::ifstream file("/proc/driver/nvidia/params");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("RmProfilingAdminOnly:")) return line.ends_with("1") ? "for administrators only" : "for all users";
    }
    return "permission unknown";
}

EnvironmentCheck check_counters(Device& device) {
    const std::string purpose = "hardware counters";
    const auto profiler = Profiler::open(device);
    if (!profiler) return missing(fmt::format("counters of cuda:{}", device.properties().ordinal), purpose, profiler.error());
    return {fmt::format("counters of cuda:{}", device.properties().ordinal), CheckState::present,
            fmt::format("CUPTI, chip {}, {}", (*profiler)->chip(), counter_permission()), purpose, ""};
}

void check_devices(std::vector<EnvironmentCheck>& checks) {
    const std::string purpose = "measuring; without one OptiML models times on its emulator";
    const auto count = Device::count();
    if (!count) {
        checks.push_back(missing("NVIDIA driver", purpose, count.error()));
        checks.push_back({"CUPTI", CheckState::unneeded, "needs a driver", "hardware counters", ""});
        return;
    }
    checks.push_back({"NVIDIA driver", CheckState::present, fmt::format("{} device(s)", *count), purpose, ""});
    for (int ordinal = 0; ordinal < *count; ++ordinal) {
        auto device = Device::open(ordinal);
        if (!device) {
            checks.push_back(missing(fmt::format("cuda:{}", ordinal), purpose, device.error()));
            continue;
        }
        const DeviceProperties& properties = (*device)->properties();
        checks.push_back({fmt::format("cuda:{}", ordinal), CheckState::present,
                          fmt::format("{}, sm_{}, {:.1f} of {:.1f} GB free, {}", properties.name, properties.compute_capability,
                                      static_cast<double>((*device)->free_memory().value_or(0)) / 1e9,
                                      static_cast<double>(properties.memory_bytes) / 1e9, clocks_of(properties)),
                          purpose, ""});
        checks.push_back(check_counters(**device));
    }
}

}  // namespace

std::vector<EnvironmentCheck> check_environment() {
    std::vector<EnvironmentCheck> checks = {check_compiler(), check_headers()};
    checks.push_back(check_program("nvdisasm", "machine instruction counts by source line", "Run ./demo once: it brings nvdisasm into .toolchain."));
    check_devices(checks);
    checks.push_back(check_program("ncu", "--profiler ncu", "Install Nsight Compute; counters in process need only CUPTI."));
    checks.push_back(check_program("compute-sanitizer", "a second opinion on a device's faults", "It comes with the CUDA toolkit."));
    return checks;
}

}  // namespace optiml::gpu
