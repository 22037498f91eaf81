#pragma once
// What all search algorithms share: the window of evaluations in flight, the budget, transpositions, the best state and the events.
// An algorithm is a Strategy: it says what to try next and learns from each result.

#include <deque>
#include <future>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "search/search.h"

namespace optiml::search {

// A successor that is to be evaluated. token is the strategy's own name for it.
struct Trial {
    StateId state = 0;
    StateId parent = 0;
    std::string action;
    std::uint64_t token = 0;
};

enum class Verdict : std::uint8_t {
    accepted,    // a new valid state
    rejected,    // not valid
    transposed,  // the same as a state evaluated before
};

struct TrialResult {
    Trial trial;
    Score score;
    Verdict verdict = Verdict::accepted;
};

// The problem with a memory: which states have been handed out before.
class Explorer {
public:
    Explorer(Problem& problem, const Options& options) : problem_(problem), options_(options) {}
    // The state's actions with priors that sum to 1, the most promising first. Priors are varied by up to a tenth and ties broken by
    // the seed, so that different seeds explore differently.
    std::vector<Action> actions(StateId state);
    // The successor, if it is possible and was not seen before. Depth counts from the root (0).
    std::optional<Trial> try_action(StateId state, const Action& action, std::uint64_t token);
    std::uint32_t max_depth() const { return options_.max_depth; }
    std::uint64_t seed() const { return options_.seed; }
    std::uint64_t repeated() const { return repeated_; }

private:
    Problem& problem_;
    const Options& options_;
    std::vector<bool> seen_ = {true};  // by state id; the root is known
    std::uint64_t repeated_ = 0;       // actions that led to a state seen before
};

class Strategy {
public:
    virtual ~Strategy() = default;
    virtual void begin(Explorer& explorer, const Score& root) = 0;
    // nullopt: nothing to try before another result has arrived, or ever.
    virtual std::optional<Trial> next() = 0;
    virtual void learn(const TrialResult& result) = 0;
};

Outcome drive(Strategy& strategy, Problem& problem, const StopRule& stop, const Options& options);

std::unique_ptr<Strategy> make_mcts();
std::unique_ptr<Strategy> make_beam();
std::unique_ptr<Strategy> make_greedy();
std::unique_ptr<Strategy> make_random();

}  // namespace optiml::search
