#include "ptx/flow_graph.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace optiml::ptx {
namespace {

// Reachability from `root` that never passes `without`.
std::vector<bool> reachable(const Successors& successors, std::uint32_t root, std::uint32_t without) {
    std::vector<bool> reached(successors.size(), false);
    std::vector<std::uint32_t> open;
    if (root != without) open.push_back(root);
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (reached[node] || node == without) continue;
        reached[node] = true;
        open.insert(open.end(), successors[node].begin(), successors[node].end());
    }
    return reached;
}

// By definition: a dominates b if b cannot be reached without a.
std::vector<std::vector<bool>> dominators_by_definition(const Successors& successors, std::uint32_t root) {
    std::vector<std::vector<bool>> dominates;
    const std::vector<bool> all = reachable(successors, root, none);
    for (std::uint32_t a = 0; a < successors.size(); ++a) {
        const std::vector<bool> without = reachable(successors, root, a);
        std::vector<bool> row(successors.size());
        for (std::uint32_t b = 0; b < successors.size(); ++b) row[b] = all[b] && !without[b];
        dominates.push_back(row);
    }
    return dominates;
}

// The strict dominator that all other strict dominators dominate.
std::vector<std::uint32_t> immediate_by_definition(const Successors& successors, std::uint32_t root) {
    const auto dominates = dominators_by_definition(successors, root);
    const auto nodes = static_cast<std::uint32_t>(successors.size());
    std::vector<std::uint32_t> immediate(nodes, none);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        for (std::uint32_t candidate = 0; candidate < nodes; ++candidate) {
            if (candidate == node || !dominates[candidate][node]) continue;
            bool nearest = true;
            for (std::uint32_t other = 0; other < nodes; ++other) {
                if (other != node && dominates[other][node] && !dominates[other][candidate]) nearest = false;
            }
            if (nearest) immediate[node] = candidate;
        }
    }
    return immediate;
}

Successors reversed_with_exit(const Successors& successors, const std::vector<std::uint32_t>& exits) {
    Successors backward(successors.size() + 1);
    for (std::uint32_t node = 0; node < successors.size(); ++node) {
        for (const std::uint32_t next : successors[node]) backward[next].push_back(node);
    }
    backward.back() = exits;
    return backward;
}

// From nearly linear code to dense graphs, with self loops, double edges, unreachable parts and regions without a way out.
Successors random_graph(std::mt19937& random) {
    const std::uint32_t nodes = 1 + random() % 12;
    const std::uint32_t max_edges = random() % 4;
    Successors successors(nodes);
    for (auto& edges : successors) {
        const std::uint32_t count = max_edges == 0 ? 0 : random() % (max_edges + 1);
        for (std::uint32_t i = 0; i < count; ++i) edges.push_back(random() % nodes);
    }
    if (random() % 2 == 0) {
        for (std::uint32_t node = 0; node + 1 < nodes; ++node) successors[node].push_back(node + 1);
    }
    return successors;
}

std::vector<bool> random_leaves(std::mt19937& random, std::size_t nodes) {
    std::vector<bool> leaves(nodes);
    for (std::size_t i = 0; i < nodes; ++i) leaves[i] = random() % 8 == 0;
    return leaves;
}

constexpr int kGraphs = 5000;

TEST(FlowGraph, DominatorsAgreeWithTheirDefinition) {
    std::mt19937 random(1);
    for (int i = 0; i < kGraphs; ++i) {
        const Successors graph = random_graph(random);
        EXPECT_EQ(immediate_dominators(graph, 0), immediate_by_definition(graph, 0)) << "graph " << i;
    }
}

TEST(FlowGraph, PostDominatorsAgreeWithTheirDefinition) {
    std::mt19937 random(2);
    for (int i = 0; i < kGraphs; ++i) {
        const Successors graph = random_graph(random);
        const std::vector<bool> leaves = random_leaves(random, graph.size());
        const auto exit = static_cast<std::uint32_t>(graph.size());
        auto expected = immediate_by_definition(reversed_with_exit(graph, exit_nodes(graph, leaves)), exit);
        expected.pop_back();
        std::replace(expected.begin(), expected.end(), exit, none);
        EXPECT_EQ(immediate_post_dominators(graph, leaves), expected) << "graph " << i;
    }
}

TEST(FlowGraph, EveryNodeHasAWayOutAndNoExitIsWasted) {
    std::mt19937 random(3);
    for (int i = 0; i < kGraphs; ++i) {
        const Successors graph = random_graph(random);
        const std::vector<bool> leaves = random_leaves(random, graph.size());
        const std::vector<std::uint32_t> exits = exit_nodes(graph, leaves);
        for (std::uint32_t node = 0; node < graph.size(); ++node) {
            const std::vector<bool> reached = reachable(graph, node, none);
            EXPECT_TRUE(std::any_of(exits.begin(), exits.end(), [&](std::uint32_t e) { return reached[e]; })) << "graph " << i;
        }
        for (const std::uint32_t exit : exits) {
            if (leaves[exit] || graph[exit].empty()) continue;
            // An exit of an endless region reaches no other exit.
            const std::vector<bool> reached = reachable(graph, exit, none);
            for (const std::uint32_t other : exits) EXPECT_TRUE(other == exit || !reached[other]) << "graph " << i;
        }
    }
}

