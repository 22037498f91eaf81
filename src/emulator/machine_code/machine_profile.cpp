#include "emulator/machine_code/machine_profile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "emulator/machine_code/anchors.h"
#include "emulator/machine_code/linear_program.h"
#include "emulator/machine_code/unrolling.h"

namespace optiml::emulator {
namespace {

// Prices of contradictions, in machine instructions: flow must be conserved, strong anchors nearly always hold.
constexpr double kFlowPenalty = 1e7;
constexpr double kEntryPenalty = 1e3;
constexpr std::uint32_t kMostVotes = 8;  // of anchors that say the same
constexpr std::uint32_t kMostPivots = 4000;

double penalty_of(AnchorStrength strength) {
    switch (strength) {
        case AnchorStrength::strong: return 1e5;
        case AnchorStrength::medium: return 1e4;
        default: return 5e2;
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
        add_hints();
        add_unrolling();
        const std::vector<double> values = program_.minimize(kMostPivots);
        MachineProfile profile;
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            double threads = block == 0 || calls(0, block) ? scale_ : 0;
            for (const auto& [variable, coefficient] : flow_into(block)) threads += values[variable] * scale_;
            profile.threads.push_back(threads);
            profile.warps.push_back(threads / threads_per_warp(block));
        }
        return profile;
    }

private:
    // A variable an edge and one for what leaves the function in a block. Its cost is that of the block it leads to, with the first block
    // of what that one calls.
    void add_edges() {
        incoming_.resize(machine_.blocks.size());
        outgoing_.resize(machine_.blocks.size());
        for (std::uint32_t from = 0; from < machine_.blocks.size(); ++from) {
            if (!machine_.blocks[from].reachable) continue;
            for (const std::uint32_t to : machine_.blocks[from].successors) {
                double cost = machine_.blocks[to].last - machine_.blocks[to].first;
                for (const std::uint32_t callee : machine_.blocks[to].calls) cost += machine_.blocks[callee].last - machine_.blocks[callee].first;
                const std::uint32_t edge = program_.add_variable(cost);
                outgoing_[from].push_back(edge);
                incoming_[to].push_back(edge);
            }
            if (machine_.instructions[machine_.blocks[from].last - 1].kind == MachineKind::exit) {
                outgoing_[from].push_back(program_.add_variable(0));
            }
        }
    }

    // Edges, and for a subroutine's first block the edges into the blocks that call it. The entry block runs once a thread besides.
    LinearProgram::Terms flow_into(std::uint32_t block) const {
        LinearProgram::Terms terms;
        for (const std::uint32_t edge : incoming_[block]) terms.emplace_back(edge, 1);
        for (std::uint32_t caller = 0; caller < machine_.blocks.size(); ++caller) {
            if (!calls(caller, block)) continue;
            for (const std::uint32_t edge : incoming_[caller]) terms.emplace_back(edge, 1);
        }
        return terms;
    }

    bool calls(std::uint32_t caller, std::uint32_t block) const {
        const std::vector<std::uint32_t>& callees = machine_.blocks[caller].calls;
        return machine_.blocks[caller].reachable && std::find(callees.begin(), callees.end(), block) != callees.end();
    }

    void add_conservation() {
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            if (!machine_.blocks[block].reachable) continue;
            LinearProgram::Terms terms;
            for (const std::uint32_t edge : outgoing_[block]) terms.emplace_back(edge, 1);
            double supply = block == 0 ? 1 : 0;
            for (const auto& [edge, one] : flow_into(block)) terms.emplace_back(edge, -one);
            if (calls(0, block)) supply += 1;
            program_.add_equality(std::move(terms), supply, kFlowPenalty);
        }
    }

    // Sum over blocks of copies x executions = executions of the PTX instruction; more of them where copies are guarded. Instructions
    // that stand side by side say the same: one row for all of them.
    void add_anchor_rows() {
        using Row = std::tuple<std::map<std::uint32_t, double>, double, bool, AnchorStrength>;  // copies, executions
        std::map<Row, std::uint32_t> rows;
        for (const Anchor& anchor : anchors_) {
            const double wanted = ptx_.work_threads(anchor.instruction) / scale_;
            ++rows[{anchor.copies, wanted, anchor.guarded, anchor.strength}];
        }
        for (const auto& [row, count] : rows) {
            const auto& [copies, executions, guarded, strength] = row;
            double wanted = executions;
            LinearProgram::Terms terms;
            for (const auto& [block, copies_here] : copies) {
                if (block == 0) wanted -= copies_here;  // the entry block runs once a thread
                for (const auto& [edge, one] : flow_into(block)) terms.emplace_back(edge, copies_here);
            }
            if (terms.empty() || wanted < 0) continue;
            const double penalty = penalty_of(strength) * std::min(count, kMostVotes);
            if (guarded) program_.add_lower_bound(std::move(terms), wanted, penalty);
            else program_.add_equality(std::move(terms), wanted, penalty);
        }
    }

