#pragma once
// Dominance and loops of a directed graph given by successor lists; node 0 is the entry. Any graph is fine: unreachable nodes,
// irreducible cycles, cycles without a way out, several equal edges.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace optiml::ptx {

using Successors = std::vector<std::vector<std::uint32_t>>;

// Immediate dominators by Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", 2005), near-linear in
// practice. none: the root, and every node that it does not reach.
std::vector<std::uint32_t> immediate_dominators(const Successors& successors, std::uint32_t root);

// The nodes from which control leaves: those with `leaves` set or without successors, and one node of every cycle that control
// cannot leave once inside (its deepest in depth-first order, as a rule the latch of an endless loop), so that each node has a way
// out.
std::vector<std::uint32_t> exit_nodes(const Successors& successors, const std::vector<bool>& leaves);

// Immediate post-dominators with respect to exit_nodes; none: only the exit itself.
std::vector<std::uint32_t> immediate_post_dominators(const Successors& successors, const std::vector<bool>& leaves);

// Natural loops, one a header, each before the loops inside it; blocks in ascending order, the header among them.
// Cycles that are entered at several places (irreducible) are no natural loops and are left out.
std::vector<Loop> natural_loops(const Successors& successors);

}  // namespace optiml::ptx
