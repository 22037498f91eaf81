#include "cli/card_model.h"

#include <cctype>

#include "base/text.h"

namespace optiml::cli {

std::string plain_name(const std::string& text) {
    std::string kept;
    for (const char letter : text) {
        if (is_letter(letter) || is_digit(letter)) kept += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    return kept;
}

std::optional<emulator::DeviceModel> model_of_card(const std::string& card) {
    for (const std::string& name : emulator::device_model_names()) {
        if (plain_name(card).find(plain_name(name)) == std::string::npos) continue;
        if (auto model = emulator::find_device_model(name)) return std::move(*model);
    }
    return std::nullopt;
}

}  // namespace optiml::cli
