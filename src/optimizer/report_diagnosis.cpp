#include "optimizer/report_diagnosis.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "emulator/device_model.h"
#include "gpu/nsight/ncu.h"
#include "gpu/nsight/report.h"
#include "optimizer/diagnosis_inputs.h"

namespace optiml::optimizer {
namespace {

using gpu::nsight::Launch;

constexpr double kImportSeconds = 300;
constexpr const char* kDuration = "gpu__time_duration.sum";

Result<std::vector<Launch>> read_launches(const std::string& file, const Disk& disk) {
    auto text = disk.read(file);
    if (!text) return tl::make_unexpected(text.error());
    if (std::filesystem::path(file).extension() == ".ncu-rep") return gpu::nsight::import_report(file, kImportSeconds);
    return gpu::nsight::parse_report(*text, file);
}

bool is_same_shape(const ReportedKernel& kernel, const Launch& launch) {
    return kernel.kernel == launch.kernel && kernel.grid == launch.grid && kernel.block == launch.block;
}

// Launches of one kernel with one shape are one entry, whose values are the means of those launches that have them.
class Grouping {
public:
    void add(const Launch& launch) {
        auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& group) { return is_same_shape(group.kernel, launch); });
        if (found == groups_.end()) found = groups_.insert(groups_.end(), Group{{launch.kernel, launch.grid, launch.block, 0, 0, {}, {}, {}}, {}});
        found->kernel.launches += launch.invocations;
        for (const auto& [name, value] : launch.counters) {
            const double weight = static_cast<double>(launch.invocations);
            found->kernel.counters[name] += value * weight;
            found->weights[name] += weight;
        }
    }

    std::vector<ReportedKernel> kernels() {
        std::vector<ReportedKernel> kernels;
        for (Group& group : groups_) {
            for (auto& [name, value] : group.kernel.counters) value /= group.weights[name];
            kernels.push_back(std::move(group.kernel));
        }
        return kernels;
    }

private:
    struct Group {
        ReportedKernel kernel;
        std::map<std::string, double> weights;
    };
    std::vector<Group> groups_;
};

// 0: the report does not say.
double value_of(const std::map<std::string, double>& counters, const std::string& name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
}

double time_ms_of(const std::map<std::string, double>& counters) {
    if (const double nanoseconds = value_of(counters, kDuration); nanoseconds > 0) return nanoseconds / 1e6;
    for (const char* frequency : {"smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second"}) {
        if (const double hertz = value_of(counters, frequency); hertz > 0) return value_of(counters, "sm__cycles_elapsed.max") / hertz * 1e3;
    }
    return 0;
}

// What the raw page tells of the card itself, in the units of a device model.
Ceilings ceilings_in(const std::map<std::string, double>& counters) {
    Ceilings ceilings;
    const auto take = [&](const char* ceiling, double value) {
        if (value > 0) ceilings[ceiling] = value;
    };
    take("sm_count", std::max(value_of(counters, "device__attribute_multiprocessor_count"), value_of(counters, "launch__sm_count")));
    take("clock_ghz", value_of(counters, "device__attribute_clock_rate") * 1e-6);  // kHz
    const double bytes_a_clock = value_of(counters, "device__attribute_global_memory_bus_width") / 8;
    take("dram_gb_per_s", 2 * value_of(counters, "device__attribute_memory_clock_rate") * bytes_a_clock * 1e-6);  // kHz, two words a clock
    return ceilings;
}

std::string card_of(const std::vector<Launch>& launches) {
    const auto& texts = launches.front().texts;
    const auto found = texts.find("device__attribute_display_name");
    return found == texts.end() ? "" : found->second;
}

// The launch dimensions stand beside the metrics, in columns of their own.
void add_launch_counters(ReportedKernel& kernel) {
    const auto add = [&](const char* name, const std::array<std::uint64_t, 3>& shape) {
        const double product = static_cast<double>(shape[0]) * static_cast<double>(shape[1]) * static_cast<double>(shape[2]);
        if (product > 0) kernel.counters[name] = product;
    };
    add("launch__grid_size", kernel.grid);
    add("launch__block_size", kernel.block);
}

void diagnose(ReportedKernel& kernel, const Ceilings& known) {
    add_launch_counters(kernel);
    kernel.time_ms = time_ms_of(kernel.counters);
    diagnosis::Inputs inputs{kernel.counters, ceilings_in(kernel.counters), {}, kernel.time_ms};
    for (const auto& [name, value] : known) inputs.ceilings[name] = value;
    kernel.hypotheses = diagnosis::diagnose(inputs);
    kernel.promises = experts::promising(kernel.hypotheses);
}

std::vector<std::string> notes_of(const ReportDiagnosis& diagnosis, bool knows_card) {
    std::vector<std::string> notes;
    const auto lacks = [&](const char* counter) {
        return std::any_of(diagnosis.kernels.begin(), diagnosis.kernels.end(), [&](const ReportedKernel& kernel) { return kernel.counters.count(counter) == 0; });
    };
    if (std::any_of(diagnosis.kernels.begin(), diagnosis.kernels.end(), [](const ReportedKernel& kernel) { return kernel.time_ms <= 0; })) {
        notes.push_back("Some kernels have no duration in the report and cannot be diagnosed: collect it with ncu --set basic.");
    }
    if (lacks("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")) {
        notes.push_back("The report has no sectors and requests of L1: coalescing cannot be judged. Collect them with ncu --set full and export --page raw.");
    }
    if (!knows_card) notes.push_back("The report does not name a card that OptiML has a model of: --device-model NAME gives the ceilings to measure with.");
    return notes;
}

}  // namespace

Result<ReportDiagnosis> diagnose_report(const std::string& file, const std::string& device_model, const Disk& disk) {
    if (!device_model.empty()) {
        if (const auto model = emulator::find_device_model(device_model); !model) return tl::make_unexpected(model.error());
    }
    const auto launches = read_launches(file, disk);
    if (!launches) return tl::make_unexpected(launches.error());

    const std::string card = card_of(*launches);
    const Ceilings ceilings = device_model.empty() ? ceilings_of_card(card) : ceilings_of(device_model);
    Grouping grouping;
    for (const Launch& launch : *launches) grouping.add(launch);
    ReportDiagnosis diagnosis{device_model.empty() ? card : device_model, grouping.kernels(), {}};
    for (ReportedKernel& kernel : diagnosis.kernels) diagnose(kernel, ceilings);
    std::stable_sort(diagnosis.kernels.begin(), diagnosis.kernels.end(), [](const ReportedKernel& a, const ReportedKernel& b) {
        return a.time_ms * static_cast<double>(a.launches) > b.time_ms * static_cast<double>(b.launches);
    });
    diagnosis.notes = notes_of(diagnosis, !ceilings.empty());
    return diagnosis;
}

}  // namespace optiml::optimizer
