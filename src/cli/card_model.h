#pragma once

#include <optional>
#include <string>

#include "emulator/device_model.h"

namespace optiml::cli {

// The emulator's model of a card by the driver's name for it: "NVIDIA H200" -> h200. nullopt: there is none.
std::optional<emulator::DeviceModel> model_of_card(const std::string& card);

// Letters and digits only, in lower case.
std::string plain_name(const std::string& text);

}  // namespace optiml::cli
