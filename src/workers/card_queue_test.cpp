#include "workers/card_queue.h"

#include <atomic>
#include <map>
#include <set>
#include <thread>

#include <gtest/gtest.h>

namespace optiml::workers {
namespace {

using evaluation::Evaluation;
using evaluation::FindingKind;
using Kind = CardReply::Kind;

// Cards whose replies a test decides, and which can be held up.
class ScriptedCards {
public:
    CardQueue::Hand hand() {
        return [this](std::size_t card, const std::vector<const std::string*>& candidates) {
            std::unique_lock lock(mutex_);
            std::vector<std::string>& names = handed_.emplace_back();
            for (const std::string* candidate : candidates) names.push_back(*candidate);
            cards_.push_back(card);
            changed_.notify_all();
            changed_.wait(lock, [this] { return !held_; });
            std::vector<CardReply> replies;
            for (const std::string* candidate : candidates) replies.push_back(reply(*candidate, candidates.size(), card));
            return replies;
        };
    }
    // The next replies for this candidate; when they run out it is done.
    void script(const std::string& candidate, std::vector<Kind> kinds) { scripts_[candidate] = {kinds.begin(), kinds.end()}; }
    void hold() {
        const std::lock_guard lock(mutex_);
        held_ = true;
    }
    void let_go() {
        const std::lock_guard lock(mutex_);
        held_ = false;
        changed_.notify_all();
    }
    void wait_for_hands(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return handed_.size() >= count; });
    }
    std::vector<std::vector<std::string>> handed() {
        const std::lock_guard lock(mutex_);
        return handed_;
    }
    std::size_t cards_used() {
        const std::lock_guard lock(mutex_);
        return std::set<std::size_t>(cards_.begin(), cards_.end()).size();
    }

