// Candidates that are right wherever one would look at once: at small sizes, in the first run, with values near 1. Each is rejected for
// its fault, and honest ones that look like them are not.

#include <gtest/gtest.h>

#include "suite_kit.h"
#include "verification_corpus.h"

namespace optiml::evaluation {
namespace {

const std::filesystem::path kFolder = std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/hidden_faults";

struct Candidate {
    CorpusBase base;
    CorpusVariant variant;
};
std::ostream& operator<<(std::ostream& stream, const Candidate& candidate) { return stream << candidate.variant.file; }

std::vector<Candidate> candidates() {
    std::vector<Candidate> all;
    const auto bases = read_corpus(kFolder, RealDisk{});
    if (!bases) return all;
    for (const CorpusBase& base : *bases) {
        for (const CorpusVariant& variant : base.variants) all.push_back({base, variant});
    }
    return all;
}

class HiddenFault : public testing::TestWithParam<Candidate> {};

TEST_P(HiddenFault, IsTold) {
    const auto& [base, variant] = GetParam();
    const RealDisk disk;
    const auto bench = CorpusBench::make(kFolder, base, shared_compiler(), disk, {});
    ASSERT_TRUE(bench) << bench.error().text();
    const auto evaluation = bench->evaluate(variant);
    ASSERT_TRUE(evaluation) << evaluation.error().text();
    EXPECT_EQ(outcome_of(variant, *evaluation), variant.wrong ? CorpusOutcome::found : CorpusOutcome::accepted) << variant.fault << "\n" << text_of(*evaluation);
    RecordProperty("evaluation", text_of(*evaluation));
    if (!variant.wrong || evaluation->findings.empty()) return;
    EXPECT_EQ(evaluation->findings.front().line, variant.line) << text_of(*evaluation);
    EXPECT_FALSE(evaluation->findings.front().kernel.empty());
}

std::string name_of(const testing::TestParamInfo<Candidate>& info) {
    std::string name = info.param.variant.file.substr(0, info.param.variant.file.rfind('.'));
    std::replace(name.begin(), name.end(), '/', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Candidates, HiddenFault, testing::ValuesIn(candidates()), name_of);

TEST(HiddenFaults, AreRead) { EXPECT_FALSE(candidates().empty()); }

}  // namespace
}  // namespace optiml::evaluation