// Back edges and loop bodies straight from the definition.
std::vector<Loop> loops_by_definition(const Successors& graph) {
    const auto dominates = dominators_by_definition(graph, 0);
    const auto nodes = static_cast<std::uint32_t>(graph.size());
    std::vector<Loop> loops;
    for (std::uint32_t header = 0; header < nodes; ++header) {
        Loop loop{header, none, {}};
        for (std::uint32_t node = 0; node < nodes; ++node) {
            if (!dominates[header][node]) continue;
            // Does it reach a latch without leaving through the header?
            const std::vector<bool> onward = reachable(graph, node, node == header ? none : header);
            bool inside = false;
            for (std::uint32_t latch = 0; latch < nodes; ++latch) {
                const bool is_latch = dominates[header][latch] && std::count(graph[latch].begin(), graph[latch].end(), header) > 0;
                inside = inside || (is_latch && (onward[latch] || latch == node));
            }
            if (inside) loop.blocks.push_back(node);
        }
        if (!loop.blocks.empty()) loops.push_back(loop);
    }
    return loops;
}

TEST(FlowGraph, LoopsAgreeWithTheirDefinitionAndNest) {
    std::mt19937 random(4);
    for (int i = 0; i < kGraphs; ++i) {
        const Successors graph = random_graph(random);
        const std::vector<Loop> loops = natural_loops(graph);
        std::vector<Loop> sorted = loops;
        std::sort(sorted.begin(), sorted.end(), [](const Loop& a, const Loop& b) { return a.header < b.header; });
        const std::vector<Loop> expected = loops_by_definition(graph);
        ASSERT_EQ(sorted.size(), expected.size()) << "graph " << i;
        for (std::size_t l = 0; l < expected.size(); ++l) {
            EXPECT_EQ(sorted[l].header, expected[l].header) << "graph " << i;
            EXPECT_EQ(sorted[l].blocks, expected[l].blocks) << "graph " << i;
        }
        for (std::uint32_t l = 0; l < loops.size(); ++l) {
            // The parent is the smallest other loop that contains this one.
            std::uint32_t parent = none;
            for (std::uint32_t other = 0; other < loops.size(); ++other) {
                const auto& outer = loops[other].blocks;
                if (other == l || !std::binary_search(outer.begin(), outer.end(), loops[l].header)) continue;
                if (!std::includes(outer.begin(), outer.end(), loops[l].blocks.begin(), loops[l].blocks.end())) continue;
                if (parent == none || outer.size() < loops[parent].blocks.size()) parent = other;
            }
            EXPECT_EQ(loops[l].parent, parent) << "graph " << i;
            EXPECT_TRUE(parent == none || parent < l) << "graph " << i;
        }
    }
}

TEST(FlowGraph, AnIrreducibleCycleIsNoLoop) {
    // 0 enters the cycle 1 <-> 2 at both nodes.
    const Successors graph{{1, 2}, {2, 3}, {1}, {}};
    EXPECT_TRUE(natural_loops(graph).empty());
    EXPECT_EQ(immediate_post_dominators(graph, std::vector<bool>(4, false)), (std::vector<std::uint32_t>{1, 3, 1, none}));
}

TEST(FlowGraph, AnEndlessLoopLeavesAtItsLatch) {
    // 0 -> 1 -> {2, 3} -> 4 -> 1
    const Successors graph{{1}, {2, 3}, {4}, {4}, {1}};
    EXPECT_EQ(exit_nodes(graph, std::vector<bool>(5, false)), (std::vector<std::uint32_t>{4}));
    EXPECT_EQ(immediate_post_dominators(graph, std::vector<bool>(5, false)), (std::vector<std::uint32_t>{1, 4, 4, 4, none}));
}

TEST(FlowGraph, DeepGraphsNeedNoDeepStack) {
    constexpr std::uint32_t kNodes = 300'000;
    Successors graph(kNodes);
    for (std::uint32_t i = 0; i + 1 < kNodes; ++i) graph[i].push_back(i + 1);
    const auto post_dominators = immediate_post_dominators(graph, std::vector<bool>(kNodes, false));
    EXPECT_EQ(post_dominators[0], 1u);
    EXPECT_EQ(post_dominators[kNodes - 1], none);
    EXPECT_TRUE(natural_loops(graph).empty());
}

TEST(FlowGraph, AGraphWithoutNodesHasNothing) {
    EXPECT_TRUE(immediate_dominators({}, 0).empty());
    EXPECT_TRUE(immediate_post_dominators({}, {}).empty());
    EXPECT_TRUE(natural_loops({}).empty());
}

}  // namespace
}  // namespace optiml::ptx
