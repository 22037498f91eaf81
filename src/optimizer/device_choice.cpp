#include <fmt/format.h>

#include "emulator/device_model.h"
#include "gpu/device.h"
#include "optimizer/evaluators.h"
#include "optiml/settings.h"

namespace optiml::optimizer {

Result<std::string> resolve_device(const std::string& name) {
    const bool has_gpu = gpu::Device::count().value_or(0) > 0;
    if (name == "auto") return has_gpu ? "cuda:0" : "emulated:h200";
    if (name.starts_with("cuda:")) {
        if (const auto ordinals = device_ordinals(name); !ordinals) return tl::make_unexpected(ordinals.error());
        if (!has_gpu) {
            return environment_error(fmt::format("--device {}: this machine has no NVIDIA GPU", name),
                                     "Use --device auto: the emulator needs none. optiml doctor says what lacks.");
        }
        return name;
    }
    if (name.starts_with("emulated:")) {
        return emulator::find_device_model(name.substr(9)).map([&](const emulator::DeviceModel&) { return name; });
    }
    return user_error(fmt::format("--device {}: no such device", name), {},
                      "Choose auto, cuda:0, emulated:h200, emulated:a100 or emulated:rtx4090.");
}

}  // namespace optiml::optimizer
