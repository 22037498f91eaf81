#pragma once
// Counters read in process: CUPTI's range profiler, one range a kernel, kernels replayed once a pass. Some 14 ms a pass for a kernel of
// 10-400 us after a first call of up to a second.

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
    // Errors (environment): no CUPTI, no permission (the rung to try next is in the remedy), a device without counters.
    static Result<std::unique_ptr<Profiler>> open(Device& device);
    virtual ~Profiler() = default;

    virtual std::string chip() const = 0;
    // Runs `launch` (which enqueues kernels on the device's stream and returns the first failure) and gives the counters of each of its
    // kernels in order, at most `kernels` of them. A capture that is empty or holds a NaN is an error (environment), never a value.
    Result<std::vector<CounterValues>> collect(MetricTier tier, std::size_t kernels, const std::function<DeviceStatus()>& launch) {
        return collect(metrics_of(tier, chip()), kernels, launch);
    }
    virtual Result<std::vector<CounterValues>> collect(const std::vector<std::string>& metrics, std::size_t kernels, const std::function<DeviceStatus()>& launch) = 0;
};

}  // namespace optiml::gpu
