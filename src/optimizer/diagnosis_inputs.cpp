#include "optimizer/diagnosis_inputs.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "emulator/device_model.h"

namespace optiml::optimizer {

namespace {

// "NVIDIA A100-SXM4-80GB" has those of "NVIDIA A100 80GB"; the smaller card of that name, with slower memory, has not.
bool has_all_words(const std::string& text, const std::string& words) {
    std::istringstream stream(words);
    for (std::string word; stream >> word;) {
        if (text.find(word) == std::string::npos) return false;
    }
    return true;
}

}  // namespace

Ceilings ceilings_of(const std::string& device) {
    const std::string name = device.substr(device.find(':') + 1);
    const Result<emulator::DeviceModel> model = emulator::find_device_model(name);
    if (!model) return {};
    Ceilings ceilings(model->parameters.begin(), model->parameters.end());
    ceilings["sm_count"] = model->sm_count;
    return ceilings;
}

Ceilings ceilings_of_card(const std::string& title) {
    for (const std::string& name : emulator::device_model_names()) {
        const Result<emulator::DeviceModel> model = emulator::find_device_model(name);
        if (model && has_all_words(title, model->title)) return ceilings_of(name);
    }
    return {};
}

Ceilings ceilings_of(const std::string& device, const evaluation::Evaluation& evaluation) {
    if (device.starts_with("cuda:") && evaluation.timing) return ceilings_of_card(evaluation.timing->device);
    return ceilings_of(device);
}

std::int64_t multiprocessors_of(const Ceilings& ceilings) {
    const auto known = ceilings.find("sm_count");
    return known == ceilings.end() ? 132 : static_cast<std::int64_t>(known->second);
}

std::map<std::string, double> counters_of(const evaluation::Evaluation& evaluation) {
    if (!evaluation.profile) return {};
    std::map<std::string, double> counters = evaluation.profile->counters;
    const auto spilled = [](const evaluation::KernelBuild& kernel) {
        return std::uint64_t{kernel.spill_store_bytes} + kernel.spill_load_bytes;
    };
    const auto most = std::max_element(evaluation.kernels.begin(), evaluation.kernels.end(), [&](const auto& a, const auto& b) {
        return std::pair(spilled(a), a.local_bytes) < std::pair(spilled(b), b.local_bytes);
    });
    if (most == evaluation.kernels.end()) return counters;
    counters["ptxas__spill_store_bytes"] = most->spill_store_bytes;
    counters["ptxas__spill_load_bytes"] = most->spill_load_bytes;
    counters["ptxas__stack_bytes"] = most->local_bytes;
    return counters;
}

bool has_double_arguments(const task::Task& task) {
    return std::any_of(task.arguments.begin(), task.arguments.end(),
                       [](const task::Argument& argument) { return argument.type == task::ScalarType::f64; });
}

diagnosis::Inputs diagnosis_inputs(const evaluation::Evaluation& evaluation, const Ceilings& ceilings, bool is_double_meant) {
    diagnosis::Inputs inputs;
    if (!evaluation.timing || !evaluation.profile) return inputs;
    inputs.counters = counters_of(evaluation);
    inputs.is_double_meant = is_double_meant;
    inputs.ceilings = ceilings;
    inputs.time_ms = evaluation.timing->cold_ms;
    for (const evaluation::LineProfile& line : evaluation.profile->lines) inputs.lines.push_back({line.file, line.line, line.counters});
    for (const evaluation::LaunchProfile& launch : evaluation.profile->launches) {
        const auto blocks = static_cast<double>(launch.grid[0] * launch.grid[1] * launch.grid[2]);
        inputs.launches.push_back({blocks, launch.time_ms, static_cast<double>(launch.repeats)});
    }
    return inputs;
}

}  // namespace optiml::optimizer
