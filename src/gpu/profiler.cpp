#include "gpu/profiler.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "gpu/cupti.h"

namespace optiml::gpu {
namespace {

// A set of metrics made ready on one device.
struct PreparedSet {
    MetricSet set;
    HostObject host;
};

// The range profiler enabled on a context; disables itself.
class EnabledRanges {
public:
    EnabledRanges(const Cupti& cupti, CUpti_RangeProfiler_Object* object) : cupti_(&cupti), object_(object) {}
    EnabledRanges(const EnabledRanges&) = delete;
    EnabledRanges& operator=(const EnabledRanges&) = delete;
    ~EnabledRanges() {
        auto parameters = OPTIML_PARAMETERS(CUpti_RangeProfiler_Disable_Params);
        parameters.pRangeProfilerObject = object_;
        cupti_->RangeProfilerDisable(&parameters);
    }
    CUpti_RangeProfiler_Object* get() const { return object_; }

private:
    const Cupti* cupti_;
    CUpti_RangeProfiler_Object* object_;
};

class CuptiProfiler final : public Profiler {
public:
    CuptiProfiler(const Cupti& cupti, Device& device, std::string chip, std::vector<std::uint8_t> availability)
        : cupti_(cupti), device_(device), chip_(std::move(chip)), availability_(std::move(availability)) {}

    std::string chip() const override { return chip_; }

    using Profiler::collect;
    Result<std::vector<CounterValues>> collect(const std::vector<std::string>& metrics, std::size_t kernels,
                                               const std::function<DeviceStatus()>& launch) override {
        const auto prepared = prepare(metrics);
        if (!prepared) return tl::make_unexpected(prepared.error());
        if (const auto enabled = enable(); !enabled) return tl::make_unexpected(enabled.error());
        auto image = make_image(*ranges_, **prepared, kernels);
        if (!image) return tl::make_unexpected(image.error());
        if (const auto ran = run(*ranges_, **prepared, kernels, *image, launch); !ran) return tl::make_unexpected(ran.error());
        return evaluate(**prepared, *image);
    }

private:
    // Setting up a set takes some 100 ms the first time: each is kept.
    Result<const PreparedSet*> prepare(const std::vector<std::string>& metrics) {
        for (const auto& known : prepared_) {
            if (known->set.names == metrics) return known.get();
        }
        const auto tables = MetricTables::load();
        if (!tables) return tl::make_unexpected(tables.error());
        auto set = (*tables)->configure(chip_, metrics, availability_);
        if (!set) return tl::make_unexpected(set.error());
        auto host = make_host_object(cupti_, chip_, availability_);
        if (!host) return tl::make_unexpected(host.error());
        prepared_.push_back(std::make_unique<PreparedSet>(PreparedSet{std::move(*set), std::move(*host)}));
        return prepared_.back().get();
    }

    // Switching the range profiler on and off costs 180 ms; on, but not started, it costs nothing that timing shows.
    Status enable() {
        if (ranges_) return {};
        auto parameters = OPTIML_PARAMETERS(CUpti_RangeProfiler_Enable_Params);
        parameters.ctx = static_cast<CUcontext>(device_.context());
        const auto enabled = cupti_.check("cuptiRangeProfilerEnable", cupti_.RangeProfilerEnable(&parameters));
        if (enabled) ranges_.emplace(cupti_, parameters.pRangeProfilerObject);
        return enabled;
    }

    static std::vector<const char*> names_of(const PreparedSet& prepared) {
        std::vector<const char*> names;
        for (const std::string& name : prepared.set.names) names.push_back(name.c_str());
        return names;
    }

    Result<std::vector<std::uint8_t>> make_image(const EnabledRanges& ranges, const PreparedSet& prepared, std::size_t kernels) const {
        std::vector<const char*> names = names_of(prepared);
        auto size = OPTIML_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
        size.pRangeProfilerObject = ranges.get();
        size.pMetricNames = names.data();
        size.numMetrics = names.size();
        size.maxNumOfRanges = kernels;
        size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(kernels);
        auto done = cupti_.check("cuptiRangeProfilerGetCounterDataSize", cupti_.RangeProfilerGetCounterDataSize(&size));
        if (!done) return tl::make_unexpected(done.error());
        std::vector<std::uint8_t> image(size.counterDataSize);
        auto initialize = OPTIML_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
        initialize.pRangeProfilerObject = ranges.get();
        initialize.counterDataSize = image.size();
        initialize.pCounterData = image.data();
        done = cupti_.check("cuptiRangeProfilerCounterDataImageInitialize", cupti_.RangeProfilerCounterDataImageInitialize(&initialize));
        if (!done) return tl::make_unexpected(done.error());
        return image;
    }

