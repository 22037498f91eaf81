// A part of the corpus: the labels hold, and verification tells wrong from honest. benchmarks/verification_corpus runs all of it.

#include <set>

#include <gtest/gtest.h>

#include "suite_kit.h"
#include "verification_corpus.h"

namespace optiml::evaluation {
namespace {

const std::filesystem::path kCorpus = std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/corpus";

std::vector<CorpusBase> bases() {
    const auto corpus = read_corpus(kCorpus, RealDisk{});
    return corpus ? *corpus : std::vector<CorpusBase>{};
}

std::vector<CorpusVariant> variants_of(const CorpusBase& base, bool wrong) {
    std::vector<CorpusVariant> chosen;
    for (const CorpusVariant& variant : base.variants) {
        if (variant.wrong == wrong) chosen.push_back(variant);
    }
    return chosen;
}

struct Choice {
    CorpusBase base;
    std::size_t number = 0;
};

// All bases; the test of each takes another one of its variants.
std::vector<Choice> choices() {
    std::vector<Choice> all;
    for (CorpusBase& base : bases()) all.push_back({std::move(base), all.size()});
    return all;
}

// Every kind of communication between threads, and results that are compared bit by bit as well as floats.
std::vector<Choice> honest_choices() {
    static const std::set<std::string> names{"compaction", "radix_pass",  "byte_search", "bit_pack",   "lookback_scan", "class_counts",
                                             "jacobi",     "double_dot",  "masked_fill", "row_argmax", "heat_2d",       "embedding"};
    std::vector<Choice> chosen = choices();
    std::erase_if(chosen, [](const Choice& choice) { return !names.contains(choice.base.name); });
    return chosen;
}

std::ostream& operator<<(std::ostream& stream, const Choice& choice) { return stream << choice.base.name; }

void expect_outcome(const Choice& choice, bool wrong, CorpusOutcome expected) {
    const std::vector<CorpusVariant> variants = variants_of(choice.base, wrong);
    ASSERT_FALSE(variants.empty());
    const RealDisk disk;
    const auto bench = CorpusBench::make(kCorpus, choice.base, shared_compiler(), disk, {});
    ASSERT_TRUE(bench) << bench.error().text();
    const CorpusVariant& variant = variants[choice.number % variants.size()];
    const auto evaluation = bench->evaluate(variant);
    ASSERT_TRUE(evaluation) << evaluation.error().text();
    EXPECT_EQ(outcome_of(variant, *evaluation), expected) << variant.file << ": " << variant.fault << "\n" << text_of(*evaluation);
}

class WrongVariant : public testing::TestWithParam<Choice> {};
TEST_P(WrongVariant, IsFound) { expect_outcome(GetParam(), true, CorpusOutcome::found); }

class HonestCorpusVariant : public testing::TestWithParam<Choice> {};
TEST_P(HonestCorpusVariant, IsAccepted) { expect_outcome(GetParam(), false, CorpusOutcome::accepted); }

const auto name_of_base = [](const auto& choice) { return choice.param.base.name; };
INSTANTIATE_TEST_SUITE_P(Corpus, WrongVariant, testing::ValuesIn(choices()), name_of_base);
INSTANTIATE_TEST_SUITE_P(Corpus, HonestCorpusVariant, testing::ValuesIn(honest_choices()), name_of_base);


TEST(Corpus, HasItsSize) {
    std::size_t wrong = 0, honest = 0;
    for (const CorpusBase& base : bases()) {
        wrong += variants_of(base, true).size();
        honest += variants_of(base, false).size();
    }
    EXPECT_EQ(wrong, 180u);
    EXPECT_GE(honest, 72u);
}

}  // namespace
}  // namespace optiml::evaluation
