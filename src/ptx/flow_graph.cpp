#include "ptx/flow_graph.h"

#include <algorithm>

namespace optiml::ptx {
namespace {

Successors reversed(const Successors& successors) {
    Successors predecessors(successors.size());
    for (std::uint32_t node = 0; node < successors.size(); ++node) {
        for (const std::uint32_t next : successors[node]) predecessors[next].push_back(node);
    }
    return predecessors;
}

// Iterative, since graphs may be deep.
struct DepthFirstSearch {
    std::vector<std::uint32_t> preorder;
    std::vector<std::uint32_t> postorder;
    std::vector<std::uint32_t> parent;  // by node
    std::vector<bool> visited;

    explicit DepthFirstSearch(std::size_t nodes) : parent(nodes, none), visited(nodes, false) {}

    void from(const Successors& successors, std::uint32_t root) {
        if (visited[root]) return;
        std::vector<std::pair<std::uint32_t, std::size_t>> stack;  // node, next edge
        enter(root, none);
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            auto& [node, edge] = stack.back();
            if (edge == successors[node].size()) {
                postorder.push_back(node);
                stack.pop_back();
                continue;
            }
            const std::uint32_t next = successors[node][edge++];
            if (visited[next]) continue;
            enter(next, node);
            stack.emplace_back(next, 0);
        }
    }

private:
    void enter(std::uint32_t node, std::uint32_t from_node) {
        visited[node] = true;
        parent[node] = from_node;
        preorder.push_back(node);
    }
};

// Semi-NCA on preorder numbers.
class SemiNca {
public:
    SemiNca(const Successors& successors, std::uint32_t root) : search_(successors.size()), number_(successors.size(), none) {
        search_.from(successors, root);
        const std::size_t reached = search_.preorder.size();
        for (std::uint32_t i = 0; i < reached; ++i) number_[search_.preorder[i]] = i;
        semi_.resize(reached);
        label_.resize(reached);
        ancestor_.resize(reached);
        for (std::uint32_t i = 0; i < reached; ++i) {
            semi_[i] = label_[i] = i;
            ancestor_[i] = i == 0 ? 0 : number_[search_.parent[search_.preorder[i]]];
        }
    }

    std::vector<std::uint32_t> run(const Successors& predecessors) {
        std::vector<std::uint32_t> idom = ancestor_;  // at first the parent in the depth-first tree
        const auto reached = static_cast<std::uint32_t>(semi_.size());
        for (std::uint32_t i = reached; i-- > 1;) {
            semi_[i] = ancestor_[i];
            for (const std::uint32_t node : predecessors[search_.preorder[i]]) {
                if (number_[node] == none) continue;
                semi_[i] = std::min(semi_[i], semi_[evaluate(number_[node], i)]);
            }
            label_[i] = i;
        }
        for (std::uint32_t i = 1; i < reached; ++i) {
            while (idom[i] > semi_[i]) idom[i] = idom[idom[i]];
        }
        std::vector<std::uint32_t> by_node(number_.size(), none);
        for (std::uint32_t i = 1; i < reached; ++i) by_node[search_.preorder[i]] = search_.preorder[idom[i]];
        return by_node;
    }

private:
    // The node of least semi-dominator on the tree path from `node` up to the numbers that are not processed yet (<= last);
    // compresses the path.
    std::uint32_t evaluate(std::uint32_t node, std::uint32_t last) {
        if (node <= last) return node;
        path_.clear();
        for (; ancestor_[node] > last; node = ancestor_[node]) path_.push_back(node);
        std::uint32_t above = node;
        for (auto place = path_.rbegin(); place != path_.rend(); ++place) {
            if (semi_[label_[above]] < semi_[label_[*place]]) label_[*place] = label_[above];
            ancestor_[*place] = ancestor_[above];
            above = *place;
        }
        return label_[above];
    }

    DepthFirstSearch search_;
    std::vector<std::uint32_t> number_;  // by node: preorder number; none: not reached
    std::vector<std::uint32_t> semi_;
    std::vector<std::uint32_t> label_;
    std::vector<std::uint32_t> ancestor_;
    std::vector<std::uint32_t> path_;
};

std::vector<std::vector<std::uint32_t>> children_of(const std::vector<std::uint32_t>& idom) {
    std::vector<std::vector<std::uint32_t>> children(idom.size());
    for (std::uint32_t node = 0; node < idom.size(); ++node) {
        if (idom[node] != none) children[idom[node]].push_back(node);
    }
    return children;
}

// Entry and exit times in the dominator tree answer "does a dominate b" at once.
class DominatorTree {
public:
    explicit DominatorTree(const Successors& successors)
        : first_(successors.size(), none), last_(successors.size(), none), reached_(successors.size(), false) {
        const auto idom = immediate_dominators(successors, 0);
        const auto children = children_of(idom);
        DepthFirstSearch search(successors.size());
        search.from(children, 0);
        for (std::uint32_t i = 0; i < search.preorder.size(); ++i) first_[search.preorder[i]] = i;
        for (std::uint32_t i = 0; i < search.postorder.size(); ++i) last_[search.postorder[i]] = i;
        reached_ = search.visited;
    }

