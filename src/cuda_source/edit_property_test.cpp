// Edits anywhere in a kernel leave a text that still compiles and still holds what was not named.
#include <algorithm>

#include <gtest/gtest.h>

#include "cuda_source/edit.h"
#include "cuda_source/testing.h"

namespace optiml::cuda_source {
namespace {

const char* const texts[] = {
    R"(__global__ void f(float* x, int n, int m) {
    int i = threadIdx.x;  // lane
    if (i >= n) return;
#pragma unroll 4
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < m; ++j)  // all
            if (x[k] > 0) x[k * m + j] = 1; else x[j] = 2;
    do x[0] *= 2; while (x[0] < 8);
    while (i > 0) { i >>= 1; x[i] = 0; }
    if (n) { x[1] = 1; } else if (m) x[2] = 2;
    else {
        x[3] = 3;  /* last */
    }
    x[4] = 4; x[5] = 5;
    { ; }
}
)",
    "__global__ void g(float* x,int n){for(int i=0;i<n;++i){x[i]=0;if(i)x[0]+=i;}\nswitch(n){case 0:x[1]=1;break;default:x[2]=2;}}",
    R"(#define STEP(a) (a) += 1.0f
#define EACH(i, n) for (int i = 0; i < n; ++i)
__global__ void h(float* x, int n) {
    EACH(k, n) STEP(x[k]);
    EACH(k, n) {
        STEP(x[k]);
    }
}
)",
};

bool compiles(const std::string& text) {
    const Result<SourceFile> source = parse(text, {});
    return source && first_error(*source).has_value();
}

TEST(EditProperty, InsertionsKeepTheTextCompilingAndComeOutAgain) {
    std::size_t made = 0;
    for (const char* text : texts) {
        const SourceFile source = testing::parsed(text);
        for (StatementId id = 0; id < source.statements.size(); ++id) {
            if (source.statements[id].parent == none) continue;
            Edit edit(source);
            edit.insert_before(id, "x[6] = 6;");
            edit.insert_after(id, "x[7] = 7;");
            const Result<std::string> edited = edit.apply();
            if (!edited) continue;  // a part of a macro use
            ++made;
            EXPECT_TRUE(compiles(*edited)) << *edited;
            // Every word of the original is still there, in its order.
            std::string rest = *edited;
            for (const char* line : {"x[6] = 6;", "x[7] = 7;"}) {
                const std::size_t at = rest.find(line);
                ASSERT_NE(at, std::string::npos);
                rest.erase(at, 9);
            }
            const auto drop = [](std::string all) {
                all.erase(
                    std::remove_if(all.begin(), all.end(), [](char c) { return c == ' ' || c == '\n' || c == '{' || c == '}'; }),
                    all.end());
                return all;
            };
            EXPECT_EQ(drop(rest), drop(text));
        }
    }
    EXPECT_GT(made, 40u);
}

TEST(EditProperty, AnyStatementThatDeclaresNothingCanBeRemoved) {
    for (const char* text : texts) {
        const SourceFile source = testing::parsed(text);
        for (StatementId id = 0; id < source.statements.size(); ++id) {
            const Statement& statement = source.statements[id];
            if (statement.parent == none || statement.kind == StatementKind::declaration || statement.kind == StatementKind::break_)
                continue;
            Edit edit(source);
            edit.remove_statement(id);
            const Result<std::string> edited = edit.apply();
            EXPECT_TRUE(!edited || compiles(*edited)) << edited.value_or("");
        }
    }
}

TEST(EditProperty, AnyExpressionCanBePutInParentheses) {
    for (const char* text : texts) {
        const SourceFile source = testing::parsed(text);
        for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
            const Expression& expression = source.expressions[id];
            if (expression.in_macro || expression.implicit || expression.span.empty()) continue;
            Edit edit(source);
            edit.replace_expression(id, "(" + std::string(source.text_of(id)) + ")");
            const Result<std::string> edited = edit.apply();
            ASSERT_TRUE(edited);
            EXPECT_TRUE(compiles(*edited)) << *edited;
        }
    }
}

}  // namespace
}  // namespace optiml::cuda_source
