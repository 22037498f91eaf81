#include "gpu/profiler.h"

#include <cmath>

#include <fmt/format.h>

#include "gpu/cupti.h"

namespace optiml::gpu {
namespace {

constexpr std::uint32_t kMostPasses = 64;
constexpr std::size_t kMostImageBytes = std::size_t{1} << 30;
constexpr std::size_t kRangesAtOnce = 8;  // an image has room for a multiple of so many: asking for another size costs 2 ms

// A set of metrics made ready on one device.
struct PreparedSet {
    MetricSet set;
    HostObject host;
    std::vector<const char*> names;  // of set, for as long as it lives: CUPTI may keep the pointer that sizing an image is given
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

    std::vector<std::string> available(const std::vector<std::string>& metrics) override {
        const auto known = available_.find(metrics);
        if (known != available_.end()) return known->second;
        const auto tables = MetricTables::load();
        if (!tables) return {};
        return available_[metrics] = (*tables)->available(chip_, metrics, availability_);
    }

    using Profiler::collect;
    Result<std::vector<CounterValues>> collect(const std::vector<std::string>& metrics, const std::vector<CountedWork>& works) override {
        const auto prepared = this->prepare(metrics);
        if (!prepared) return tl::make_unexpected(prepared.error());
        if (const auto enabled = enable_for(**prepared); !enabled) return tl::make_unexpected(enabled.error());
        std::size_t kernels = 0;
        for (const CountedWork& work : works) kernels += work.kernels;
        auto done = make_image(**prepared, kernels);
        if (done) done = configure(**prepared);
        bool all_passes = false, lost = false;
        for (std::uint32_t pass = 0; done && !all_passes && pass < kMostPasses; ++pass) done = run_pass(works, all_passes, lost);
        if (done && !all_passes) done = internal_error("CUPTI wants ever more passes");
        if (done) done = decode();
        if (!done) {
            if (lost) (void)ranges_.release();  // disabling would wait for a kernel that never ends
            ranges_.reset();                    // who knows where it stopped: the next time begins anew
            return tl::make_unexpected(done.error());
        }
        auto counters = evaluate(**prepared);
        if (counters && works.size() > 1 && counters->size() != kernels) {
            return internal_error(fmt::format("the profiler captured {} kernels where {} were launched", counters->size(), kernels));
        }
        return counters;
    }

private:
    // Setting up a set takes some 100 ms the first time: each is kept.
    Result<PreparedSet*> prepare(const std::vector<std::string>& metrics) {
        for (const auto& known : prepared_) {
            if (known->set.names == metrics) return known.get();
        }
        const auto tables = MetricTables::load();
        if (!tables) return tl::make_unexpected(tables.error());
        auto set = (*tables)->configure(chip_, metrics, availability_);
        if (!set) return tl::make_unexpected(set.error());
        auto host = make_host_object(cupti_, chip_, availability_);
        if (!host) return tl::make_unexpected(host.error());
        PreparedSet& prepared = *prepared_.emplace_back(std::make_unique<PreparedSet>(PreparedSet{std::move(*set), std::move(*host), {}}));
        for (const std::string& name : prepared.set.names) prepared.names.push_back(name.c_str());
        return &prepared;
    }

    // On, but not started, the range profiler costs nothing that timing shows. Another set of metrics on a profiler that is on ends in a
    // crash inside CUPTI: it is switched off and on for it, which costs some 160 ms with the next start.
    Status enable_for(const PreparedSet& prepared) {
        if (ranges_ && enabled_for_ == &prepared) return {};
        ranges_.reset();
        room_ = 0;
        enabled_for_ = &prepared;
        auto parameters = OPTIML_PARAMETERS(CUpti_RangeProfiler_Enable_Params);
        parameters.ctx = static_cast<CUcontext>(device_.context());
        const auto enabled = cupti_.check("cuptiRangeProfilerEnable", cupti_.RangeProfilerEnable(&parameters));
        if (enabled) ranges_ = std::make_unique<EnabledRanges>(cupti_, parameters.pRangeProfilerObject);
        return enabled;
    }

    // CUPTI initialises an image for the metrics whose size was asked last. Asking costs 2 ms.
    Status make_image(PreparedSet& prepared, std::size_t kernels) {
        if (room_ < kernels) {
            const std::size_t room = (kernels + kRangesAtOnce - 1) / kRangesAtOnce * kRangesAtOnce;
            auto size = OPTIML_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
            size.pRangeProfilerObject = ranges_->get();
            size.pMetricNames = prepared.names.data();
            size.numMetrics = prepared.names.size();
            size.maxNumOfRanges = room;
            size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(room);
            Status sized = cupti_.check("cuptiRangeProfilerGetCounterDataSize", cupti_.RangeProfilerGetCounterDataSize(&size));
            if (!sized) return sized;
            if (size.counterDataSize > kMostImageBytes) return internal_error("CUPTI wants an absurd image: another process may be counting on this device");
            image_.resize(size.counterDataSize);
            room_ = room;
        }
        auto initialize = OPTIML_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
        initialize.pRangeProfilerObject = ranges_->get();
        initialize.counterDataSize = image_.size();
        initialize.pCounterData = image_.data();
        return cupti_.check("cuptiRangeProfilerCounterDataImageInitialize", cupti_.RangeProfilerCounterDataImageInitialize(&initialize));
    }

