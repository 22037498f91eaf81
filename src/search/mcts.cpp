// Monte Carlo tree search with the PUCT rule (Silver et al. 2017) and progressive widening (Coulom 2007), for a deterministic
// problem with one player: a state's evaluation takes the place of a playout, and a choice is valued by the mean and the best
// reward below it.
//
//     choose argmax  Q(choice) + c * prior * sqrt(visits of all) / (1 + visits of choice)
//
// Choices are made twice at each node: the kind of action, then the action of that kind. Forty ways to unroll thus count as one
// idea that is tried as often as it pays, not as forty. A kind that was not tried at a node is taken to gain there what it gained
// on average elsewhere; an action whose kind was tried at the node, to come where its siblings came on average.
//
// Q is scaled to 0..1 by the rewards seen so far; what is hoped of an untried choice may lie above. An evaluation in flight counts
// as a visit with the worst reward (virtual loss), so that the window spreads over the tree. An edge closes when nothing below it
// can be tried any more: its action is impossible, its state was rejected or is already in the tree elsewhere (a state is expanded
// in one place only), or its whole subtree is closed.

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "search/drive.h"

namespace optiml::search {
namespace {

constexpr double kExploration = 0.3;   // c
constexpr double kBestWeight = 0.8;    // of the best reward below a choice against the mean
constexpr double kWideningFactor = 3;  // after v visits kWideningFactor * (v + 1)^kWideningExponent choices are looked at
constexpr double kWideningExponent = 0.6;
constexpr double kRejectedGain = -0.1;  // what a rejected action counts for its kind, in units of reward
constexpr double kGainDoubt = 1;        // trials without gain that a kind's average gain starts from

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

struct Statistics {
    std::uint32_t visits = 0;   // arrived results of any kind
    std::uint32_t pending = 0;  // evaluations in flight at or below
    std::uint32_t rewards = 0;  // results of accepted states at or below
    double total_reward = 0;
    double best_reward = -std::numeric_limits<double>::infinity();

    void arrive(bool accepted, double reward) {
        --pending;
        ++visits;
        if (!accepted) return;
        ++rewards;
        total_reward += reward;
        best_reward = std::max(best_reward, reward);
    }
};

// A choice at a node: an action, or a kind of them.
struct Choice {
    double prior = 0;
    bool closed = false;
    Statistics statistics;
};

struct Edge : Choice {
    Action action;
    std::uint32_t child = kNoNode;
};

struct Kind : Choice {
    std::string name;
    std::vector<Edge> edges;  // the most promising first
    // Over the edges whose own state's result is there, whatever lies below it.
    double total_reached = 0;
    std::uint32_t reached = 0;

    void reach(double reward) {
        total_reached += reward;
        ++reached;
    }
};

struct Node {
    StateId state = 0;
    std::uint32_t parent = kNoNode;
    std::uint32_t parent_kind = 0;
    std::uint32_t parent_edge = 0;
    std::uint32_t depth = 0;
    double reward = 0;
    bool arrived = false;  // its result is there
    bool expanded = false;
    std::vector<Kind> kinds;
};

template <class Choices>
bool all_closed(const Choices& choices) {
    return std::all_of(choices.begin(), choices.end(), [](const Choice& choice) { return choice.closed; });
}

template <class Choices>
void normalize(Choices& choices) {
    double total = 0;
    for (const Choice& choice : choices) total += choice.prior;
    for (Choice& choice : choices) choice.prior /= total;
}

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
        const double gain = accepted                              ? result.score.reward - parent_of(leaf).reward
                            : result.verdict == Verdict::rejected ? kRejectedGain
                                                                  : 0;
        learn_kind(kind_of(leaf).name, gain);
        kind_of(leaf).reach(parent_of(leaf).reward + gain);
        if (accepted) {
            lowest_ = std::min(lowest_, result.score.reward);
            highest_ = std::max(highest_, result.score.reward);
        } else {
            close(leaf);
        }
        for (std::uint32_t node = leaf; node != 0; node = nodes_[node].parent) {
            edge_of(node).statistics.arrive(accepted, result.score.reward);
            kind_of(node).statistics.arrive(accepted, result.score.reward);
        }
    }

private:
    struct Gain {
        double total = 0;
        double trials = 0;
    };

    Node& parent_of(std::uint32_t node) { return nodes_[nodes_[node].parent]; }
    Kind& kind_of(std::uint32_t node) { return parent_of(node).kinds[nodes_[node].parent_kind]; }
    Edge& edge_of(std::uint32_t node) { return kind_of(node).edges[nodes_[node].parent_edge]; }

    void close(std::uint32_t node) {
        edge_of(node).closed = true;
        kind_of(node).closed = all_closed(kind_of(node).edges);
    }

    void learn_kind(const std::string& kind, double gain) {
        gains_[kind].total += gain;
        ++gains_[kind].trials;
    }

    double expected_gain(const std::string& kind) const {
        const auto found = gains_.find(kind);
        return found == gains_.end() ? 0 : found->second.total / (found->second.trials + kGainDoubt);
    }

    double scaled(double reward) const {
        return highest_ > lowest_ ? (std::max(reward, lowest_) - lowest_) / (highest_ - lowest_) : 0.5;
    }

