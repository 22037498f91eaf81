#pragma once
// The texts of devices/*.toml, compiled in (cmake/Devices.cmake writes the definition).

#include <string_view>
#include <vector>

namespace optiml::emulator {

struct DeviceFile {
    std::string_view name;  // the file's stem
    std::string_view toml;
};

const std::vector<DeviceFile>& device_files();

}  // namespace optiml::emulator
