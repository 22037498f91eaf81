#include "emulator/occupancy.h"

#include <algorithm>
#include <limits>

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kWarpThreads = 32;
// Warps are spread over four schedulers, each with a quarter of the registers.
constexpr std::uint32_t kSchedulers = 4;
// launch__registers_per_thread is never below this on the card, whatever the compiler asked for.
constexpr std::uint32_t kFewestRegisters = 16;

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) { return (value + unit - 1) / unit * unit; }

std::uint32_t register_limit(const DeviceModel& device, std::uint32_t warps, std::uint32_t registers) {
    if (registers > device.max_registers_per_thread) return 0;
    const std::uint32_t a_warp = round_up(std::max(registers, kFewestRegisters) * kWarpThreads, device.register_allocation_unit);
    const std::uint32_t warps_per_scheduler = device.registers_per_sm / kSchedulers / a_warp;
    return warps_per_scheduler * kSchedulers / warps;
}

std::uint32_t shared_limit(const DeviceModel& device, std::uint32_t shared_bytes) {
    if (shared_bytes > device.shared_per_block) return 0;
    return device.shared_per_sm / round_up(shared_bytes + device.shared_reserved_per_block, device.shared_allocation_unit);
}

}  // namespace

Occupancy occupancy_of(const DeviceModel& device, std::uint32_t threads, std::uint32_t registers, std::uint32_t shared_bytes) {
    Occupancy result;
    if (threads == 0 || threads > device.max_threads_per_block) return result;
    const std::uint32_t warps = (threads + kWarpThreads - 1) / kWarpThreads;
    const std::uint32_t max_warps = device.max_threads_per_sm / kWarpThreads;
    result.limit_warps = max_warps / warps;
    result.limit_registers = register_limit(device, warps, registers);
    result.limit_shared = shared_limit(device, shared_bytes);
    result.limit_blocks = device.max_blocks_per_sm;
    result.blocks_per_sm = std::min({result.limit_warps, result.limit_registers, result.limit_shared, result.limit_blocks});
    result.theoretical = static_cast<double>(result.blocks_per_sm) * warps / max_warps;
    return result;
}

}  // namespace optiml::emulator
