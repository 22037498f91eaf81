#include "gpu/clocks.h"

#include <array>
#include <utility>

#include "gpu/dynamic_library.h"

namespace optiml::gpu {
namespace {

// Bits of nvmlDeviceGetCurrentClocksEventReasons (NVML reference, "NvmlClocksEventReasons").
constexpr std::uint64_t kPowerCap = 0x4, kHardwareSlowdown = 0x8, kSoftwareThermal = 0x20, kHardwareThermal = 0x40, kPowerBrake = 0x80;
constexpr std::array<std::pair<std::uint64_t, const char*>, 9> kReasonNames = {{{0x1, "idle"},
                                                                               {0x2, "application clocks"},
                                                                               {kPowerCap, "software power cap"},
                                                                               {kHardwareSlowdown, "hardware slow-down"},
                                                                               {0x10, "sync boost"},
                                                                               {kSoftwareThermal, "software thermal slow-down"},
                                                                               {kHardwareThermal, "hardware thermal slow-down"},
                                                                               {kPowerBrake, "power brake"},
                                                                               {0x100, "display clock"}}};

// NVML's C interface, as far as we use it; 0 is success.
struct Nvml {
    DynamicLibrary library;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*by_uuid)(const char*, void**) = nullptr;
    int (*clock)(void*, int, unsigned*) = nullptr;
    int (*max_clock)(void*, int, unsigned*) = nullptr;
    int (*temperature)(void*, int, unsigned*) = nullptr;
    int (*power)(void*, unsigned*) = nullptr;
    int (*reasons)(void*, unsigned long long*) = nullptr;

    bool find_all() {
        return library.find("nvmlInit_v2", init) && library.find("nvmlShutdown", shutdown) &&
               library.find("nvmlDeviceGetHandleByUUID", by_uuid) && library.find("nvmlDeviceGetClockInfo", clock) &&
               library.find("nvmlDeviceGetMaxClockInfo", max_clock) && library.find("nvmlDeviceGetTemperature", temperature) &&
               library.find("nvmlDeviceGetPowerUsage", power) &&
               (library.find("nvmlDeviceGetCurrentClocksEventReasons", reasons) ||
                library.find("nvmlDeviceGetCurrentClocksThrottleReasons", reasons));
    }
};

class NvmlClocks final : public Clocks {
public:
    NvmlClocks(Nvml nvml, void* device) : nvml_(std::move(nvml)), device_(device) {}
    ~NvmlClocks() override { nvml_.shutdown(); }
    NvmlClocks(const NvmlClocks&) = delete;
    NvmlClocks& operator=(const NvmlClocks&) = delete;

    ClockReading read() override {
        constexpr int sm = 1, memory = 2;
        ClockReading reading;
        unsigned milliwatts = 0;
        unsigned long long reasons = 0;
        nvml_.clock(device_, sm, &reading.sm_mhz);
        nvml_.clock(device_, memory, &reading.memory_mhz);
        nvml_.max_clock(device_, sm, &reading.max_sm_mhz);
        nvml_.temperature(device_, 0, &reading.temperature_c);
        nvml_.power(device_, &milliwatts);
        nvml_.reasons(device_, &reasons);
        reading.power_w = milliwatts / 1000;
        reading.throttle_reasons = reasons;
        return reading;
    }

    ClockReading read_reasons() override {
        ClockReading reading;
        unsigned long long reasons = 0;
        nvml_.reasons(device_, &reasons);
        reading.throttle_reasons = reasons;
        return reading;
    }

private:
    Nvml nvml_;
    void* device_;
};

}  // namespace

bool ClockReading::throttled() const {
    return (throttle_reasons & (kHardwareSlowdown | kSoftwareThermal | kHardwareThermal | kPowerBrake)) != 0;
}

std::vector<std::string> names_of_throttle_reasons(std::uint64_t reasons) {
    std::vector<std::string> names;
    for (const auto& [bit, name] : kReasonNames) {
        if ((reasons & bit) != 0) names.emplace_back(name);
    }
    return names;
}

Result<std::unique_ptr<Clocks>> Clocks::open(const std::string& uuid) {
    auto library = DynamicLibrary::open({"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"});
    if (!library) return environment_error("NVML was not found: " + library.error().message, "It comes with the driver.");
    Nvml nvml{.library = std::move(*library)};
    if (!nvml.find_all() || nvml.init() != 0) return environment_error("NVML does not start", "See nvidia-smi.");
    void* device = nullptr;
    if (nvml.by_uuid(uuid.c_str(), &device) != 0) {
        nvml.shutdown();
        return environment_error("NVML does not know the device " + uuid);
    }
    return std::make_unique<NvmlClocks>(std::move(nvml), device);
}

}  // namespace optiml::gpu
