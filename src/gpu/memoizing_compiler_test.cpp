#include "gpu/memoizing_compiler.h"

#include <gtest/gtest.h>

namespace optiml::gpu {
namespace {

class CountingCompiler final : public Compiler {
public:
    CompileOutcome compile(const CompileRequest& request) override {
        ++calls;
        CompileOutcome outcome;
        outcome.compiled = !inconclusive;
        outcome.is_inconclusive = inconclusive;
        outcome.ptx = request.source;
        return outcome;
    }
    std::string version() const override { return "counting"; }
    std::string include_directory() const override { return ""; }
    int calls = 0;
    bool inconclusive = false;
};

TEST(MemoizingCompiler, CompilesTheSameOnce) {
    CountingCompiler counting;
    MemoizingCompiler compiler(counting, 2);
    CompileRequest a{.source = "a"}, b{.source = "b"}, c{.source = "c"};
    EXPECT_EQ(compiler.compile(a).ptx, "a");
    EXPECT_EQ(compiler.compile(a).ptx, "a");
    EXPECT_EQ(counting.calls, 1);
    compiler.compile(b);
    compiler.compile(a);  // used again: b is now the oldest
    compiler.compile(c);
    EXPECT_EQ(counting.calls, 3);
    compiler.compile(a);
    EXPECT_EQ(counting.calls, 3);
    compiler.compile(b);
    EXPECT_EQ(counting.calls, 4);
}

TEST(MemoizingCompiler, WhatSaysNothingOfTheSourceIsAskedAgain) {
    CountingCompiler counting;
    MemoizingCompiler compiler(counting, 2);
    counting.inconclusive = true;
    EXPECT_FALSE(compiler.compile({.source = "a"}).compiled);
    counting.inconclusive = false;
    EXPECT_TRUE(compiler.compile({.source = "a"}).compiled);
    EXPECT_EQ(counting.calls, 2);
}

TEST(MemoizingCompiler, EveryPartOfTheRequestCounts) {
    CountingCompiler counting;
    MemoizingCompiler compiler(counting, 20);
    std::vector<CompileRequest> requests(9, CompileRequest{.source = "a"});
    requests[1].options = {"-O1"};
    requests[2].include_paths = {"-O1"};
    requests[3].name_expressions = {"-O1"};
    requests[4].compute_capability = 80;
    requests[5].want_cubin = false;
    requests[6].prelude = "p";
    requests[7].standard = "c++20";
    requests[8].file_name = "other.cu";
    for (const CompileRequest& request : requests) compiler.compile(request);
    EXPECT_EQ(counting.calls, 9);
}

}  // namespace
}  // namespace optiml::gpu