    bool reached(std::uint32_t node) const { return reached_[node]; }
    bool dominates(std::uint32_t a, std::uint32_t b) const {
        return reached_[a] && reached_[b] && first_[a] <= first_[b] && last_[a] >= last_[b];
    }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> last_;
    std::vector<bool> reached_;
};

// The header and everything that reaches a latch without passing the header.
std::vector<std::uint32_t> loop_blocks(const Successors& predecessors, const DominatorTree& tree, std::uint32_t header,
                                       const std::vector<std::uint32_t>& latches) {
    std::vector<bool> inside(predecessors.size(), false);
    inside[header] = true;
    std::vector<std::uint32_t> blocks{header};
    std::vector<std::uint32_t> open = latches;
    while (!open.empty()) {
        const std::uint32_t node = open.back();
        open.pop_back();
        if (inside[node] || !tree.reached(node)) continue;
        inside[node] = true;
        blocks.push_back(node);
        open.insert(open.end(), predecessors[node].begin(), predecessors[node].end());
    }
    std::sort(blocks.begin(), blocks.end());
    return blocks;
}

// Loops of different headers are disjoint or nested; the parent is the smallest other loop that holds the header.
void set_parents(std::vector<Loop>& loops, std::size_t nodes) {
    std::vector<std::uint32_t> innermost(nodes, none);
    for (std::uint32_t i = 0; i < loops.size(); ++i) {  // larger loops come first
        loops[i].parent = innermost[loops[i].header];
        for (const std::uint32_t block : loops[i].blocks) innermost[block] = i;
    }
}

}  // namespace

std::vector<std::uint32_t> immediate_dominators(const Successors& successors, std::uint32_t root) {
    if (successors.empty()) return {};
    return SemiNca(successors, root).run(reversed(successors));
}

std::vector<std::uint32_t> exit_nodes(const Successors& successors, const std::vector<bool>& leaves) {
    const auto nodes = static_cast<std::uint32_t>(successors.size());
    const Successors predecessors = reversed(successors);
    std::vector<std::uint32_t> exits;
    DepthFirstSearch backward(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        if (!leaves[node] && !successors[node].empty()) continue;
        exits.push_back(node);
        backward.from(predecessors, node);
    }
    DepthFirstSearch forward(nodes);
    for (std::uint32_t node = 0; node < nodes; ++node) forward.from(successors, node);
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t node : forward.postorder) {
        if (backward.visited[node]) continue;
        candidates.push_back(node);
        backward.from(predecessors, node);
    }
    // No candidate reaches an earlier one, but it may reach a later one and is then none of the last region.
    DepthFirstSearch kept(nodes);
    for (auto node = candidates.rbegin(); node != candidates.rend(); ++node) {
        if (kept.visited[*node]) continue;
        exits.push_back(*node);
        kept.from(predecessors, *node);
    }
    return exits;
}

std::vector<std::uint32_t> immediate_post_dominators(const Successors& successors, const std::vector<bool>& leaves) {
    const auto exit = static_cast<std::uint32_t>(successors.size());
    Successors backward = reversed(successors);
    backward.push_back(exit_nodes(successors, leaves));
    std::vector<std::uint32_t> post_dominators = immediate_dominators(backward, exit);
    post_dominators.pop_back();
    for (std::uint32_t& node : post_dominators) {
        if (node == exit) node = none;
    }
    return post_dominators;
}

std::vector<Loop> natural_loops(const Successors& successors) {
    if (successors.empty()) return {};
    const DominatorTree tree(successors);
    const Successors predecessors = reversed(successors);
    std::vector<Loop> loops;
    for (std::uint32_t header = 0; header < successors.size(); ++header) {
        std::vector<std::uint32_t> latches;
        for (const std::uint32_t node : predecessors[header]) {
            if (tree.dominates(header, node)) latches.push_back(node);
        }
        if (latches.empty()) continue;
        loops.push_back({header, none, loop_blocks(predecessors, tree, header, latches)});
    }
    std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
    set_parents(loops, successors.size());
    return loops;
}

}  // namespace optiml::ptx
