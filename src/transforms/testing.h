#pragma once
// For tests: a task around a kernel's text, and transformations applied to it by name.

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "transforms/catalogue.h"

namespace optiml::transforms::testing {

struct Case {
    std::string name;                // of the test
    std::string before;              // source; the first kernel is launched
    std::vector<std::string> grid;   // expressions over n, rows and cols
    std::vector<std::int64_t> block;
    std::string transformation;
    Parameters parameters;
    std::string after;               // source after it; empty: not legal at any site
    std::vector<std::string> grid_after;
    std::vector<std::int64_t> block_after;
};

// Pointer parameters become buffers of their names (const: inputs; int*: tables of 256), integer parameters sizes.
task::Task task_of(const std::string& source, const std::vector<std::string>& grid, const std::vector<std::int64_t>& block);

// A candidate and what was analysed of it; the analysis is kept beside the candidate that it points to.
struct Analysed {
    task::Task task;
    task::Candidate candidate;
    Context context;
};
std::unique_ptr<Analysed> analysed(task::Task task, task::Candidate candidate);

// The first site of the transformation that offers the parameters; nullopt where none does.
std::optional<task::Candidate> applied(const Analysed& analysed, const std::string& transformation, const Parameters& parameters);

// Applies one after the other; the test fails where a step is not legal or gives a text that does not compile.
task::Candidate applied_all(task::Task task, const std::vector<std::pair<std::string, Parameters>>& steps);

void expect_rewritten(const Case& test);

inline std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }

}  // namespace optiml::transforms::testing
