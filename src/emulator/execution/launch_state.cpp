#include "emulator/execution/launch_state.h"

namespace optiml::emulator {

LaunchState LaunchState::in_view(Memory::Implementation& view) const {
    return {.launch = launch,
            .device = device,
            .options = options,
            .memory = view,
            .image = image,
            .kernel = kernel,
            .parameters = parameters,
            .findings = FindingLog(options.max_findings),
            .records = records,
            .publications = kernel.traits.publishes ? std::make_unique<Publications>() : nullptr,
            .linear_of_run = linear_of_run};
}

}  // namespace optiml::emulator