    std::string fails_with_others;  // a candidate that makes all that come with it fail
    std::size_t gone_card = 99;

private:
    CardReply reply(const std::string& candidate, std::size_t together, std::size_t card) {
        CardReply made;
        made.evaluation.accepted = true;
        if (card == gone_card) made.kind = Kind::no_card;
        if (!fails_with_others.empty() && together > 1) made.kind = Kind::alone;
        std::deque<Kind>& script = scripts_[candidate];
        if (!script.empty()) {
            made.kind = script.front();
            script.pop_front();
        }
        if (made.kind != Kind::done) made.evaluation.accepted = false;
        return made;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    bool held_ = false;
    std::vector<std::vector<std::string>> handed_;
    std::vector<std::size_t> cards_;
    std::map<std::string, std::deque<Kind>> scripts_;
};

// Candidates "a", "b", ... by threads of their own, in this order.
class Askers {
public:
    explicit Askers(CardQueue& queue) : queue_(queue) {}
    void ask(const std::string& candidate) {
        threads_.emplace_back([this, candidate] {
            const Evaluation evaluation = queue_.evaluate(candidate);
            const std::lock_guard lock(mutex_);
            evaluations_[candidate] = evaluation;
        });
        // The next one must come after it.
        ++asked_;
        while (queue_.waiting() < asked_) std::this_thread::yield();
    }
    std::map<std::string, Evaluation> all() {
        for (std::thread& thread : threads_) thread.join();
        return evaluations_;
    }

private:
    CardQueue& queue_;
    std::size_t asked_ = 0;
    std::mutex mutex_;
    std::vector<std::thread> threads_;
    std::map<std::string, Evaluation> evaluations_;
};

using Handed = std::vector<std::vector<std::string>>;

// "first" holds the card up while the others come.
std::map<std::string, Evaluation> behind_the_first(ScriptedCards& cards, CardQueue& queue, const std::vector<std::string>& others) {
    cards.hold();
    std::thread first([&] { (void)queue.evaluate("first"); });
    cards.wait_for_hands(1);
    Askers askers(queue);
    for (const std::string& other : others) askers.ask(other);
    cards.let_go();
    first.join();
    return askers.all();
}

TEST(CardQueue, NobodyWaitsForOthersToCome) {
    ScriptedCards cards;
    CardQueue queue(1, 8, cards.hand());
    const Evaluation evaluation = queue.evaluate("a");
    EXPECT_TRUE(evaluation.accepted);
    EXPECT_EQ(evaluation.stage_seconds.count("queue_device"), 1u);
    EXPECT_EQ(evaluation.stage_seconds.count("device"), 1u);
    EXPECT_EQ(cards.handed(), (Handed{{"a"}}));
}

TEST(CardQueue, WhatWaitsGoesTogetherUpToTheLimit) {
    ScriptedCards cards;
    CardQueue queue(1, 3, cards.hand());
    const auto evaluations = behind_the_first(cards, queue, {"a", "b", "c", "d"});
    EXPECT_EQ(cards.handed(), (Handed{{"first"}, {"a", "b", "c"}, {"d"}}));
    EXPECT_EQ(evaluations.size(), 4u);
    for (const auto& [name, evaluation] : evaluations) EXPECT_TRUE(evaluation.accepted) << name;
}

TEST(CardQueue, WhatWaitsIsSpreadOverTheFreeCards) {
    ScriptedCards cards;
    CardQueue queue(2, 8, cards.hand());
    cards.hold();
    Askers askers(queue);
    std::thread one([&] { (void)queue.evaluate("one"); }), two([&] { (void)queue.evaluate("two"); });
    cards.wait_for_hands(2);
    for (const char* name : {"a", "b", "c", "d"}) askers.ask(name);
    EXPECT_EQ(cards.cards_used(), 2u) << "both were free for the first two";
    cards.let_go();
    one.join(), two.join();
    EXPECT_EQ(askers.all().size(), 4u);
}

TEST(CardQueue, ThoseThatAnotherKeptFromTheirTurnComeFirst) {
    ScriptedCards cards;
    cards.script("a", {Kind::again});
    cards.script("c", {Kind::again});
    CardQueue queue(1, 3, cards.hand());
    const auto evaluations = behind_the_first(cards, queue, {"a", "b", "c", "d"});
    EXPECT_EQ(cards.handed(), (Handed{{"first"}, {"a", "b", "c"}, {"a", "c", "d"}}));
    EXPECT_TRUE(evaluations.at("a").accepted);
}

TEST(CardQueue, WhatFailsTogetherIsRepeatedOneByOne) {
    ScriptedCards cards;
    cards.fails_with_others = "any";
    cards.script("b", {Kind::alone, Kind::alone});  // together, and by itself
    CardQueue queue(1, 3, cards.hand());
    const auto evaluations = behind_the_first(cards, queue, {"a", "b", "c"});
    EXPECT_EQ(cards.handed(), (Handed{{"first"}, {"a", "b", "c"}, {"a"}, {"b"}, {"c"}}));
    EXPECT_TRUE(evaluations.at("a").accepted);
    EXPECT_FALSE(evaluations.at("b").accepted);
    EXPECT_TRUE(evaluations.at("c").accepted);
}

TEST(CardQueue, ACardThatIsGoneIsLeftOut) {
    ScriptedCards cards;
    cards.gone_card = 0;
    CardQueue queue(2, 8, cards.hand());
    EXPECT_TRUE(queue.evaluate("a").accepted) << "the other card took it";
    EXPECT_TRUE(queue.evaluate("b").accepted);
    EXPECT_EQ(cards.handed().size(), 3u);
    ScriptedCards none;
    none.gone_card = 0;
    CardQueue only(1, 8, none.hand());
    EXPECT_FALSE(only.evaluate("a").accepted) << "there is no other";
}

TEST(CardQueue, AnEndlesslyBusyCardIsGivenUp) {
    ScriptedCards cards;
    cards.script("a", std::vector<Kind>(1000, Kind::again));
    CardQueue queue(1, 8, cards.hand());
    const Evaluation evaluation = queue.evaluate("a");
    EXPECT_TRUE(evaluation.is_inconclusive);
    ASSERT_EQ(evaluation.findings.size(), 1u);
    EXPECT_EQ(evaluation.findings.front().kind, FindingKind::launch);
}

TEST(CardQueue, ManyAskersAllGetTheirOwn) {
    CardQueue queue(3, 4, [](std::size_t, const std::vector<const std::string*>& candidates) {
        std::vector<CardReply> replies(candidates.size());
        for (std::size_t i = 0; i < candidates.size(); ++i) replies[i].evaluation.no_counters_because = *candidates[i];
        return replies;
    });
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 16; ++thread) {
        threads.emplace_back([&, thread] {
            for (int i = 0; i < 100; ++i) {
                const std::string name = std::to_string(thread) + "/" + std::to_string(i);
                right += queue.evaluate(name).no_counters_because == name;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(right, 1600);
}

}  // namespace
}  // namespace optiml::workers
