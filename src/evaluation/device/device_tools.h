#pragma once
// What evaluation needs of one GPU whatever the task: opened before the task is known, since it takes a second.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "gpu/clocks.h"
#include "gpu/device.h"
#include "gpu/helper_kernels.h"
#include "gpu/profiler.h"
#include "gpu/timing.h"

namespace optiml::evaluation::device {

class DeviceTools {
public:
    // helper_cubin: of HelperKernels, as another process on the same kind of card compiled it; empty: compiled here, beside the opening of
    // the card, for elements of these types. Errors (environment): no such device, no NVRTC, too little memory.
    static Result<std::unique_ptr<DeviceTools>> open(int ordinal, std::vector<std::uint8_t> helper_cubin, const std::set<gpu::ElementType>& types);

    SteadyClock clock;
    std::unique_ptr<gpu::Device> device;
    std::vector<std::uint8_t> helper_cubin;
    std::unique_ptr<gpu::HelperKernels> kernels;
    std::unique_ptr<gpu::Clocks> clocks;      // null: no NVML
    std::unique_ptr<gpu::Timer> timer;

    // Opened when it is first asked for: only one process can have the counters of a device, and a spare must not take them from the
    // worker it stands by for. Null: there are none, and no_counters_because() says why.
    gpu::Profiler* profiler();
    const std::string& no_counters_because() const { return no_counters_because_; }

private:
    std::unique_ptr<gpu::Profiler> profiler_;
    std::string no_counters_because_;
    int attempts_left_ = 20;                  // a process that is being ended holds the counters for a while
};

}  // namespace optiml::evaluation::device