    Status configure(const PreparedSet& prepared) {
        auto config = OPTIML_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
        config.pRangeProfilerObject = ranges_->get();
        config.configSize = prepared.set.configuration.size();
        config.pConfig = prepared.set.configuration.data();
        config.counterDataImageSize = image_.size();
        config.pCounterDataImage = image_.data();
        config.range = CUPTI_AutoRange;
        config.replayMode = CUPTI_UserReplay;
        config.maxRangesPerPass = room_;
        config.numNestingLevels = 1;
        config.minNestingLevel = 1;
        config.targetNestingLevel = 1;
        return cupti_.check("cuptiRangeProfilerSetConfig", cupti_.RangeProfilerSetConfig(&config));
    }

    Status run_pass(const std::vector<CountedWork>& works, bool& all_passes, bool& lost) const {
        auto ran = works.front().prepare();
        if (ran) ran = device_.synchronize();
        if (!ran) {
            lost = ran.error().sticky;
            return environment_error("the device failed before the profiler started: " + ran.error().text());
        }
        auto start = OPTIML_PARAMETERS(CUpti_RangeProfiler_Start_Params);
        start.pRangeProfilerObject = ranges_->get();
        auto started = cupti_.check("cuptiRangeProfilerStart", cupti_.RangeProfilerStart(&start));
        if (!started) return started;
        for (std::size_t i = 0; ran && i < works.size(); ++i) ran = run_work(works[i], i > 0);
        lost = !ran && ran.error().sticky;
        if (lost) return kernel_failed(ran.error());
        auto stop = OPTIML_PARAMETERS(CUpti_RangeProfiler_Stop_Params);
        stop.pRangeProfilerObject = ranges_->get();
        auto stopped = cupti_.check("cuptiRangeProfilerStop", cupti_.RangeProfilerStop(&stop));
        if (!ran) return kernel_failed(ran.error());
        all_passes = stop.isAllPassSubmitted != 0;
        return stopped;
    }

    static Status kernel_failed(const DeviceFailure& failure) {
        return environment_error("the kernel failed under the profiler: " + failure.text());
    }

    DeviceStatus run_work(const CountedWork& work, bool prepares) const {
        auto ran = prepares ? work.prepare() : DeviceStatus{};
        if (ran && prepares) ran = device_.synchronize();
        if (ran) ran = work.launch();
        const auto finished = device_.synchronize();
        const bool is_lost = !finished && finished.error().sticky;
        return ran || is_lost ? finished : ran;
    }

    Status decode() const {
        auto decode = OPTIML_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params);
        decode.pRangeProfilerObject = ranges_->get();
        return cupti_.check("cuptiRangeProfilerDecodeData", cupti_.RangeProfilerDecodeData(&decode));
    }

    Result<std::vector<CounterValues>> evaluate(PreparedSet& prepared) const {
        auto info = OPTIML_PARAMETERS(CUpti_RangeProfiler_GetCounterDataInfo_Params);
        info.pCounterDataImage = image_.data();
        info.counterDataImageSize = image_.size();
        const auto done = cupti_.check("cuptiRangeProfilerGetCounterDataInfo", cupti_.RangeProfilerGetCounterDataInfo(&info));
        if (!done) return tl::make_unexpected(done.error());
        if (info.numTotalRanges == 0) return internal_error("the profiler captured no kernel");
        std::vector<CounterValues> kernels;
        for (std::size_t range = 0; range < info.numTotalRanges; ++range) {
            auto counters = evaluate(prepared, range);
            if (!counters) return tl::make_unexpected(counters.error());
            kernels.push_back(std::move(*counters));
        }
        return kernels;
    }

    Result<CounterValues> evaluate(PreparedSet& prepared, std::size_t range) const {
        std::vector<const char*>& names = prepared.names;
        std::vector<double> values(names.size(), std::nan(""));
        auto ask = OPTIML_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
        ask.pHostObject = prepared.host.get();
        ask.pCounterDataImage = image_.data();
        ask.counterDataImageSize = image_.size();
        ask.rangeIndex = range;
        ask.ppMetricNames = names.data();
        ask.numMetrics = names.size();
        ask.pMetricValues = values.data();
        const auto done = cupti_.check("cuptiProfilerHostEvaluateToGpuValues", cupti_.ProfilerHostEvaluateToGpuValues(&ask));
        if (!done) return tl::make_unexpected(done.error());
        CounterValues counters;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (std::isnan(values[i])) return internal_error(fmt::format("the profiler gave no value for {}", names[i]));
            counters[names[i]] = values[i];
        }
        return counters;
    }

    const Cupti& cupti_;
    Device& device_;
    std::string chip_;
    std::vector<std::uint8_t> availability_;
    std::vector<std::unique_ptr<PreparedSet>> prepared_;
    std::map<std::vector<std::string>, std::vector<std::string>> available_;
    std::vector<std::uint8_t> image_;   // of counter data; CUPTI keeps its address
    std::size_t room_ = 0;              // ranges that image_ is sized for
    std::unique_ptr<EnabledRanges> ranges_;
    const PreparedSet* enabled_for_ = nullptr;
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
