#pragma once
// Counters read in process: CUPTI's range profiler, one range a kernel, the work replayed by the caller once a pass. Some 27 ms a pass on
// an H200, after a first one of 170 ms; in between launches cost what they cost without it (under kernel replay each would cost 1.7 ms).
// Only one process at a time can have a profiler on a device.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/device.h"
#include "gpu/metrics.h"

namespace optiml::gpu {

using CounterValues = std::map<std::string, double>;

class Profiler {
public:
    // Errors: (environment) no CUPTI, no permission (the rung to try next is in the remedy), a device without counters; (internal) what
    // CUPTI says otherwise, for example while another process has a profiler on the device.
    static Result<std::unique_ptr<Profiler>> open(Device& device);
    virtual ~Profiler() = default;

    virtual std::string chip() const = 0;
    // Those of the metrics that this device can count, in their order.
    virtual std::vector<std::string> available(const std::vector<std::string>& metrics) = 0;
    // For each pass runs `prepare`, whose kernels are not counted, and then `launch`, which enqueues at most `kernels` kernels on the
    // device's stream: the same ones each time. Gives their counters in launch order. Both return their first failure. A capture that is
    // empty or holds a NaN is an error, never a value. Errors: (environment) as open(), or a kernel that failed; (internal) CUPTI's.
    Result<std::vector<CounterValues>> collect(MetricTier tier, std::size_t kernels, const std::function<DeviceStatus()>& prepare,
                                               const std::function<DeviceStatus()>& launch) {
        return collect(metrics_of(tier, chip()), kernels, prepare, launch);
    }
    virtual Result<std::vector<CounterValues>> collect(const std::vector<std::string>& metrics, std::size_t kernels,
                                                       const std::function<DeviceStatus()>& prepare,
                                                       const std::function<DeviceStatus()>& launch) = 0;
};

}  // namespace optiml::gpu
