#include "diagnosis/roofline.h"

#include <algorithm>

#include "diagnosis/figures.h"

namespace optiml::diagnosis {
namespace {

constexpr double kFmaLanes = 128;  // single-precision multiply-adds a multiprocessor and cycle

double operations(const Figures& figures) {
    return 2 * figures.counter_or_zero("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") +
           figures.counter_or_zero("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum") +
           figures.counter_or_zero("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum");
}

}  // namespace

std::optional<Roofline> roofline_of(const Inputs& inputs) {
    const Figures figures(inputs);
    const auto bandwidth = figures.ceiling("dram_gb_per_s");
    const auto clock = figures.ceiling("clock_ghz");
    const auto multiprocessors = figures.ceiling("sm_count");
    if (inputs.time_ms <= 0 || !bandwidth || !clock || !multiprocessors) return std::nullopt;
    const double peak = 2 * kFmaLanes * *multiprocessors * *clock;
    const double bytes = figures.counter_or_zero("dram__bytes_read.sum") + figures.counter_or_zero("dram__bytes_write.sum");
    Roofline roofline;
    roofline.giga_operations = operations(figures) / inputs.time_ms * 1e-6;
    roofline.gigabytes = bytes / inputs.time_ms * 1e-6;
    roofline.intensity = bytes > 0 ? operations(figures) / bytes : 0;
    roofline.memory_bound = bytes > 0 && roofline.intensity < peak / *bandwidth;
    roofline.attainable = bytes > 0 ? std::min(peak, roofline.intensity * *bandwidth) : peak;
    roofline.speed_of_light = std::max(roofline.giga_operations / peak, roofline.gigabytes / *bandwidth);
    return roofline;
}

}  // namespace optiml::diagnosis
