#pragma once
// Search over edits. Knows neither CUDA nor models: a Problem names states, offers actions with priors and evaluates states.
//
// Every algorithm keeps a window of Options::parallel evaluations in flight, starts them in an order that follows from the seed and
// from the results applied so far, and applies results in the order in which they were started. A slow evaluation therefore never
// changes what is tried: for a given seed and window the search is the same whatever the timing (stop rules over seconds aside).

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace optiml::search {

using StateId = std::uint32_t;

struct Action {
    std::string name;          // stable: the same action in the same state has the same name in every run
    double prior = 1;          // unnormalised, > 0
    std::string kind;          // actions of one kind are expected to behave alike; empty: a kind of its own
};

struct Score {
    double reward = 0;         // log scale; 0: as good as the original
    bool valid = false;        // false: rejected (a dead end: never expanded)
    std::string key;           // transposition key: valid states with equal keys are one; empty: compares equal to none
    double value = 0;          // what is maximised in the end, e.g. log speed-up without proxies; above the root's: an improvement
};

// The world as the search sees it. State 0 is the root (the original).
class Problem {
public:
    virtual ~Problem() = default;
    // Deterministic for a state; called at most once a state, and only for valid ones.
    virtual std::vector<Action> actions(StateId state) = 0;
    // Makes the successor (cheap; no evaluation). Equal successors may have one id. nullopt: the action turned out impossible.
    virtual std::optional<StateId> apply(StateId state, const Action& action) = 0;
    // Expensive. The only call that comes from several threads, at most once a state, also while actions and apply run.
    virtual Score evaluate(StateId state) = 0;
};

struct Progress {
    std::uint64_t evaluations = 0;     // successors evaluated; the root and transpositions are not counted
    double seconds = 0;
    std::uint64_t evaluations_since_improvement = 0;
    std::uint64_t transpositions = 0;  // successors that turned out to be a known state
    std::uint64_t pruned = 0;          // successors that were rejected
    double best_value = 0;
};

// Stop rules compose: any_of.
class StopRule {
public:
    virtual ~StopRule() = default;
    // Why to stop now, in words ("200 evaluations"); nullopt: go on.
    virtual std::optional<std::string> reason_to_stop(const Progress& progress) const = 0;
};
std::unique_ptr<StopRule> after_evaluations(std::uint64_t count);
std::unique_ptr<StopRule> after_seconds(double seconds);
std::unique_ptr<StopRule> without_improvement(std::uint64_t evaluations);
std::unique_ptr<StopRule> any_of(std::vector<std::unique_ptr<StopRule>> rules);

struct Event {
    enum class Kind : std::uint8_t { evaluated, improved, pruned, transposed, finished } kind = Kind::evaluated;
    StateId state = 0;
    StateId parent = 0;
    std::string action;
    Score score;
    Progress progress;
};

struct Options {
    std::uint64_t seed = 1;
    std::uint32_t parallel = 1;            // evaluations in flight, each on a thread of its own (1: on the caller's)
    std::uint32_t max_depth = 8;           // edits between the root and a state
    std::function<void(const Event&)> on_event;  // on the caller's thread
    std::function<bool()> interrupted;     // polled; true ends the search once what is in flight has arrived
    const Clock* clock = nullptr;          // nullptr: the steady clock
};

struct Outcome {
    StateId best = 0;                      // by Score::value among valid states; the root if nothing is better
    Score best_score;
    std::vector<StateId> path;             // root .. best
    std::vector<std::string> actions;      // between them
    Progress progress;
    std::string stopped_by;                // a stop rule's reason, "interrupted", "exhausted" or "the root is not valid"
};

class Search {
public:
    virtual ~Search() = default;
    virtual std::string name() const = 0;
    virtual Outcome run(Problem& problem, const StopRule& stop, const Options& options) = 0;
};

// "mcts", "beam", "greedy", "random"; nullptr: unknown.
std::unique_ptr<Search> make_search(std::string_view name);

}  // namespace optiml::search
