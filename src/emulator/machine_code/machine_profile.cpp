#include "emulator/machine_code/machine_profile.h"

#include <algorithm>
#include <cmath>

#include "emulator/machine_code/anchors.h"
#include "emulator/machine_code/linear_program.h"

namespace optiml::emulator {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
// Prices of contradictions, in machine instructions: flow must be conserved, strong anchors nearly always hold.
constexpr double kFlowPenalty = 1e7;
constexpr double kMostPivots = 4000;

double penalty_of(AnchorStrength strength) {
    switch (strength) {
        case AnchorStrength::strong: return 1e5;
        case AnchorStrength::medium: return 1e4;
        default: return 1e2;
    }
}

class Inference {
public:
    Inference(const MachineFunction& machine, const PtxFlow& ptx)
        : machine_(machine), ptx_(ptx), anchors_(find_anchors(machine, ptx)), scale_(std::max(1.0, ptx.block_threads(0))) {}

    MachineProfile run() {
        add_edges();
        add_conservation();
        add_anchor_rows();
        add_round_limits();
        const std::vector<double> values = program_.minimize(static_cast<std::uint32_t>(kMostPivots));
        MachineProfile profile;
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            double threads = block == 0 ? scale_ : 0;
            for (const auto& [variable, coefficient] : flow_into(block)) threads += values[variable] * scale_;
            profile.threads.push_back(threads);
            profile.warps.push_back(threads / threads_per_warp(block));
        }
        return profile;
    }

private:
    // A variable an edge and one for what leaves the function in a block; its cost is that of the block it leads to.
    void add_edges() {
        incoming_.resize(machine_.blocks.size());
        outgoing_.resize(machine_.blocks.size());
        for (std::uint32_t from = 0; from < machine_.blocks.size(); ++from) {
            if (!machine_.blocks[from].reachable) continue;
            for (const std::uint32_t to : machine_.blocks[from].successors) {
                const std::uint32_t edge = program_.add_variable(machine_.blocks[to].last - machine_.blocks[to].first);
                outgoing_[from].push_back(edge);
                incoming_[to].push_back(edge);
            }
            if (machine_.instructions[machine_.blocks[from].last - 1].kind == MachineKind::exit) {
                outgoing_[from].push_back(program_.add_variable(0));
            }
        }
    }

    LinearProgram::Terms flow_into(std::uint32_t block) const {
        LinearProgram::Terms terms;
        for (const std::uint32_t edge : incoming_[block]) terms.emplace_back(edge, 1);
        return terms;
    }

    void add_conservation() {
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            if (!machine_.blocks[block].reachable) continue;
            LinearProgram::Terms terms;
            for (const std::uint32_t edge : outgoing_[block]) terms.emplace_back(edge, 1);
            for (const std::uint32_t edge : incoming_[block]) terms.emplace_back(edge, -1);
            program_.add_equality(std::move(terms), block == 0 ? 1 : 0, kFlowPenalty);
        }
    }

    // Sum over blocks of copies x executions = executions of the PTX instruction. The entry block runs once a thread.
    void add_anchor_rows() {
        for (const Anchor& anchor : anchors_) {
            LinearProgram::Terms terms;
            double wanted = ptx_.block_threads(ptx_.block_of(anchor.instruction)) / scale_;
            for (const auto& [block, copies] : anchor.copies) {
                if (block == 0) wanted -= copies;
                for (const auto& [edge, one] : flow_into(block)) terms.emplace_back(edge, copies);
            }
            if (!terms.empty()) program_.add_equality(std::move(terms), std::max(0.0, wanted), penalty_of(anchor.strength));
        }
    }

    // A machine loop that holds n copies of a PTX loop's body runs at most floor(trip count / n) rounds an entry: code outside it does
    // the rest.
    void add_round_limits() {
        for (std::uint32_t loop = 0; loop < machine_.loops.size(); ++loop) {
            const auto [ptx_loop, copies] = unrolling_of(loop);
            if (ptx_loop == kNone || copies < 2) continue;
            const double rounds = std::floor(ptx_.trip_count(ptx_loop) / copies + 1e-6);
            const double limit = rounds * ptx_.loop_entries(ptx_loop) / scale_;
            program_.add_upper_bound(flow_into(machine_.loops[loop].header), limit);
        }
    }

    // The PTX loop whose body a machine loop repeats, and how many copies of it a round holds: by the anchors that stand in every
    // iteration of the PTX loop and outside its inner loops, and also outside the machine loop.
    std::pair<std::uint32_t, double> unrolling_of(std::uint32_t loop) const {
        std::uint32_t best = kNone;
        double most = 0;
        for (const Anchor& anchor : anchors_) {
            if (anchor.strength < AnchorStrength::medium) continue;
            const std::uint32_t block = ptx_.block_of(anchor.instruction);
            const std::uint32_t ptx_loop = ptx_.function().blocks[block].innermost_loop;
            if (ptx_loop == ptx::none || ptx_.block_threads(block) < ptx_.block_threads(ptx_.function().loops[ptx_loop].header)) continue;
            double copies = 0;
            bool elsewhere = false;
            for (const auto& [machine_block, count] : anchor.copies) {
                if (machine_.blocks[machine_block].loop == loop) copies += count;
                else elsewhere = true;
            }
            if (elsewhere && copies > most) {
                most = copies;
                best = ptx_loop;
            }
        }
        return {best, most};
    }

    // Lanes active in a block: those of the PTX block that most of its instructions come from.
    double threads_per_warp(std::uint32_t block) const {
        std::map<std::uint32_t, std::uint32_t> votes;
        for (std::uint32_t i = machine_.blocks[block].first; i < machine_.blocks[block].last; ++i) {
            const std::uint32_t origin = ptx_.instruction_at(machine_.instructions[i].ptx_line);
            if (origin != ptx::none && ptx_.block_warps(ptx_.block_of(origin)) > 0) ++votes[ptx_.block_of(origin)];
        }
        const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        const std::uint32_t source = most == votes.end() ? 0 : most->first;
        return std::max(1.0, ptx_.block_threads(source) / std::max(1.0, ptx_.block_warps(source)));
    }

    const MachineFunction& machine_;
    const PtxFlow& ptx_;
    std::vector<Anchor> anchors_;
    double scale_;  // threads that enter the function: flows are in units of it
    LinearProgram program_;
    std::vector<std::vector<std::uint32_t>> incoming_;
    std::vector<std::vector<std::uint32_t>> outgoing_;
};

}  // namespace

MachineProfile infer_profile(const MachineFunction& machine, const PtxFlow& ptx) { return Inference(machine, ptx).run(); }

}  // namespace optiml::emulator
