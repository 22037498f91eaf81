#include <gtest/gtest.h>

#include "evaluation/cached.h"
#include "evaluation/recorded.h"

namespace optiml::evaluation {
namespace {

// Counts its calls; a candidate's time is the length of its source.
class CountingEvaluator final : public Evaluator {
public:
    Evaluation evaluate(const task::Candidate& candidate) override {
        ++calls;
        Evaluation evaluation;
        evaluation.accepted = true;
        evaluation.timing = Timing{Source::modelled, "test", static_cast<double>(candidate.source.size())};
        return evaluation;
    }
    std::string identity() const override { return name; }
    int calls = 0;
    std::string name = "counting 1";
};

class MemoryCache final : public EvaluationCache {
public:
    std::optional<std::string> find(const Digest& key) override {
        const auto found = entries.find(key);
        return found == entries.end() ? std::nullopt : std::optional(found->second);
    }
    void keep(const Digest& key, std::string_view json) override { entries[key] = json; }
    std::map<Digest, std::string> entries;
};

task::Candidate candidate_of(std::string source) {
    task::Candidate candidate;
    candidate.source = std::move(source);
    return candidate;
}

TEST(CachedEvaluator, EvaluatesNothingTwice) {
    CountingEvaluator inner;
    MemoryCache cache;
    CachedEvaluator cached(inner, cache, digest_of("task"));
    bool was_cached = true;
    EXPECT_EQ(cached.evaluate(candidate_of("abc"), &was_cached).timing->cold_ms, 3);
    EXPECT_FALSE(was_cached);
    EXPECT_EQ(cached.evaluate(candidate_of("abc"), &was_cached).timing->cold_ms, 3);
    EXPECT_TRUE(was_cached);
    EXPECT_EQ(cached.evaluate(candidate_of("abcd")).timing->cold_ms, 4);
    EXPECT_EQ(inner.calls, 2);
}

TEST(CachedEvaluator, KeepsTasksAndEvaluatorsApart) {
    CountingEvaluator inner;
    MemoryCache cache;
    CachedEvaluator first(inner, cache, digest_of("task")), second(inner, cache, digest_of("other task"));
    first.evaluate(candidate_of("abc"));
    second.evaluate(candidate_of("abc"));
    EXPECT_EQ(inner.calls, 2);
    inner.name = "counting 2";
    first.evaluate(candidate_of("abc"));
    EXPECT_EQ(inner.calls, 3);
}

TEST(CachedEvaluator, ReplacesDamagedEntries) {
    CountingEvaluator inner;
    MemoryCache cache;
    CachedEvaluator cached(inner, cache, digest_of("task"));
    cache.entries[cached.key_of(candidate_of("abc"))] = "{\"level\":";
    EXPECT_EQ(cached.evaluate(candidate_of("abc")).timing->cold_ms, 3);
    EXPECT_EQ(cached.evaluate(candidate_of("abc")).timing->cold_ms, 3);
    EXPECT_EQ(inner.calls, 1);
}

TEST(RecordedEvaluators, RepeatWhatWasRecorded) {
    CountingEvaluator inner;
    RecordingEvaluator recorder(inner);
    recorder.evaluate(candidate_of("abc"));
    const Evaluation expected = recorder.evaluate(candidate_of("abcd"));
    auto replayed = ReplayedEvaluator::from(recorder.recording());
    ASSERT_TRUE(replayed) << replayed.error().text();
    EXPECT_EQ(replayed->evaluate(candidate_of("abcd")), expected);
    EXPECT_EQ(replayed->evaluate(candidate_of("x")).first_finding()->kind, FindingKind::unsupported);
    EXPECT_FALSE(ReplayedEvaluator::from("nonsense\n"));
}

}  // namespace
}  // namespace optiml::evaluation
