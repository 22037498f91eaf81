#pragma once
// For tests: sources parsed without errors, and their parts found by their text.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "cuda_source/analysis.h"
#include "cuda_source/parse.h"

namespace optiml::cuda_source::testing {

inline SourceFile parsed(std::string text, const ParseOptions& options = {}) {
    Result<SourceFile> source = parse(std::move(text), options);
    EXPECT_TRUE(source) << source.error().text();
    if (!source) return {};
    EXPECT_TRUE(first_error(*source)) << first_error(*source).error().text();
    return *std::move(source);
}

inline FunctionId only_kernel(const SourceFile& source) {
    const std::vector<FunctionId> kernels = source.kernels();
    EXPECT_EQ(kernels.size(), 1u);
    return kernels.empty() ? none : kernels.front();
}

// The first expression with this text; of several nested ones with the same text the outermost.
inline ExpressionId expression_at(const SourceFile& source, std::string_view text) {
    ExpressionId found = none;
    for (ExpressionId id = 0; id < source.expressions.size(); ++id) {
        if (source.text_of(id) != text) continue;
        if (found != none && source.expressions[id].span != source.expressions[found].span) continue;
        found = id;
    }
    EXPECT_NE(found, none) << text;
    return found;
}

// The first statement whose text begins so.
inline StatementId statement_at(const SourceFile& source, std::string_view begin) {
    for (StatementId id = 0; id < source.statements.size(); ++id) {
        if (source.text_of(source.statements[id].span).starts_with(begin)) return id;
    }
    ADD_FAILURE() << begin;
    return none;
}

inline VariableId variable_named(const SourceFile& source, std::string_view name) {
    for (VariableId id = 0; id < source.variables.size(); ++id) {
        if (source.variables[id].name == name) return id;
    }
    ADD_FAILURE() << name;
    return none;
}

}  // namespace optiml::cuda_source::testing
