#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "task/launch_plan.h"
#include "task/task.h"

namespace optiml::task {

// One edit on the way from the original to a candidate.
struct Edit {
    std::string transformation;                      // name in the catalogue, or "model"
    std::string expert = "catalogue";
    std::map<std::string, std::int64_t> parameters;  // as chosen from the transformation's domain
    std::string site;                                // where: kernel, variable or loop, in words
    std::string hypothesis;                          // which bottleneck it was meant for
    bool operator==(const Edit&) const = default;
};

// Device source + launch plan + compile options, and how it came about. No host code.
struct Candidate {
    std::string source;
    LaunchPlan plan;
    CompileOptions compile;
    std::vector<Edit> edits;  // from the original; empty: the original itself

    Digest digest() const;    // of source, plan and compile options
};

Candidate original_of(const Task& task);

}  // namespace optiml::task
