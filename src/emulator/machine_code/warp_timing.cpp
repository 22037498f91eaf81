#include "emulator/machine_code/warp_timing.h"

#include <algorithm>

namespace optiml::emulator {
namespace {

constexpr std::size_t kScoreboards = 6;
constexpr std::uint8_t kNoScoreboard = 7;

class Simulation {
public:
    Simulation(const MachineFunction& machine, const MachineProfile& profile, const LatencyOf& latency_of)
        : machine_(machine), profile_(profile), latency_of_(latency_of), cycles_(machine.blocks.size()) {}

    // Blocks in the order of the code; an innermost loop goes round twice, so that its second round starts as all later ones do.
    void run() {
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            if (!runs(block)) continue;
            const std::uint32_t loop = machine_.blocks[block].loop;
            if (is_innermost(loop) && machine_.loops[loop].header == block) go_round(loop);
            step(block);
        }
    }

    const WarpCycles& cycles(std::uint32_t block) const { return cycles_[block]; }

private:
    bool runs(std::uint32_t block) const { return machine_.blocks[block].reachable && profile_.warps[block] > 0; }

    bool is_innermost(std::uint32_t loop) const {
        return loop < machine_.loops.size() && std::none_of(machine_.loops.begin(), machine_.loops.end(),
                                                            [loop](const MachineLoop& other) { return other.parent == loop; });
    }

    void go_round(std::uint32_t loop) {
        for (const std::uint32_t block : machine_.loops[loop].blocks) {
            if (runs(block)) step(block);
        }
    }

    void step(std::uint32_t block) {
        cycles_[block] = {};
        for (std::uint32_t i = machine_.blocks[block].first; i < machine_.blocks[block].last; ++i) issue(machine_.instructions[i], cycles_[block]);
    }

    void issue(const MachineInstruction& instruction, WarpCycles& cycles) {
        for (std::size_t board = 0; board < kScoreboards; ++board) {
            if ((instruction.waits_for >> board & 1) == 0 || ready_[board] <= now_) continue;
            cycles[static_cast<std::size_t>(waited_for_[board])] += ready_[board] - now_;
            now_ = ready_[board];
        }
        const ResultLatency latency = latency_of_(instruction);
        if (instruction.sets_scoreboard != kNoScoreboard && instruction.sets_scoreboard < kScoreboards) {
            double& ready = ready_[instruction.sets_scoreboard];
            if (now_ + latency.cycles > ready) {
                ready = now_ + latency.cycles;
                waited_for_[instruction.sets_scoreboard] = latency.wait;
            }
        }
        const double stall = std::max<double>(1, instruction.stall);
        cycles[static_cast<std::size_t>(Wait::issue)] += stall;
        now_ += stall;
    }

    const MachineFunction& machine_;
    const MachineProfile& profile_;
    const LatencyOf& latency_of_;
    std::vector<WarpCycles> cycles_;
    double now_ = 0;
    std::array<double, kScoreboards> ready_{};
    std::array<Wait, kScoreboards> waited_for_{};
};

}  // namespace

WarpCycles warp_cycles(const MachineFunction& machine, const MachineProfile& profile, double warps, const LatencyOf& latency_of) {
    WarpCycles mean{};
    if (warps <= 0) return mean;
    Simulation simulation(machine, profile, latency_of);
    simulation.run();
    for (std::uint32_t block = 0; block < machine.blocks.size(); ++block) {
        for (std::size_t wait = 0; wait < mean.size(); ++wait) mean[wait] += simulation.cycles(block)[wait] * profile.warps[block] / warps;
    }
    return mean;
}

}  // namespace optiml::emulator
