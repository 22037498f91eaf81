#include "search/search.h"

#include <atomic>
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"

namespace optiml::search {
namespace {

// Subsets of `count` switches. The value of a subset is the test's; each action turns one more switch on.
class Switches : public Problem {
public:
    using Value = std::function<std::optional<double>(std::uint32_t subset)>;  // nullopt: rejected
    Switches(std::uint32_t count, Value value) : count_(count), value_(std::move(value)), subsets_{0}, ids_{{0, 0}} {}

    std::vector<Action> actions(StateId state) override {
        std::vector<Action> actions;
        for (std::uint32_t i = 0; i < count_; ++i) {
            if ((subset(state) >> i & 1) == 0) actions.push_back({"switch " + std::to_string(i), priors.empty() ? 1 : priors[i], kind_of ? kind_of(i) : ""});
        }
        expanded.push_back(subset(state));
        return actions;
    }

    std::optional<StateId> apply(StateId state, const Action& action) override {
        const std::lock_guard lock(mutex_);
        const auto number = static_cast<std::uint32_t>(std::stoul(action.name.substr(7)));
        const std::uint32_t successor = subsets_[state] | 1u << number;
        if (merges_states) {
            if (const auto known = ids_.find(successor); known != ids_.end()) return known->second;
        }
        const auto id = static_cast<StateId>(subsets_.size());
        subsets_.push_back(successor);
        ids_[successor] = id;
        return id;
    }

    Score evaluate(StateId state) override {
        if (delay) std::this_thread::sleep_for(std::chrono::microseconds(delay(state)));
        ++evaluations;
        const std::optional<double> value = value_(subset(state));
        if (!value) return {};
        return {*value, true, "subset " + std::to_string(subset(state)), *value};
    }

    std::uint32_t subset(StateId state) {
        const std::lock_guard lock(mutex_);
        return subsets_[state];
    }

