#include "optimizer/diagnosis_inputs.h"

#include "emulator/device_model.h"

namespace optiml::optimizer {

Ceilings ceilings_of(const std::string& device) {
    const std::string name = device.substr(device.find(':') + 1);
    const Result<emulator::DeviceModel> model = emulator::find_device_model(name);
    if (!model) return {};
    Ceilings ceilings(model->parameters.begin(), model->parameters.end());
    ceilings["sm_count"] = model->sm_count;
    return ceilings;
}

diagnosis::Inputs diagnosis_inputs(const evaluation::Evaluation& evaluation, const Ceilings& ceilings) {
    diagnosis::Inputs inputs;
    if (!evaluation.timing || !evaluation.profile) return inputs;
    inputs.counters = evaluation.profile->counters;
    inputs.ceilings = ceilings;
    inputs.time_ms = evaluation.timing->cold_ms;
    for (const evaluation::LineProfile& line : evaluation.profile->lines) inputs.lines.push_back({line.file, line.line, line.counters});
    return inputs;
}

}  // namespace optiml::optimizer
