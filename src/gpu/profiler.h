#pragma once
// Counters read in process: CUPTI's range profiler, one range a kernel, the work replayed by the caller once a pass. On an H200 a pass
// takes 27 ms to start and stop, whatever runs in it (the first start takes 160 ms), and 0.9 ms a kernel: several candidates are best
// counted in one session. Between sessions launches cost what they cost without it (under kernel replay each would cost 1.7 ms).
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

// Work whose kernels are counted.
struct CountedWork {
    std::size_t kernels = 1;                 // that `launch` enqueues at most: the same ones each time
    std::function<DeviceStatus()> prepare;   // of one work alone it runs before the session; among several it must launch no kernel
    std::function<DeviceStatus()> launch;    // on the device's stream
};

class Profiler {
public:
    // Errors: (environment) no CUPTI, no permission (the rung to try next is in the remedy), a device without counters; (internal) what
    // CUPTI says otherwise, for example while another process has a profiler on the device.
    static Result<std::unique_ptr<Profiler>> open(Device& device);
    virtual ~Profiler() = default;

    virtual std::string chip() const = 0;
    // Those of the metrics that this device can count, in their order.
    virtual std::vector<std::string> available(const std::vector<std::string>& metrics) = 0;
    // One session for all works: in each pass their `prepare` and `launch`, one after another. Gives the counters of all kernels in the
    // order of their launches; of several works exactly the kernels announced. A capture that is empty or holds a NaN is an error, never
    // a value. After a sticky failure CUPTI is left as it is: only ending the process helps. Errors: (environment) as open(), or a kernel
    // that failed; (internal) CUPTI's.
    virtual Result<std::vector<CounterValues>> collect(const std::vector<std::string>& metrics, const std::vector<CountedWork>& works) = 0;
    Result<std::vector<CounterValues>> collect(MetricTier tier, CountedWork work) { return collect(metrics_of(tier, chip()), {std::move(work)}); }
};

}  // namespace optiml::gpu
