#include "gpu/cupti.h"

#include <utility>

#include <fmt/format.h>

#include "gpu/toolkit.h"

#define OPTIML_FIND_IN_CUPTI(name) \
    if (!library_.find("cupti" #name, name)) return "cupti" #name

namespace optiml::gpu {

Result<const Cupti*> Cupti::get() {
    static const Result<const Cupti*> cupti = load();
    return cupti;
}

Result<const Cupti*> Cupti::load() {
    auto library = DynamicLibrary::open(library_candidates({"libcupti.so.13", "libcupti.so"}));
    if (!library) {
        return environment_error("CUPTI was not found: " + library.error().message,
                                 "Install the CUDA toolkit, or the package nvidia-cuda-cupti, of the driver's CUDA version.");
    }
    static Cupti cupti;
    cupti.library_ = std::move(*library);
    const std::string missing = cupti.find_all();
    if (!missing.empty()) {
        return environment_error(fmt::format("{} lacks {}", cupti.path(), missing), "Use the CUPTI of CUDA 13.0 or newer.");
    }
    return &cupti;
}

std::string Cupti::find_all() {
    OPTIML_FIND_IN_CUPTI(GetResultString);
    OPTIML_FIND_IN_CUPTI(DeviceGetChipName);
    OPTIML_FIND_IN_CUPTI(ProfilerInitialize);
    OPTIML_FIND_IN_CUPTI(ProfilerGetCounterAvailability);
    OPTIML_FIND_IN_CUPTI(ProfilerHostInitialize);
    OPTIML_FIND_IN_CUPTI(ProfilerHostDeinitialize);
    OPTIML_FIND_IN_CUPTI(ProfilerHostGetSupportedChips);
    OPTIML_FIND_IN_CUPTI(ProfilerHostGetBaseMetrics);
    OPTIML_FIND_IN_CUPTI(ProfilerHostConfigAddMetrics);
    OPTIML_FIND_IN_CUPTI(ProfilerHostGetConfigImageSize);
    OPTIML_FIND_IN_CUPTI(ProfilerHostGetConfigImage);
    OPTIML_FIND_IN_CUPTI(ProfilerHostGetNumOfPasses);
    OPTIML_FIND_IN_CUPTI(ProfilerHostEvaluateToGpuValues);
    OPTIML_FIND_IN_CUPTI(RangeProfilerEnable);
    OPTIML_FIND_IN_CUPTI(RangeProfilerDisable);
    OPTIML_FIND_IN_CUPTI(RangeProfilerSetConfig);
    OPTIML_FIND_IN_CUPTI(RangeProfilerStart);
    OPTIML_FIND_IN_CUPTI(RangeProfilerStop);
    OPTIML_FIND_IN_CUPTI(RangeProfilerDecodeData);
    OPTIML_FIND_IN_CUPTI(RangeProfilerGetCounterDataSize);
    OPTIML_FIND_IN_CUPTI(RangeProfilerCounterDataImageInitialize);
    OPTIML_FIND_IN_CUPTI(RangeProfilerGetCounterDataInfo);
    return "";
}

Status Cupti::check(const char* call, CUptiResult code) const {
    if (code == CUPTI_SUCCESS) return {};
    const char* text = nullptr;
    GetResultString(code, &text);
    const std::string message = fmt::format("{}: {} ({})", call, text == nullptr ? "unknown" : text, static_cast<int>(code));
    if (code == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
        return environment_error(message, "Reading counters needs permission: run as root, or load the driver with "
                                          "NVreg_RestrictProfilingToAdminUsers=0 (the ladder is in docs/gpu.md).");
    }
    if (code == CUPTI_ERROR_NOT_SUPPORTED || code == CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED) {
        return environment_error(message, "This device or virtual machine gives no counters.");
    }
    return internal_error(message);
}

HostObject::HostObject(HostObject&& other) noexcept : cupti_(other.cupti_), object_(std::exchange(other.object_, nullptr)) {}

HostObject& HostObject::operator=(HostObject&& other) noexcept {
    std::swap(cupti_, other.cupti_);
    std::swap(object_, other.object_);
    return *this;
}

HostObject::~HostObject() {
    if (object_ == nullptr) return;
    auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params);
    parameters.pHostObject = object_;
    cupti_->ProfilerHostDeinitialize(&parameters);
}

Result<HostObject> make_host_object(const Cupti& cupti, const std::string& chip, const std::vector<std::uint8_t>& availability) {
    auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_Host_Initialize_Params);
    parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    parameters.pChipName = chip.c_str();
    parameters.pCounterAvailabilityImage = availability.empty() ? nullptr : availability.data();
    const auto made = cupti.check("cuptiProfilerHostInitialize", cupti.ProfilerHostInitialize(&parameters));
    if (!made) return tl::make_unexpected(made.error());
    return HostObject(cupti, parameters.pHostObject);
}

}  // namespace optiml::gpu
