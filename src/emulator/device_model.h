#pragma once
// What the emulator and the time model know about a GPU; read from devices/NAME.toml, where each parameter names its source.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace optiml::emulator {

struct DeviceModel {
    std::string name;             // "h200"
    std::string title;            // "NVIDIA H200"
    std::uint32_t compute_capability = 90;
    // Hard limits
    std::uint32_t sm_count = 132;
    std::uint32_t max_threads_per_block = 1024;
    std::uint32_t max_block_x = 1024, max_block_y = 1024, max_block_z = 64;
    std::uint32_t max_grid_x = 2147483647, max_grid_y = 65535, max_grid_z = 65535;
    std::uint32_t max_threads_per_sm = 2048;
    std::uint32_t max_blocks_per_sm = 32;
    std::uint32_t registers_per_sm = 65536;
    std::uint32_t register_allocation_unit = 256;  // registers a warp are rounded up to this
    std::uint32_t max_registers_per_thread = 255;
    std::uint32_t shared_per_sm = 233472;          // bytes
    std::uint32_t shared_per_block = 232448;       // with the opt-in attribute
    std::uint32_t shared_per_block_default = 49152;
    std::uint32_t shared_reserved_per_block = 1024;
    std::uint32_t shared_allocation_unit = 128;
    std::vector<std::uint32_t> shared_configurations;  // bytes an SM can set aside for shared memory, ascending
    std::uint64_t l1_bytes = 262144;               // L1 and shared together, an SM
    std::uint64_t l2_bytes = 62914560;
    std::uint64_t memory_bytes = 0;
    // Rates and latencies of the time model by name (each with unit in devices/*.toml), e.g. "dram_gb_per_s", "clock_ghz".
    std::map<std::string, double, std::less<>> parameters;

    double parameter(std::string_view key) const;  // 0 if absent

    // Bytes of an SM's L1 that stay a cache while `blocks` blocks with `shared_bytes` each are resident.
    std::uint64_t l1_cache_bytes(std::uint32_t blocks, std::uint32_t shared_bytes) const;
};

// Parses devices/NAME.toml. Errors name file and line.
Result<DeviceModel> parse_device_model(std::string_view toml, const std::string& file);

// The built-in models (h200, a100, rtx4090), compiled in from devices/*.toml.
Result<DeviceModel> find_device_model(std::string_view name);

// What code for cards of a compute capability (89) is checked under: the built-in model of that capability, else the nearest one with
// what the capability itself limits. The latter is named sm_CAPABILITY; its rates and its number of SMs say nothing of such a card.
Result<DeviceModel> model_of_capability(std::uint32_t compute_capability);
std::vector<std::string> device_model_names();

}  // namespace optiml::emulator
