#include "task/candidate_file.h"

#include <gtest/gtest.h>

namespace optiml::task {
namespace {

class CandidateFile : public testing::Test {
protected:
    CandidateFile() {
        EXPECT_TRUE(disk.write("sum.cu", "original"));
        EXPECT_TRUE(disk.write("sum.toml", R"toml(
kernel = "sum"
[sizes]
n = { small = 1000, large = 4096 }
[arguments]
x = { type = "f32", extent = "n" }
total = { type = "f32", extent = 1, role = "output" }
n = "i32"
[launch]
clear = "total"
grid = "ceil_div(n, 256)"
block = 256
)toml"));
        EXPECT_TRUE(disk.write("fast.cu", "faster"));
        auto loaded = load_task("sum.toml", disk);
        EXPECT_TRUE(loaded) << loaded.error().text();
        if (loaded) original = std::move(*loaded);
    }

    Result<Candidate> load(std::string_view toml) {
        EXPECT_TRUE(disk.write("fast.toml", toml));
        return load_candidate(original, "fast.cu", "fast.toml", disk);
    }

    MemoryDisk disk;
    Task original;
};

TEST_F(CandidateFile, WithoutOneThePlanIsTheOriginals) {
    const auto candidate = load_candidate(original, "fast.cu", "", disk);
    ASSERT_TRUE(candidate);
    EXPECT_EQ(candidate->source, "faster");
    EXPECT_EQ(candidate->plan, original.plan);
}

TEST_F(CandidateFile, ScratchIsTheOriginalsWhereItIsUsedAndTheFileHasNone) {
    original.plan.scratch.push_back({"partial", ScalarType::f32, *Expression::parse("n")});
    const auto inherited = load("[launch]\ngrid = 1\nblock = 32\narguments = [\"x\", \"partial\", \"n\"]\n");
    ASSERT_TRUE(inherited) << inherited.error().text();
    ASSERT_EQ(inherited->plan.scratch.size(), 1u);
    EXPECT_EQ(inherited->plan.scratch[0].name, "partial");
    const auto unused = load("[launch]\ngrid = 1\nblock = 32\narguments = [\"x\", \"total\", \"n\"]\n");
    ASSERT_TRUE(unused) << unused.error().text();
    EXPECT_TRUE(unused->plan.scratch.empty());
    const auto own = load("[scratch]\nmine = { type = \"f32\", extent = \"n\" }\n[launch]\ngrid = 1\nblock = 32\narguments = [\"x\", \"partial\", \"n\"]\n");
    EXPECT_FALSE(own);
}

TEST_F(CandidateFile, HoldsOnlyWhatDiffers) {
    const auto candidate = load(R"toml(
kernel = "partial_sums"
[scratch]
partial = { type = "f32", extent = "ceil_div(n, 1024)" }
[[launch]]
grid = "ceil_div(n, 1024)"
block = 128
arguments = ["x", "partial", "n"]
[[launch]]
kernel = "last_sum"
grid = 1
block = 32
arguments = ["partial", "total", "ceil_div(n, 1024)"]
[compile]
defines = "TILE=4"
)toml");
    ASSERT_TRUE(candidate) << candidate.error().text();
    ASSERT_EQ(candidate->plan.steps.size(), 2u);
    EXPECT_EQ(candidate->plan.steps[0].launch.kernel, "partial_sums");
    EXPECT_EQ(candidate->plan.scratch[0].name, "partial");
    EXPECT_EQ(candidate->compile.defines, std::vector<std::string>{"TILE=4"});
}

TEST_F(CandidateFile, MayBeAWholeTaskFile) {
    const auto text = disk.read("sum.toml");
    const auto candidate = load(*text);
    ASSERT_TRUE(candidate) << candidate.error().text();
    EXPECT_EQ(candidate->plan, original.plan);
}

TEST_F(CandidateFile, ErrorsNameTheirPlace) {
    const auto unknown = load("kernel = \"sum\"\n[lunch]\n");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().where.file, "fast.toml");
    const auto no_size = load("[launch]\ngrid = \"m\"\nblock = 1\n");
    ASSERT_FALSE(no_size);
    EXPECT_EQ(no_size.error().where, (SourceLocation{"fast.toml", 2, 9}));
    EXPECT_FALSE(load("[launch"));
    EXPECT_FALSE(load_candidate(original, "missing.cu", "", disk));
}

}  // namespace
}  // namespace optiml::task
