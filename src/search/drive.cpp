#include "search/drive.h"

#include <algorithm>

#include "base/hash.h"
#include "base/random.h"

namespace optiml::search {
namespace {

struct Arrival {
    StateId parent = 0;
    std::string action;
};

// One run: keeps the window full, applies results in the order of their start.
class Driver {
public:
    Driver(Strategy& strategy, Problem& problem, const StopRule& stop, const Options& options)
        : strategy_(strategy), problem_(problem), stop_(stop), options_(options), explorer_(problem, options),
          clock_(options.clock != nullptr ? *options.clock : steady_clock_), began_(clock_.now()) {}

    Outcome run() {
        best_score_ = problem_.evaluate(0);
        progress_.best_value = best_score_.value;
        if (!best_score_.valid) return finish("the root is not valid");
        remember_key(best_score_);
        strategy_.begin(explorer_, best_score_);
        while (true) {
            fill_window();
            if (in_flight_.empty()) break;
            apply_oldest();
        }
        return finish(stopped_by_.value_or("exhausted"));
    }

private:
    struct InFlight {
        Trial trial;
        std::future<Score> score;
    };

    void fill_window() {
        while (in_flight_.size() < std::max(1u, options_.parallel)) {
            stopped_by_ = reason_to_stop();
            if (stopped_by_) return;
            std::optional<Trial> trial = strategy_.next();
            if (!trial) return;
            arrivals_[trial->state] = {trial->parent, trial->action};
            const auto policy = options_.parallel > 1 ? std::launch::async : std::launch::deferred;
            auto score = std::async(policy, [this, state = trial->state] { return problem_.evaluate(state); });
            in_flight_.push_back({std::move(*trial), std::move(score)});
        }
    }

    // As if all that is in flight had arrived without an improvement: the budget is never exceeded.
    std::optional<std::string> reason_to_stop() {
        if (options_.interrupted && options_.interrupted()) return "interrupted";
        Progress expected = progress();
        expected.evaluations += in_flight_.size();
        expected.evaluations_since_improvement += in_flight_.size();
        return stop_.reason_to_stop(expected);
    }

    void apply_oldest() {
        TrialResult result{std::move(in_flight_.front().trial), in_flight_.front().score.get(), Verdict::accepted};
        in_flight_.pop_front();
        result.verdict = verdict_of(result.score);
        count(result.verdict);
        const bool improved = result.verdict == Verdict::accepted && result.score.value > best_score_.value;
        if (improved) {
            best_ = result.trial.state;
            best_score_ = result.score;
            progress_.best_value = result.score.value;
            progress_.evaluations_since_improvement = 0;
        }
        strategy_.learn(result);
        report(event_kind(result.verdict, improved), result);
    }

    Verdict verdict_of(const Score& score) {
        if (!score.valid) return Verdict::rejected;
        return remember_key(score) ? Verdict::accepted : Verdict::transposed;
    }

    // False: a state with this key is known.
    bool remember_key(const Score& score) { return score.key.empty() || keys_.insert(score.key).second; }

    void count(Verdict verdict) {
        if (verdict == Verdict::transposed) {
            ++transpositions_by_key_;
            return;
        }
        ++progress_.evaluations;
        ++progress_.evaluations_since_improvement;
        if (verdict == Verdict::rejected) ++progress_.pruned;
    }

    static Event::Kind event_kind(Verdict verdict, bool improved) {
        if (verdict == Verdict::rejected) return Event::Kind::pruned;
        if (verdict == Verdict::transposed) return Event::Kind::transposed;
        return improved ? Event::Kind::improved : Event::Kind::evaluated;
    }

    Progress progress() const {
        Progress progress = progress_;
        progress.seconds = clock_.now() - began_;
        progress.transpositions = transpositions_by_key_ + explorer_.repeated();
        return progress;
    }

    void report(Event::Kind kind, const TrialResult& result) {
        if (!options_.on_event) return;
        options_.on_event({kind, result.trial.state, result.trial.parent, result.trial.action, result.score, progress()});
    }

    Outcome finish(std::string stopped_by) {
        Outcome outcome{best_, best_score_, {best_}, {}, progress(), std::move(stopped_by)};
        for (StateId state = best_; state != 0; state = arrivals_.at(state).parent) {
            outcome.path.push_back(arrivals_.at(state).parent);
            outcome.actions.push_back(arrivals_.at(state).action);
        }
        std::reverse(outcome.path.begin(), outcome.path.end());
        std::reverse(outcome.actions.begin(), outcome.actions.end());
        if (options_.on_event) options_.on_event({Event::Kind::finished, best_, 0, {}, best_score_, outcome.progress});
        return outcome;
    }

    Strategy& strategy_;
    Problem& problem_;
    const StopRule& stop_;
    const Options& options_;
    Explorer explorer_;
    const SteadyClock steady_clock_;
    const Clock& clock_;
    double began_;
    std::deque<InFlight> in_flight_;
    std::unordered_map<StateId, Arrival> arrivals_;
    std::set<std::string> keys_;
    StateId best_ = 0;
    Score best_score_;
    Progress progress_;
    std::uint64_t transpositions_by_key_ = 0;
    std::optional<std::string> stopped_by_;
};

}  // namespace

std::vector<Action> Explorer::actions(StateId state) {
    std::vector<Action> actions = problem_.actions(state);
    double total = 0;
    for (Action& action : actions) {
        action.prior *= 0.9 + 0.2 * random_unit(options_.seed, digest_of(action.name).low + state);
        total += action.prior;
    }
    for (Action& action : actions) action.prior /= total;
    std::stable_sort(actions.begin(), actions.end(), [](const Action& a, const Action& b) { return a.prior > b.prior; });
    return actions;
}

std::optional<Trial> Explorer::try_action(StateId state, const Action& action, std::uint64_t token) {
    const std::optional<StateId> successor = problem_.apply(state, action);
    if (!successor) return std::nullopt;
    if (*successor < seen_.size() && seen_[*successor]) {
        ++repeated_;
        return std::nullopt;
    }
    if (*successor >= seen_.size()) seen_.resize(*successor + 1);
    seen_[*successor] = true;
    return Trial{*successor, state, action.name, token};
}

Outcome drive(Strategy& strategy, Problem& problem, const StopRule& stop, const Options& options) {
    return Driver(strategy, problem, stop, options).run();
}

}  // namespace optiml::search
