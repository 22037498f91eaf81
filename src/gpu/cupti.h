#pragma once
// CUPTI's functions by name. Private to src/gpu: it needs CUPTI's headers.

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <string>
#include <vector>

#include "base/result.h"
#include "gpu/dynamic_library.h"

namespace optiml::gpu {

class Cupti {
public:
    static Result<const Cupti*> get();

    // internal error naming the call; permission problems are the environment's.
    Status check(const char* call, CUptiResult code) const;
    const std::string& path() const { return library_.path(); }

    decltype(&::cuptiGetResultString) GetResultString = nullptr;
    decltype(&::cuptiDeviceGetChipName) DeviceGetChipName = nullptr;
    decltype(&::cuptiProfilerInitialize) ProfilerInitialize = nullptr;
    decltype(&::cuptiProfilerGetCounterAvailability) ProfilerGetCounterAvailability = nullptr;
    decltype(&::cuptiProfilerHostInitialize) ProfilerHostInitialize = nullptr;
    decltype(&::cuptiProfilerHostDeinitialize) ProfilerHostDeinitialize = nullptr;
    decltype(&::cuptiProfilerHostGetSupportedChips) ProfilerHostGetSupportedChips = nullptr;
    decltype(&::cuptiProfilerHostGetBaseMetrics) ProfilerHostGetBaseMetrics = nullptr;
    decltype(&::cuptiProfilerHostConfigAddMetrics) ProfilerHostConfigAddMetrics = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImageSize) ProfilerHostGetConfigImageSize = nullptr;
    decltype(&::cuptiProfilerHostGetConfigImage) ProfilerHostGetConfigImage = nullptr;
    decltype(&::cuptiProfilerHostGetNumOfPasses) ProfilerHostGetNumOfPasses = nullptr;
    decltype(&::cuptiProfilerHostEvaluateToGpuValues) ProfilerHostEvaluateToGpuValues = nullptr;
    decltype(&::cuptiRangeProfilerEnable) RangeProfilerEnable = nullptr;
    decltype(&::cuptiRangeProfilerDisable) RangeProfilerDisable = nullptr;
    decltype(&::cuptiRangeProfilerSetConfig) RangeProfilerSetConfig = nullptr;
    decltype(&::cuptiRangeProfilerStart) RangeProfilerStart = nullptr;
    decltype(&::cuptiRangeProfilerStop) RangeProfilerStop = nullptr;
    decltype(&::cuptiRangeProfilerDecodeData) RangeProfilerDecodeData = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataSize) RangeProfilerGetCounterDataSize = nullptr;
    decltype(&::cuptiRangeProfilerCounterDataImageInitialize) RangeProfilerCounterDataImageInitialize = nullptr;
    decltype(&::cuptiRangeProfilerGetCounterDataInfo) RangeProfilerGetCounterDataInfo = nullptr;

private:
    static Result<const Cupti*> load();
    std::string find_all();

    DynamicLibrary library_;
};

// CUPTI's parameter structures all begin so; everything else is zero until set.
template <class Parameters>
Parameters cupti_parameters(std::size_t size) {
    Parameters parameters{};
    parameters.structSize = size;
    return parameters;
}
#define OPTIML_PARAMETERS(Name) cupti_parameters<Name>(Name##_STRUCT_SIZE)

// A host object; deinitialises itself.
class HostObject {
public:
    HostObject(const Cupti& cupti, CUpti_Profiler_Host_Object* object) : cupti_(&cupti), object_(object) {}
    HostObject(HostObject&& other) noexcept;
    HostObject& operator=(HostObject&& other) noexcept;
    ~HostObject();
    CUpti_Profiler_Host_Object* get() const { return object_; }

private:
    const Cupti* cupti_;
    CUpti_Profiler_Host_Object* object_;
};

// availability: the device's image; empty where there is no device.
Result<HostObject> make_host_object(const Cupti& cupti, const std::string& chip, const std::vector<std::uint8_t>& availability);

}  // namespace optiml::gpu
