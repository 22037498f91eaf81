// CUPTI's range profiler on the scripted driver: each kernel of a session is a range, whose counters are all the microseconds that its
// code says. Ends the process where the real one would wait for ever or crash: stopping or disabling while a kernel never ends, another
// set of metrics on a profiler that is enabled, ranges without room.

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "scripted_driver.h"

namespace {

struct Profiler {
    bool is_enabled = false;
    std::size_t metrics = 0, sized_metrics = 0, room = 0, config_passes = 0, pass = 0;
};

Profiler& profiler() {
    static Profiler profiler;
    return profiler;
}

void demand(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "scripted CUPTI: %s\n", what);
    std::_Exit(66);
}

// A configuration is the number of its metrics.
std::size_t metrics_in(const std::uint8_t* configuration) {
    std::size_t metrics = 0;
    std::memcpy(&metrics, configuration, sizeof metrics);
    return metrics;
}

std::size_t passes_for(std::size_t metrics) { return metrics > 11 ? 4 : 1; }

constexpr std::size_t kBytesARange = 64;

}  // namespace

extern "C" {

CUptiResult cuptiGetResultString(CUptiResult, const char** text) { return *text = "scripted", CUPTI_SUCCESS; }
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* parameters) { return parameters->pChipName = "GH100", CUPTI_SUCCESS; }
CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params*) { return CUPTI_SUCCESS; }
CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* parameters) {
    return parameters->counterAvailabilityImageSize = 1, CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* parameters) {
    return parameters->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object*>(new std::size_t(0)), CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* parameters) {
    return delete reinterpret_cast<std::size_t*>(parameters->pHostObject), CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params*) { return CUPTI_ERROR_NOT_SUPPORTED; }
CUptiResult cuptiProfilerHostGetBaseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params*) { return CUPTI_ERROR_NOT_SUPPORTED; }
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* parameters) {
    return *reinterpret_cast<std::size_t*>(parameters->pHostObject) = parameters->numMetrics, CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* parameters) {
    return parameters->configImageSize = sizeof(std::size_t), CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* parameters) {
    std::memcpy(parameters->pConfigImage, parameters->pHostObject, sizeof(std::size_t));
    return CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* parameters) {
    return parameters->numOfPasses = passes_for(metrics_in(parameters->pConfigImage)), CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* parameters) {
    demand(parameters->numMetrics == profiler().metrics, "other metrics than were counted");
    for (std::size_t i = 0; i < parameters->numMetrics; ++i) parameters->pMetricValues[i] = scripted_session_kernel(parameters->rangeIndex);
    return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params* parameters) {
    demand(!profiler().is_enabled, "enabled twice");
    profiler() = Profiler{.is_enabled = true};
    return parameters->pRangeProfilerObject = reinterpret_cast<CUpti_RangeProfiler_Object*>(&profiler()), CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params*) {
    demand(!scripted_is_endless(), "disabled while a kernel never ends");
    return profiler().is_enabled = false, CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* parameters) {
    demand(profiler().sized_metrics == 0 || profiler().sized_metrics == parameters->numMetrics, "another set on a profiler that is enabled");
    profiler().sized_metrics = parameters->numMetrics;
    return parameters->counterDataSize = kBytesARange * parameters->maxNumOfRanges, CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerCounterDataImageInitialize(CUpti_RangeProfiler_CounterDataImage_Initialize_Params* parameters) {
    return profiler().room = parameters->counterDataSize / kBytesARange, CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params* parameters) {
    demand(profiler().is_enabled && parameters->maxRangesPerPass <= profiler().room, "more ranges than there is room for");
    profiler().metrics = metrics_in(parameters->pConfig);
    demand(profiler().metrics == profiler().sized_metrics, "an image for other metrics");
    profiler().pass = 0;
    return CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params*) { return scripted_open_session(), CUPTI_SUCCESS; }
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* parameters) {
    demand(!scripted_is_endless(), "stopped while a kernel never ends");
    demand(scripted_close_session() <= profiler().room, "more kernels than ranges");
    return parameters->isAllPassSubmitted = ++profiler().pass == passes_for(profiler().metrics), CUPTI_SUCCESS;
}
CUptiResult cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params*) { return CUPTI_SUCCESS; }
CUptiResult cuptiRangeProfilerGetCounterDataInfo(CUpti_RangeProfiler_GetCounterDataInfo_Params* parameters) {
    return parameters->numTotalRanges = scripted_session_kernels(), CUPTI_SUCCESS;
}
}