    double value_of(const Statistics& statistics, double untried_reward) const {
        if (statistics.rewards == 0) return scaled(untried_reward) / (1 + statistics.pending);
        const double mean =
            scaled(statistics.total_reward / statistics.rewards) * statistics.rewards / (statistics.rewards + statistics.pending);
        return (1 - kBestWeight) * mean + kBestWeight * scaled(statistics.best_reward);
    }

    // Indices of the open choices in the order in which they are to be tried. untried: the reward expected of a choice by its
    // index.
    template <class Choices, class Untried>
    std::vector<std::uint32_t> preferences(const Choices& choices, Untried untried) const {
        double visits = 0;
        for (const Choice& choice : choices) visits += choice.statistics.visits + choice.statistics.pending;
        const double exploration = kExploration * std::sqrt(visits + 1);
        auto allowed = static_cast<std::uint64_t>(std::ceil(kWideningFactor * std::pow(visits + 1, kWideningExponent)));
        std::vector<std::pair<double, std::uint32_t>> within;
        std::vector<std::uint32_t> beyond;
        for (std::uint32_t i = 0; i < choices.size(); ++i) {
            const Choice& choice = choices[i];
            if (choice.closed) continue;
            if (allowed == 0) {
                beyond.push_back(i);
                continue;
            }
            --allowed;
            const double bonus = exploration * choice.prior / (1.0 + choice.statistics.visits + choice.statistics.pending);
            within.push_back({value_of(choice.statistics, untried(i)) + bonus, i});
        }
        std::stable_sort(within.begin(), within.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<std::uint32_t> order;
        for (const auto& [score, index] : within) order.push_back(index);
        order.insert(order.end(), beyond.begin(), beyond.end());
        return order;
    }

    // Kinds in the order of their best action, whose prior is theirs. Priors of kinds sum to 1, and so do those of a kind's
    // actions.
    void expand(Node& node) {
        node.expanded = true;
        if (node.depth >= explorer_->max_depth()) return;
        for (Action& action : explorer_->actions(node.state)) {
            const std::string& name = action.kind.empty() ? action.name : action.kind;
            auto kind = std::find_if(node.kinds.begin(), node.kinds.end(), [&](const Kind& known) { return known.name == name; });
            if (kind == node.kinds.end()) {
                kind = node.kinds.emplace(node.kinds.end());
                kind->name = name;
            }
            Edge edge;
            edge.prior = action.prior;
            edge.action = std::move(action);
            kind->prior = std::max(kind->prior, edge.prior);
            kind->edges.push_back(std::move(edge));
        }
        normalize(node.kinds);
        for (Kind& kind : node.kinds) normalize(kind.edges);
    }

    // The best open place at or below a node. nullopt: all that is left there waits for results or is closed.
    std::optional<Trial> select_below(std::uint32_t index) {
        if (!nodes_[index].arrived) return std::nullopt;
        if (!nodes_[index].expanded) expand(nodes_[index]);
        const double reward = nodes_[index].reward;
        const auto gained = [&](std::uint32_t kind) { return reward + expected_gain(nodes_[index].kinds[kind].name); };
        for (const std::uint32_t kind : preferences(nodes_[index].kinds, gained)) {
            const Kind& chosen = nodes_[index].kinds[kind];
            const double untried = chosen.reached > 0 ? chosen.total_reached / chosen.reached : gained(kind);
            for (const std::uint32_t edge : preferences(nodes_[index].kinds[kind].edges, [&](std::uint32_t) { return untried; })) {
                if (std::optional<Trial> trial = select_edge(index, kind, edge)) return trial;
            }
        }
        return std::nullopt;
    }

    std::optional<Trial> select_edge(std::uint32_t index, std::uint32_t kind_index, std::uint32_t edge_index) {
        const std::uint32_t child = nodes_[index].kinds[kind_index].edges[edge_index].child;
        std::optional<Trial> trial = child == kNoNode ? open(index, kind_index, edge_index) : select_below(child);
        Kind& kind = nodes_[index].kinds[kind_index];
        Edge& edge = kind.edges[edge_index];
        if (trial) {
            ++edge.statistics.pending;
            ++kind.statistics.pending;
            return trial;
        }
        edge.closed = edge.child == kNoNode || (nodes_[edge.child].expanded && all_closed(nodes_[edge.child].kinds));
        kind.closed = all_closed(kind.edges);
        return std::nullopt;
    }

    std::optional<Trial> open(std::uint32_t index, std::uint32_t kind_index, std::uint32_t edge_index) {
        Edge& edge = nodes_[index].kinds[kind_index].edges[edge_index];
        const auto child = static_cast<std::uint32_t>(nodes_.size());
        std::optional<Trial> trial = explorer_->try_action(nodes_[index].state, edge.action, child);
        if (!trial) return std::nullopt;
        edge.child = child;
        Node node;
        node.state = trial->state;
        node.parent = index;
        node.parent_kind = kind_index;
        node.parent_edge = edge_index;
        node.depth = nodes_[index].depth + 1;
        nodes_.push_back(std::move(node));
        return trial;
    }

    Explorer* explorer_ = nullptr;
    std::vector<Node> nodes_;
    std::map<std::string, Gain> gains_;  // by kind, over the whole tree
    double lowest_ = 0;                  // of the rewards of accepted states
    double highest_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_mcts() { return std::make_unique<Mcts>(); }

}  // namespace optiml::search
