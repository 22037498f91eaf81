#include "emulator/machine_code/unrolling.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace optiml::emulator {
namespace {

constexpr double kRoundingError = 1e-6;

class Finder {
public:
    Finder(const MachineFunction& machine, const PtxFlow& ptx, const std::vector<Anchor>& anchors)
        : machine_(machine), ptx_(ptx), anchors_(anchors) {
        for (std::uint32_t loop = 0; loop < machine.loops.size(); ++loop) origin_.push_back(origin_of(loop));
    }

    std::vector<Unrolling> find() const {
        std::vector<Unrolling> unrollings;
        for (std::uint32_t ptx_loop = 0; ptx_loop < ptx_.function().loops.size(); ++ptx_loop) {
            Unrolling unrolling{ptx_loop, parts_of(ptx_loop)};
            if (unrolling.parts.empty()) continue;
            std::stable_sort(unrolling.parts.begin(), unrolling.parts.end(),
                             [](const UnrolledPart& a, const UnrolledPart& b) { return a.copies > b.copies; });
            set_limits(ptx_.trip_count(ptx_loop), unrolling.parts);
            unrollings.push_back(std::move(unrolling));
        }
        return unrollings;
    }

private:
    // The PTX loop that a machine loop was made from: the innermost that holds all its anchors; none for the loop of an atomic.
    std::uint32_t origin_of(std::uint32_t loop) const {
        std::uint32_t common = ptx::none;
        bool first = true;
        for (const std::uint32_t block : machine_.loops[loop].blocks) {
            for (const Anchor& anchor : anchors_) {
                if (!anchor.copies.contains(block)) continue;
                if (machine_.blocks[block].loop == loop && ptx_.retries(anchor.instruction)) return ptx::none;
                const std::uint32_t here = loop_of(anchor);
                common = first ? here : common_ancestor(common, here);
                first = false;
            }
        }
        return common;
    }

    std::uint32_t common_ancestor(std::uint32_t a, std::uint32_t b) const {
        for (; a != ptx::none; a = ptx_.function().loops[a].parent) {
            if (is_within(b, a)) return a;
        }
        return ptx::none;
    }

    bool is_within(std::uint32_t loop, std::uint32_t ancestor) const {
        for (; loop != ptx::none; loop = ptx_.function().loops[loop].parent) {
            if (loop == ancestor) return true;
        }
        return false;
    }

    std::uint32_t loop_of(const Anchor& anchor) const { return ptx_.function().blocks[ptx_.block_of(anchor.instruction)].innermost_loop; }

    // Whether an anchor stands in each iteration of the loop, but in no inner loop: its copies are the copies of the body.
    bool tells_copies(const Anchor& anchor, std::uint32_t ptx_loop) const {
        return anchor.strength >= AnchorStrength::medium && loop_of(anchor) == ptx_loop &&
               ptx_.block_threads(ptx_.block_of(anchor.instruction)) >= ptx_.block_threads(ptx_.function().loops[ptx_loop].header);
    }

    // The machine loop nearest around a block that was made from this PTX loop; none if the block is straight code with respect to it.
    std::uint32_t machine_loop_around(std::uint32_t block, std::uint32_t ptx_loop) const {
        for (std::uint32_t loop = machine_.blocks[block].loop; loop != ptx::none; loop = machine_.loops[loop].parent) {
            if (origin_[loop] == ptx_loop) return loop;
        }
        return ptx::none;
    }

    std::vector<UnrolledPart> parts_of(std::uint32_t ptx_loop) const {
        std::map<std::pair<bool, std::uint32_t>, double> most_copies;
        for (std::uint32_t loop = 0; loop < machine_.loops.size(); ++loop) {
            if (origin_[loop] == ptx_loop) most_copies[{true, loop}] = 1;
        }
        for (const Anchor& anchor : anchors_) {
            if (!tells_copies(anchor, ptx_loop)) continue;
            std::map<std::pair<bool, std::uint32_t>, double> copies;
            for (const auto& [block, count] : anchor.copies) {
                const std::uint32_t loop = machine_loop_around(block, ptx_loop);
                copies[loop == ptx::none ? std::pair{false, block} : std::pair{true, loop}] += count;
            }
            for (const auto& [part, count] : copies) most_copies[part] = std::max(most_copies[part], count);
        }
        std::vector<UnrolledPart> parts;
        for (const auto& [part, copies] : most_copies) parts.push_back({part.first, part.second, copies, 0, false});
        return parts;
    }

    // Each part takes as many whole rounds as fit into what the larger ones have left; the smallest takes the rest.
    static void set_limits(double trip_count, std::vector<UnrolledPart>& parts) {
        double left = trip_count;
        const bool whole = std::abs(trip_count - std::round(trip_count)) < kRoundingError;
        for (UnrolledPart& part : parts) {
            double rounds = left / part.copies;
            if (whole) rounds = std::floor(rounds + kRoundingError);
            if (!part.is_loop) rounds = std::min(rounds, 1.0);
            part.most_rounds = rounds;
            part.limited = part.copies > parts.back().copies;
            left -= rounds * part.copies;
        }
    }

    const MachineFunction& machine_;
    const PtxFlow& ptx_;
    const std::vector<Anchor>& anchors_;
    std::vector<std::uint32_t> origin_;
};

}  // namespace

std::vector<Unrolling> find_unrollings(const MachineFunction& machine, const PtxFlow& ptx, const std::vector<Anchor>& anchors) {
    return Finder(machine, ptx, anchors).find();
}

}  // namespace optiml::emulator
