#pragma once
// Search over edits. Knows neither CUDA nor models: a Problem names states, offers actions with priors and evaluates states.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace optiml::search {

using StateId = std::uint32_t;

struct Action {
    std::string name;          // stable: the same action in the same state has the same name in every run
    double prior = 1;          // unnormalised, > 0
};

struct Score {
    double reward = 0;         // log scale; 0: as good as the original
    bool valid = false;        // false: rejected (a dead end for improvement; never expanded)
    std::string key;           // transposition key: states with equal keys are one (normalised PTX + plan)
    bool improved = false;     // counts as an improvement over the original
    double value = 0;          // what is maximised in the end, e.g. log speed-up without proxies
};

// The world as the search sees it. State 0 is the root (the original). Calls come from several threads at once.
class Problem {
public:
    virtual ~Problem() = default;
    // Deterministic for a state; called once a state.
    virtual std::vector<Action> actions(StateId state) = 0;
    // Makes the successor (cheap; no evaluation). nullopt: the action turned out impossible.
    virtual std::optional<StateId> apply(StateId state, const Action& action) = 0;
    // Evaluates (expensive, counted against the budget unless the problem answers from its cache: see `was_cached`).
    virtual Score evaluate(StateId state, bool& was_cached) = 0;
};

// Stop rules compose: any_of.
struct Progress {
    std::uint64_t evaluations = 0;
    double seconds = 0;
    std::uint64_t evaluations_since_improvement = 0;
    double best_value = 0;
};
class StopRule {
public:
    virtual ~StopRule() = default;
    virtual bool stop(const Progress& progress) const = 0;
    virtual std::string name() const = 0;
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
    std::uint32_t parallel = 1;            // evaluations at once (virtual loss)
    std::function<void(const Event&)> on_event;
    std::function<bool()> interrupted;     // polled; true ends the search cleanly
    const Clock* clock = nullptr;
};

struct Outcome {
    StateId best = 0;                      // by Score::value among valid states; the root if nothing better
    Score best_score;
    std::vector<StateId> path;             // root .. best
    std::vector<std::string> actions;      // between them
    Progress progress;
    std::string stopped_by;
};

class Search {
public:
    virtual ~Search() = default;
    virtual std::string name() const = 0;
    virtual Outcome run(Problem& problem, const StopRule& stop, const Options& options) = 0;
};

std::unique_ptr<Search> make_search(std::string_view name);  // "mcts", "greedy", "random"; nullptr: unknown

}  // namespace optiml::search
