// Monte Carlo tree search with the PUCT rule (Silver et al. 2017) and progressive widening (Coulom 2007), for a deterministic problem
// with one player: a state's evaluation takes the place of a playout, and an edge is valued by the mean and the best reward below it.
//
//     choose argmax  Q(edge) + c * prior * sqrt(visits of node) / (1 + visits of edge)
//
// Q is scaled to 0..1 by the rewards seen so far. An evaluation in flight counts as a visit with the worst reward (virtual loss), so
// that the window spreads over the tree. An edge closes when nothing below it can be tried any more: its action is impossible, its
// state was rejected or is already in the tree elsewhere (a state is expanded in one place only), or its whole subtree is closed.

#include <algorithm>
#include <cmath>
#include <limits>

#include "search/drive.h"

namespace optiml::search {
namespace {

constexpr double kExploration = 1.2;     // c
constexpr double kBestWeight = 0.5;      // of the best reward below an edge against the mean
constexpr double kWideningFactor = 3;    // a node with v visits looks at kWideningFactor * (v + 1)^kWideningExponent actions
constexpr double kWideningExponent = 0.6;

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

struct Edge {
    Action action;
    std::uint32_t child = kNoNode;
    bool closed = false;
    std::uint32_t visits = 0;   // arrived results of any kind
    std::uint32_t pending = 0;  // evaluations in flight at or below
    std::uint32_t rewards = 0;  // results of accepted states at or below
    double total_reward = 0;
    double best_reward = -std::numeric_limits<double>::infinity();
};

struct Node {
    StateId state = 0;
    std::uint32_t parent = kNoNode;
    std::uint32_t parent_edge = 0;
    std::uint32_t depth = 0;
    double reward = 0;
    bool arrived = false;   // its result is there
    bool expanded = false;
    std::vector<Edge> edges;

    std::uint32_t visits() const {
        std::uint32_t sum = 0;
        for (const Edge& edge : edges) sum += edge.visits + edge.pending;
        return sum;
    }
    bool exhausted() const {
        return expanded && std::all_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.closed; });
    }
};

class Mcts final : public Strategy {
public:
    void begin(Explorer& explorer, const Score& root) override {
        explorer_ = &explorer;
        lowest_ = highest_ = root.reward;
        Node node;
        node.reward = root.reward;
        node.arrived = true;
        nodes_.push_back(std::move(node));
    }

    std::optional<Trial> next() override { return select_below(0); }

    void learn(const TrialResult& result) override {
        const auto leaf = static_cast<std::uint32_t>(result.trial.token);
        const bool accepted = result.verdict == Verdict::accepted;
        nodes_[leaf].arrived = true;
        nodes_[leaf].reward = result.score.reward;
        if (accepted) {
            lowest_ = std::min(lowest_, result.score.reward);
            highest_ = std::max(highest_, result.score.reward);
        } else {
            edge_to(leaf).closed = true;
        }
        for (std::uint32_t node = leaf; node != 0; node = nodes_[node].parent) {
            Edge& edge = edge_to(node);
            --edge.pending;
            ++edge.visits;
            if (!accepted) continue;
            ++edge.rewards;
            edge.total_reward += result.score.reward;
            edge.best_reward = std::max(edge.best_reward, result.score.reward);
        }
    }

private:
    Edge& edge_to(std::uint32_t node) { return nodes_[nodes_[node].parent].edges[nodes_[node].parent_edge]; }

    double scaled(double reward) const {
        return highest_ > lowest_ ? (std::max(reward, lowest_) - lowest_) / (highest_ - lowest_) : 0.5;
    }

    // An untried action is taken to be worth as much as the node itself.
    double value_of(const Edge& edge, const Node& node) const {
        if (edge.rewards == 0) return scaled(node.reward) / (1 + edge.pending);
        const double mean = scaled(edge.total_reward / edge.rewards) * edge.rewards / (edge.rewards + edge.pending);
        return (1 - kBestWeight) * mean + kBestWeight * scaled(edge.best_reward);
    }

    // Indices of the open edges in the order in which they are to be tried.
    std::vector<std::uint32_t> preferences(const Node& node) const {
        const std::uint32_t visits = node.visits();
        const double exploration = kExploration * std::sqrt(static_cast<double>(visits) + 1);
        auto allowed = static_cast<std::uint64_t>(std::ceil(kWideningFactor * std::pow(visits + 1.0, kWideningExponent)));
        std::vector<std::pair<double, std::uint32_t>> within;
        std::vector<std::uint32_t> beyond;  // the most promising first, as Explorer orders them
        for (std::uint32_t i = 0; i < node.edges.size(); ++i) {
            const Edge& edge = node.edges[i];
            if (edge.closed) continue;
            if (allowed == 0) {
                beyond.push_back(i);
                continue;
            }
            --allowed;
            const double bonus = exploration * edge.action.prior / (1.0 + edge.visits + edge.pending);
            within.push_back({value_of(edge, node) + bonus, i});
        }
        std::stable_sort(within.begin(), within.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::uint32_t> order;
        for (const auto& [score, index] : within) order.push_back(index);
        order.insert(order.end(), beyond.begin(), beyond.end());
        return order;
    }

    void expand(std::uint32_t index) {
        Node& node = nodes_[index];
        node.expanded = true;
        if (node.depth >= explorer_->max_depth()) return;
        for (Action& action : explorer_->actions(node.state)) {
            Edge edge;
            edge.action = std::move(action);
            node.edges.push_back(std::move(edge));
        }
    }

    // The best open place at or below a node. nullopt: all that is left there waits for results or is closed.
    std::optional<Trial> select_below(std::uint32_t index) {
        if (!nodes_[index].arrived) return std::nullopt;
        if (!nodes_[index].expanded) expand(index);
        for (const std::uint32_t edge_index : preferences(nodes_[index])) {
            const std::uint32_t child = nodes_[index].edges[edge_index].child;
            std::optional<Trial> trial = child == kNoNode ? open(index, edge_index) : select_below(child);
            Edge& edge = nodes_[index].edges[edge_index];
            if (trial) {
                ++edge.pending;
                return trial;
            }
            if (edge.child == kNoNode || nodes_[edge.child].exhausted()) edge.closed = true;
        }
        return std::nullopt;
    }

    std::optional<Trial> open(std::uint32_t index, std::uint32_t edge_index) {
        const auto child = static_cast<std::uint32_t>(nodes_.size());
        std::optional<Trial> trial = explorer_->try_action(nodes_[index].state, nodes_[index].edges[edge_index].action, child);
        if (!trial) return std::nullopt;
        Node node;
        node.state = trial->state;
        node.parent = index;
        node.parent_edge = edge_index;
        node.depth = nodes_[index].depth + 1;
        nodes_.push_back(std::move(node));
        nodes_[index].edges[edge_index].child = child;
        return trial;
    }

    Explorer* explorer_ = nullptr;
    std::vector<Node> nodes_;
    double lowest_ = 0;   // of the rewards of accepted states
    double highest_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_mcts() { return std::make_unique<Mcts>(); }

}  // namespace optiml::search
