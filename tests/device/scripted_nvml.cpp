// NVML on the scripted driver: its card throttles for as many readings as a test asks for.

#include "scripted_driver.h"

namespace {

constexpr unsigned long long kNone = 0x1, kHardwareThermal = 0x40;  // idle alone is no throttling

int give(unsigned* where, unsigned value) { return *where = value, 0; }

}  // namespace

extern "C" {

int nvmlInit_v2() { return 0; }
int nvmlShutdown() { return 0; }
int nvmlDeviceGetHandleByUUID(const char*, void** device) { return *device = nullptr, 0; }
int nvmlDeviceGetClockInfo(void*, int, unsigned* megahertz) { return give(megahertz, 1000); }
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* megahertz) { return give(megahertz, 2000); }
int nvmlDeviceGetTemperature(void*, int, unsigned* degrees) { return give(degrees, 40); }
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return give(milliwatts, 100'000); }
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
    return *reasons = scripted_read_throttling() ? kHardwareThermal : kNone, 0;
}
}