    Status run(const EnabledRanges& ranges, const PreparedSet& prepared, std::size_t kernels, std::vector<std::uint8_t>& image,
               const std::function<DeviceStatus()>& launch) const {
        auto config = OPTIML_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
        config.pRangeProfilerObject = ranges.get();
        config.configSize = prepared.set.configuration.size();
        config.pConfig = prepared.set.configuration.data();
        config.counterDataImageSize = image.size();
        config.pCounterDataImage = image.data();
        config.range = CUPTI_AutoRange;
        config.replayMode = CUPTI_KernelReplay;
        config.maxRangesPerPass = kernels;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        config.targetNestingLevel = 1;
        auto done = cupti_.check("cuptiRangeProfilerSetConfig", cupti_.RangeProfilerSetConfig(&config));
        if (!done) return done;
        auto start = OPTIML_PARAMETERS(CUpti_RangeProfiler_Start_Params);
        start.pRangeProfilerObject = ranges.get();
        done = cupti_.check("cuptiRangeProfilerStart", cupti_.RangeProfilerStart(&start));
        if (!done) return done;
        auto launched = launch();
        if (launched) launched = device_.synchronize();
        auto stop = OPTIML_PARAMETERS(CUpti_RangeProfiler_Stop_Params);
        stop.pRangeProfilerObject = ranges.get();
        done = cupti_.check("cuptiRangeProfilerStop", cupti_.RangeProfilerStop(&stop));
        if (!launched) return environment_error("the kernel failed under the profiler: " + launched.error().text());
        auto decode = OPTIML_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params);
        decode.pRangeProfilerObject = ranges.get();
        if (done) done = cupti_.check("cuptiRangeProfilerDecodeData", cupti_.RangeProfilerDecodeData(&decode));
        return done;
    }

    Result<std::vector<CounterValues>> evaluate(const PreparedSet& prepared, const std::vector<std::uint8_t>& image) const {
        auto info = OPTIML_PARAMETERS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
        info.pCounterDataImage = image.data();
        info.counterDataImageSize = image.size();
        auto done = cupti_.check("cuptiRangeProfilerGetCounterDataInfo", cupti_.RangeProfilerGetCounterDataInfo(&info));
        if (!done) return tl::make_unexpected(done.error());
        if (info.numTotalRanges == 0) return environment_error("the profiler captured no kernel", "Try --profiler ncu.");
        std::vector<const char*> names = names_of(prepared);
        std::vector<CounterValues> kernels;
        for (std::size_t range = 0; range < info.numTotalRanges; ++range) {
            std::vector<double> values(names.size(), std::nan(""));
            auto ask = OPTIML_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
            ask.pHostObject = prepared.host.get();
            ask.pCounterDataImage = image.data();
            ask.counterDataImageSize = image.size();
            ask.rangeIndex = range;
            ask.ppMetricNames = names.data();
            ask.numMetrics = names.size();
            ask.pMetricValues = values.data();
            done = cupti_.check("cuptiProfilerHostEvaluateToGpuValues", cupti_.ProfilerHostEvaluateToGpuValues(&ask));
            if (!done) return tl::make_unexpected(done.error());
            CounterValues counters;
            for (std::size_t i = 0; i < names.size(); ++i) {
                if (std::isnan(values[i])) return environment_error(fmt::format("the profiler gave no value for {}", names[i]), "Try again, or --profiler ncu.");
                counters[names[i]] = values[i];
            }
            kernels.push_back(std::move(counters));
        }
        return kernels;
    }

    const Cupti& cupti_;
    Device& device_;
    std::string chip_;
    std::vector<std::uint8_t> availability_;
    std::vector<std::unique_ptr<PreparedSet>> prepared_;
    std::optional<EnabledRanges> ranges_;
};

Result<std::vector<std::uint8_t>> availability_of(const Cupti& cupti, const Device& device) {
    auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params);
    parameters.ctx = static_cast<CUcontext>(device.context());
    auto done = cupti.check("cuptiProfilerGetCounterAvailability", cupti.ProfilerGetCounterAvailability(&parameters));
    if (!done) return tl::make_unexpected(done.error());
    std::vector<std::uint8_t> image(parameters.counterAvailabilityImageSize);
    parameters.pCounterAvailabilityImage = image.data();
    done = cupti.check("cuptiProfilerGetCounterAvailability", cupti.ProfilerGetCounterAvailability(&parameters));
    if (!done) return tl::make_unexpected(done.error());
    return image;
}

}  // namespace

Result<std::unique_ptr<Profiler>> Profiler::open(Device& device) {
    const auto cupti = Cupti::get();
    if (!cupti) return tl::make_unexpected(cupti.error());
    auto initialize = OPTIML_PARAMETERS(CUpti_Profiler_Initialize_Params);
    const auto started = (*cupti)->check("cuptiProfilerInitialize", (*cupti)->ProfilerInitialize(&initialize));
    if (!started) return tl::make_unexpected(started.error());
    auto name = OPTIML_PARAMETERS(CUpti_Device_GetChipName_Params);
    name.deviceIndex = static_cast<std::size_t>(device.properties().ordinal);
    const auto named = (*cupti)->check("cuptiDeviceGetChipName", (*cupti)->DeviceGetChipName(&name));
    if (!named) return tl::make_unexpected(named.error());
    auto availability = availability_of(**cupti, device);
    if (!availability) return tl::make_unexpected(availability.error());
    return std::make_unique<CuptiProfiler>(**cupti, device, name.pChipName, std::move(*availability));
}

}  // namespace optiml::gpu
