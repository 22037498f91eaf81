#include "emulator/counting/latencies.h"

#include <algorithm>

namespace optiml::emulator {

Latencies::Latencies(const DeviceModel& device, const PtxFlow& ptx, const std::vector<AccessTotals>& accesses, double dram_share)
    : ptx_(ptx),
      accesses_(accesses),
      l1_(device.parameter("l1_latency_cycles")),
      miss_(device.parameter("l2_latency_cycles") * (1 - dram_share) + device.parameter("dram_latency_cycles") * dram_share),
      shared_(device.parameter("shared_latency_cycles")),
      texture_(device.parameter("texture_latency_cycles")),
      constant_(device.parameter("constant_latency_cycles")),
      special_(device.parameter("special_latency_cycles")),
      exchange_(device.parameter("exchange_latency_cycles")),
      atomic_(device.parameter("l2_latency_cycles")) {
    for (const AccessTotals& access : accesses)
        if (access.texture_requests > 0) fetches_ += access;
}

double Latencies::global_load_cycles(const AccessTotals& totals) const {
    const auto requests = static_cast<double>(totals.global_requests + totals.local_requests);
    if (requests == 0) return l1_;
    const auto missing = static_cast<double>(totals.missing_requests);
    const double lines = static_cast<double>(totals.global_lines) / requests;  // looked up one after another
    return l1_ + std::max(0.0, lines - 1) + (miss_ - l1_) * missing / requests;
}

// Texels take the way of loads, and then the texture units.
double Latencies::texture_cycles() const {
    const auto requests = static_cast<double>(fetches_.texture_requests);
    if (requests == 0) return texture_;
    const double quads = static_cast<double>(fetches_.texture_quads) / requests;
    return texture_ + quads + (miss_ - l1_) * static_cast<double>(fetches_.missing_requests) / requests;
}

ResultLatency Latencies::of(const MachineInstruction& instruction) const {
    const std::uint32_t origin = ptx_.instruction_at(instruction.ptx_line);
    const AccessTotals totals = origin != ptx::none && origin < accesses_.size() ? accesses_[origin] : AccessTotals();
    switch (instruction.kind) {
        case MachineKind::global_load:
        case MachineKind::local_load: return {Wait::global, global_load_cycles(totals)};
        case MachineKind::texture_load: return {Wait::global, texture_cycles()};
        case MachineKind::global_atomic: return {Wait::global, atomic_};
        case MachineKind::shared_load:
        case MachineKind::shared_atomic: {
            const auto requests = static_cast<double>(totals.shared_requests);
            const double conflicts = requests > 0 ? static_cast<double>(totals.shared_conflicts) / requests : 0;
            return {Wait::shared, shared_ + conflicts};
        }
        case MachineKind::constant_load: return {Wait::constant, constant_};
        case MachineKind::shuffle:
        case MachineKind::vote: return {Wait::exchange, exchange_};
        case MachineKind::barrier: return {Wait::barrier, exchange_};
        default: return {Wait::special, special_};
    }
}

}  // namespace optiml::emulator