    bool merges_states = true;  // equal subsets get one id; else only Score::key tells
    std::vector<double> priors;
    std::function<std::string(std::uint32_t)> kind_of;
    std::function<int(StateId)> delay;
    std::atomic<int> evaluations = 0;
    std::vector<std::uint32_t> expanded;

private:
    std::uint32_t count_;
    Value value_;
    std::mutex mutex_;
    std::vector<std::uint32_t> subsets_;
    std::map<std::uint32_t, StateId> ids_;
};

double bits(std::uint32_t subset) { return static_cast<double>(__builtin_popcount(subset)); }

// Switches 0..6 gain a little each; 7 loses until 8 and 9 are on too, which then beat all the rest: greedy never turns 7 on.
std::optional<double> deceptive(std::uint32_t subset) {
    if ((subset >> 7 & 7) == 7) return 10;
    return 0.1 * bits(subset & 0x7f) - 0.3 * bits(subset >> 7);
}

Outcome run(std::string_view name, Problem& problem, std::uint64_t budget, Options options = {}) {
    return make_search(name)->run(problem, *after_evaluations(budget), options);
}

class EverySearch : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EverySearch, testing::Values("mcts", "beam", "greedy", "random"));

TEST_P(EverySearch, HasItsName) { EXPECT_EQ(make_search(GetParam())->name(), GetParam()); }

TEST_P(EverySearch, FindsTheOptimumOfASmallSpaceAndItsPath) {
    Switches problem(5, [](std::uint32_t subset) { return bits(subset & 0b10110) - bits(subset & 0b01001); });
    const Outcome outcome = run(GetParam(), problem, 1000);
    EXPECT_EQ(outcome.best_score.value, 3);
    EXPECT_EQ(problem.subset(outcome.best), 0b10110u);
    ASSERT_EQ(outcome.path.size(), 4u);
    EXPECT_EQ(outcome.path.front(), 0u);
    EXPECT_EQ(outcome.path.back(), outcome.best);
    EXPECT_EQ(std::set<std::string>(outcome.actions.begin(), outcome.actions.end()),
              (std::set<std::string>{"switch 1", "switch 2", "switch 4"}));
}

TEST_P(EverySearch, NeverExceedsItsBudgetAndUsesItUp) {
    for (const std::uint32_t parallel : {1u, 3u}) {
        Switches problem(12, [](std::uint32_t subset) { return bits(subset); });
        Options options;
        options.parallel = parallel;
        const Outcome outcome = run(GetParam(), problem, 37, options);
        EXPECT_EQ(outcome.progress.evaluations, 37u);
        EXPECT_EQ(problem.evaluations, 38);  // and the root
        EXPECT_EQ(outcome.stopped_by, "37 evaluations");
    }
}

TEST_P(EverySearch, IsTheSameForASeedWhateverTheTiming) {
    std::vector<std::string> traces;
    for (const int seed : {1, 2}) {
        Switches problem(10, [](std::uint32_t subset) { return std::sin(subset * 1.7); });
        problem.delay = [seed](StateId state) { return random_bits(seed, state) % 400; };
        std::string trace;
        Options options;
        options.parallel = 4;
        options.on_event = [&](const Event& event) { trace += std::to_string(problem.subset(event.state)) + " "; };
        run(GetParam(), problem, 60, options);
        traces.push_back(trace);
    }
    EXPECT_EQ(traces[0], traces[1]);
}

TEST_P(EverySearch, DiffersBySeed) {
    std::set<std::string> traces;
    for (const std::uint64_t seed : {1, 2, 3}) {
        Switches problem(10, [](std::uint32_t subset) { return std::sin(subset * 1.7); });
        std::string trace;
        Options options;
        options.seed = seed;
        options.on_event = [&](const Event& event) { trace += std::to_string(problem.subset(event.state)) + " "; };
        run(GetParam(), problem, 40, options);
        traces.insert(trace);
    }
    EXPECT_GT(traces.size(), 1u);
}

TEST_P(EverySearch, NeverExpandsADeadEnd) {
    Switches problem(6, [](std::uint32_t subset) -> std::optional<double> {
        if ((subset & 1) != 0) return std::nullopt;
        return bits(subset);
    });
    const Outcome outcome = run(GetParam(), problem, 1000);
    EXPECT_EQ(problem.subset(outcome.best), 0b111110u);
    EXPECT_GT(outcome.progress.pruned, 0u);
    for (const std::uint32_t subset : problem.expanded) EXPECT_EQ(subset & 1, 0u);
}

TEST_P(EverySearch, ATranspositionCostsNothingAndIsExpandedOnce) {
    Switches problem(6, [](std::uint32_t subset) { return bits(subset); });
    problem.merges_states = false;
    const Outcome outcome = run(GetParam(), problem, 1000);
    EXPECT_EQ(outcome.best_score.value, 6);
    EXPECT_LE(outcome.progress.evaluations, 63u);  // subsets but the root's
    EXPECT_EQ(std::set<std::uint32_t>(problem.expanded.begin(), problem.expanded.end()).size(), problem.expanded.size());
    if (GetParam() != std::string_view("greedy")) {  // which never comes back to a subset
        EXPECT_GT(outcome.progress.transpositions, 0u);
    }
}

TEST_P(EverySearch, EndsWhenNothingIsLeft) {
    Switches problem(3, [](std::uint32_t subset) { return bits(subset); });
    const Outcome outcome = run(GetParam(), problem, 1000);
    EXPECT_EQ(outcome.stopped_by, "exhausted");
    EXPECT_LE(outcome.progress.evaluations, 7u);
}

TEST_P(EverySearch, KeepsTheRootWhereNothingIsBetter) {
    Switches problem(4, [](std::uint32_t subset) { return -bits(subset); });
    const Outcome outcome = run(GetParam(), problem, 1000);
    EXPECT_EQ(outcome.best, 0u);
    EXPECT_EQ(outcome.path, std::vector<StateId>{0});
    EXPECT_TRUE(outcome.actions.empty());
}

TEST_P(EverySearch, StopsCleanlyWhenInterrupted) {
    Switches problem(12, [](std::uint32_t subset) { return bits(subset); });
    Options options;
    options.parallel = 2;
    std::uint64_t seen = 0;
    options.on_event = [&](const Event& event) { seen = event.progress.evaluations; };
    options.interrupted = [&] { return seen >= 5; };
    const Outcome outcome = run(GetParam(), problem, 1000, options);
    EXPECT_EQ(outcome.stopped_by, "interrupted");
    EXPECT_LE(outcome.progress.evaluations, 7u);  // what was in flight is kept
    EXPECT_EQ(problem.evaluations, static_cast<int>(outcome.progress.evaluations) + 1);
    EXPECT_GT(outcome.best_score.value, 0);
}

TEST_P(EverySearch, RespectsTheDepth) {
    Switches problem(6, [](std::uint32_t subset) { return bits(subset); });
    Options options;
    options.max_depth = 2;
    EXPECT_EQ(run(GetParam(), problem, 1000, options).best_score.value, 2);
}

TEST_P(EverySearch, DoesNothingWithAnInvalidRoot) {
    Switches problem(3, [](std::uint32_t) { return std::nullopt; });
    const Outcome outcome = run(GetParam(), problem, 10);
    EXPECT_EQ(outcome.stopped_by, "the root is not valid");
    EXPECT_EQ(problem.evaluations, 1);
}

TEST(Search, UnknownNamesGiveNothing) { EXPECT_EQ(make_search("astar"), nullptr); }

TEST(Mcts, FindsWhatGreedyMissesBehindALoss) {
    Switches greedy_problem(10, deceptive);
    EXPECT_LT(run("greedy", greedy_problem, 400).best_score.value, 1);
    for (const std::uint64_t seed : {1, 2, 3}) {
        Switches problem(10, deceptive);
        Options options;
        options.seed = seed;
        EXPECT_EQ(run("mcts", problem, 400, options).best_score.value, 10) << "seed " << seed;
    }
}

TEST(Mcts, FollowsPriorsWhereTheyAreRight) {
    // The optimum is the chain of the last four of 16 switches, which pay off only all together.
    const auto value = [](std::uint32_t subset) { return (subset & 0xf000) == 0xf000 ? 5.0 : 0.0; };
    const auto evaluations_until_found = [&](double prior) {
        Switches problem(16, value);
        problem.priors.assign(16, 1);
        for (int i = 12; i < 16; ++i) problem.priors[i] = prior;
        std::uint64_t found = 0;
        Options options;
        options.on_event = [&](const Event& event) {
            if (event.kind == Event::Kind::improved) found = event.progress.evaluations;
        };
        run("mcts", problem, 3000, options);
        return found;
    };
    const std::uint64_t guided = evaluations_until_found(20);
    EXPECT_GT(guided, 0u);
    EXPECT_LT(guided, 100u);
}

TEST(Mcts, ManyActionsOfOneKindCountAsOneIdea) {
    // Twenty useless switches of one kind, and one of another that pays: it is among the first few tried.
    Switches problem(21, [](std::uint32_t subset) { return (subset & 1) != 0 ? 1.0 : 0.0; });
    problem.kind_of = [](std::uint32_t number) { return number == 0 ? "useful" : "useless"; };
    problem.priors.assign(21, 1);
    problem.priors[0] = 0.2;
    EXPECT_EQ(run("mcts", problem, 12).best_score.value, 1);
}

TEST(Mcts, AKindThatLosesIsSoonLeftAlone) {
    // Each even switch gains, each odd one loses, and odd ones have the higher prior.
    Switches problem(16, [](std::uint32_t subset) { return bits(subset & 0x5555) - bits(subset & 0xaaaa); });
    problem.kind_of = [](std::uint32_t number) { return number % 2 == 0 ? "even" : "odd"; };
    for (int i = 0; i < 16; ++i) problem.priors.push_back(i % 2 == 0 ? 1 : 1.5);
    int odd = 0;
    Options options;
    options.on_event = [&](const Event& event) {
        if (event.kind != Event::Kind::finished) odd += static_cast<int>(std::stoul(event.action.substr(7)) % 2);
    };
    run("mcts", problem, 12, options);
    EXPECT_LE(odd, 2);
    EXPECT_GE(odd, 1);
}

TEST(Mcts, TriesTheSiblingsOfAChoiceThatPays) {
    // Of eight switches of one kind each pays alone, the last twice as much, and two together do not; ten others add a little each.
    Switches problem(18, [](std::uint32_t subset) {
        const std::uint32_t tiles = subset & 0xff;
        return (bits(tiles) == 1 ? tiles == 1u << 7 ? 2.0 : 1.0 : 0.0) + 0.01 * bits(subset >> 8);
    });
    problem.kind_of = [](std::uint32_t number) { return number < 8 ? "tile" : "other " + std::to_string(number); };
    problem.priors.assign(18, 1);
    for (int i = 0; i < 8; ++i) problem.priors[i] = 2 - 0.2 * i;
    EXPECT_GE(run("mcts", problem, 40).best_score.value, 2);
}

TEST(Mcts, WindowSpreadsOverTheTree) {
    // With virtual loss, four evaluations in flight belong to different actions of the root.
    Switches problem(8, [](std::uint32_t subset) { return bits(subset); });
    Options options;
    options.parallel = 4;
    std::set<std::string> first;
    options.on_event = [&](const Event& event) {
        if (event.kind != Event::Kind::finished && first.size() < 4) first.insert(event.action);
    };
    run("mcts", problem, 4, options);
    EXPECT_EQ(first.size(), 4u);
}

// One number for the whole behaviour: it changes with any change of what is tried, in which order. Change it on purpose only.
TEST(Mcts, Signature) {
    Hasher hasher;
    for (const std::uint64_t seed : {1, 2, 3, 4}) {
        Switches problem(11, [](std::uint32_t subset) -> std::optional<double> {
            if (subset % 13 == 5) return std::nullopt;
            return bits(subset & 0x155) - 0.5 * bits(subset & 0x2aa) + static_cast<double>(subset * 2654435761u % 1024) / 1024;
        });
        Options options;
        options.seed = seed;
        options.parallel = static_cast<std::uint32_t>(seed);
        options.on_event = [&](const Event& event) { hasher.add(problem.subset(event.state)); };
        run("mcts", problem, 150, options);
    }
    EXPECT_EQ(hasher.finish().hex(), "4a655ed5cb8321c508cca40c53cbef6c");
}

struct StopCase {
    Progress progress;
    std::optional<std::string> reason;
};

TEST(StopRules, ComposeAndSayWhy) {
    std::vector<std::unique_ptr<StopRule>> rules;
    rules.push_back(after_evaluations(100));
    rules.push_back(after_seconds(60));
    rules.push_back(without_improvement(40));
    const auto rule = any_of(std::move(rules));
    const StopCase cases[] = {
        {{99, 59.9, 39}, std::nullopt},
        {{100, 0, 0}, "100 evaluations"},
        {{0, 60, 0}, "60 s"},
        {{50, 1, 40}, "40 evaluations without improvement"},
    };
    for (const StopCase& expected : cases) EXPECT_EQ(rule->reason_to_stop(expected.progress), expected.reason);
}

TEST(StopRules, SecondsAreReadFromTheClock) {
    FakeClock clock;
    Switches problem(10, [](std::uint32_t subset) { return bits(subset); });
    Options options;
    options.clock = &clock;
    options.on_event = [&](const Event&) { clock.advance(1); };
    const Outcome outcome = make_search("mcts")->run(problem, *after_seconds(7), options);
    EXPECT_EQ(outcome.progress.evaluations, 7u);
}

}  // namespace
}  // namespace optiml::search