    // Blocks that no anchor speaks for run about as often as the PTX blocks that most of their instructions come from: so often they
    // cost nothing. Subroutines are left out: the slow path of a division bears the line of the division.
    void add_hints() {
        std::map<std::uint32_t, std::set<std::uint32_t>> blocks_of;  // PTX instruction -> machine blocks with something of it
        for (std::uint32_t block = 0; block < machine_.blocks.size(); ++block) {
            for (const std::uint32_t origin : origins_of(block)) blocks_of[origin].insert(block);
        }
        for (std::uint32_t block = 1; block < machine_.blocks.size(); ++block) {
            const MachineBlock& machine_block = machine_.blocks[block];
            if (!machine_block.reachable || machine_block.in_subroutine || !machine_block.calls.empty() || is_anchored(block)) continue;
            std::vector<double> hints;
            for (const std::uint32_t origin : origins_of(block)) {
                hints.push_back(ptx_.block_threads(ptx_.block_of(origin)) / static_cast<double>(blocks_of[origin].size()));
            }
            if (hints.empty()) continue;
            std::nth_element(hints.begin(), hints.begin() + static_cast<std::ptrdiff_t>(hints.size() / 2), hints.end());
            const double cost = machine_block.last - machine_block.first + 1;
            program_.add_lower_bound(flow_into(block), hints[hints.size() / 2] / scale_, cost);
        }
    }

    bool is_anchored(std::uint32_t block) const {
        return std::any_of(anchors_.begin(), anchors_.end(), [block](const Anchor& anchor) {
            return anchor.strength > AnchorStrength::weak && !anchor.guarded && anchor.copies.contains(block);
        });
    }

    std::vector<std::uint32_t> origins_of(std::uint32_t block) const {
        std::vector<std::uint32_t> origins;
        for (std::uint32_t i = machine_.blocks[block].first; i < machine_.blocks[block].last; ++i) {
            const std::uint32_t origin = ptx_.instruction_at(machine_.instructions[i].ptx_line);
            if (origin != ptx::none) origins.push_back(origin);
        }
        return origins;
    }

    void add_unrolling() {
        for (const Unrolling& unrolling : find_unrollings(machine_, ptx_, anchors_)) {
            const double entries = ptx_.loop_entries(unrolling.ptx_loop) / scale_;
            for (const UnrolledPart& part : unrolling.parts) {
                const std::uint32_t block = part.is_loop ? machine_.loops[part.index].header : part.index;
                if (part.limited) program_.add_upper_bound(flow_into(block), part.most_rounds * entries);
                if (part.is_loop) add_entry_row(part.index, std::max(1.0, ptx_.trip_count(unrolling.ptx_loop) / part.copies));
            }
        }
    }

    // rounds x (flow from outside) >= flow into the header: a loop must be entered to run.
    void add_entry_row(std::uint32_t loop, double rounds) {
        const MachineLoop& machine_loop = machine_.loops[loop];
        LinearProgram::Terms terms = flow_into(machine_loop.header);
        for (auto& [edge, coefficient] : terms) coefficient = -1;
        for (std::uint32_t from = 0; from < machine_.blocks.size(); ++from) {
            if (std::find(machine_loop.blocks.begin(), machine_loop.blocks.end(), from) != machine_loop.blocks.end()) continue;
            const std::vector<std::uint32_t>& successors = machine_.blocks[from].successors;
            for (std::size_t i = 0; i < successors.size() && machine_.blocks[from].reachable; ++i) {
                if (successors[i] == machine_loop.header) terms.emplace_back(outgoing_[from][i], rounds);
            }
        }
        program_.add_lower_bound(std::move(terms), 0, kEntryPenalty);
    }

    // Lanes active in a block: as for most of its instructions.
    double threads_per_warp(std::uint32_t block) const {
        std::map<double, std::uint32_t> votes;
        for (const std::uint32_t origin : origins_of(block)) {
            if (ptx_.block_warps(ptx_.block_of(origin)) > 0) ++votes[ptx_.lanes(origin)];
        }
        const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        return most == votes.end() ? std::max(1.0, ptx_.block_threads(0) / std::max(1.0, ptx_.block_warps(0))) : most->first;
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
