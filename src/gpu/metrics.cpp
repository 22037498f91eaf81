#include "gpu/metrics.h"

#include <fmt/format.h>

#include "gpu/cupti.h"

namespace optiml::gpu {
namespace {

std::vector<const char*> raw(const std::vector<std::string>& names) {
    std::vector<const char*> pointers;
    for (const std::string& name : names) pointers.push_back(name.c_str());
    return pointers;
}

// Time-independent counters first: they are what candidates are compared by.
const std::vector<std::string> kOnePass = {
    "gpu__time_duration.sum", "sm__cycles_elapsed.max", "smsp__inst_executed.sum",
    "smsp__thread_inst_executed_per_inst_executed.ratio", "dram__throughput.avg.pct_of_peak_sustained_elapsed", "dram__bytes_read.sum",
    "dram__bytes_write.sum", "sm__warps_active.avg.pct_of_peak_sustained_active", "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", "lts__t_sectors.sum"};
const std::vector<std::string> kTwoPasses = {
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct"};
const std::vector<std::string> kFourPasses = {
    "smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio", "smsp__inst_executed_op_local_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"};
const std::vector<std::string> kFull = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed", "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "smsp__inst_executed_op_local_st.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_wait_per_issue_active.ratio",
    "smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"};

void append(std::vector<std::string>& names, const std::vector<std::string>& more) { names.insert(names.end(), more.begin(), more.end()); }

}  // namespace

std::vector<std::string> metrics_of(MetricTier tier, const std::string& chip) {
    std::vector<std::string> names = kOnePass;
    if (tier >= MetricTier::two_passes) append(names, kTwoPasses);
    if (tier >= MetricTier::four_passes) append(names, kFourPasses);
    if (tier >= MetricTier::full) append(names, kFull);
    if (chip.starts_with("GB20")) {
        for (std::string& name : names) {
            if (name == "dram__bytes_read.sum") name = "dram__bytes_op_read.sum";
            if (name == "dram__bytes_write.sum") name = "dram__bytes_op_write.sum";
        }
    }
    return names;
}

Result<std::unique_ptr<MetricTables>> MetricTables::load() {
    const auto cupti = Cupti::get();
    if (!cupti) return tl::make_unexpected(cupti.error());
    auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_Initialize_Params);
    const auto started = (*cupti)->check("cuptiProfilerInitialize", (*cupti)->ProfilerInitialize(&parameters));
    // Without a driver this call fails, and the host side works all the same.
    (void)started;
    return std::unique_ptr<MetricTables>(new MetricTables(**cupti));
}


std::string MetricTables::library_path() const { return cupti_->path(); }

Result<std::vector<std::string>> MetricTables::chips() const {
    auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_Host_GetSupportedChips_Params);
    const auto asked = cupti_->check("cuptiProfilerHostGetSupportedChips", cupti_->ProfilerHostGetSupportedChips(&parameters));
    if (!asked) return tl::make_unexpected(asked.error());
    return std::vector<std::string>(parameters.ppChipNames, parameters.ppChipNames + parameters.numChips);
}

Result<std::vector<std::string>> MetricTables::base_metrics(const std::string& chip) const {
    auto host = make_host_object(*cupti_, chip, {});
    if (!host) return tl::make_unexpected(host.error());
    std::vector<std::string> names;
    for (const CUpti_MetricType type : {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
        auto parameters = OPTIML_PARAMETERS(CUpti_Profiler_Host_GetBaseMetrics_Params);
        parameters.pHostObject = host->get();
        parameters.metricType = type;
        const auto asked = cupti_->check("cuptiProfilerHostGetBaseMetrics", cupti_->ProfilerHostGetBaseMetrics(&parameters));
        if (!asked) return tl::make_unexpected(asked.error());
        names.insert(names.end(), parameters.ppMetricNames, parameters.ppMetricNames + parameters.numMetrics);
    }
    return names;
}

std::vector<std::string> MetricTables::available(const std::string& chip, const std::vector<std::string>& names,
                                                 const std::vector<std::uint8_t>& availability) const {
    std::vector<std::string> known;
    for (const std::string& name : names) {
        if (configure(chip, {name}, availability)) known.push_back(name);
    }
    return known;
}

Result<MetricSet> MetricTables::configure(const std::string& chip, const std::vector<std::string>& names,
                                          const std::vector<std::uint8_t>& availability) const {
    auto host = make_host_object(*cupti_, chip, availability);
    if (!host) return tl::make_unexpected(host.error());
    std::vector<const char*> pointers = raw(names);
    auto add = OPTIML_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = host->get();
    add.ppMetricNames = pointers.data();
    add.numMetrics = pointers.size();
    auto done = cupti_->check("cuptiProfilerHostConfigAddMetrics", cupti_->ProfilerHostConfigAddMetrics(&add));
    auto size = OPTIML_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = host->get();
    if (done) done = cupti_->check("cuptiProfilerHostGetConfigImageSize", cupti_->ProfilerHostGetConfigImageSize(&size));
    if (!done) return tl::make_unexpected(done.error());

    MetricSet set{.chip = chip, .names = names, .configuration = std::vector<std::uint8_t>(size.configImageSize)};
    auto image = OPTIML_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params);
    image.pHostObject = host->get();
    image.configImageSize = set.configuration.size();
    image.pConfigImage = set.configuration.data();
    done = cupti_->check("cuptiProfilerHostGetConfigImage", cupti_->ProfilerHostGetConfigImage(&image));
    auto passes = OPTIML_PARAMETERS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    passes.configImageSize = set.configuration.size();
    passes.pConfigImage = set.configuration.data();
    if (done) done = cupti_->check("cuptiProfilerHostGetNumOfPasses", cupti_->ProfilerHostGetNumOfPasses(&passes));
    if (!done) return tl::make_unexpected(done.error());
    set.passes = static_cast<std::uint32_t>(passes.numOfPasses);
    return set;
}

}  // namespace optiml::gpu
