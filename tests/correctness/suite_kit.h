#pragma once
// Tasks of examples/suite with an evaluator each.

#include <memory>
#include <string>

#include "evaluation/evaluator.h"
#include "gpu/compiler.h"
#include "task/candidate.h"

namespace optiml::evaluation {

inline std::string suite_path(const std::string& name) { return std::string(OPTIML_SOURCE_DIR) + "/examples/suite/" + name; }
inline std::string twin_path(const std::string& name) { return std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/twins/" + name; }
inline std::string variant_path(const std::string& name) { return std::string(OPTIML_SOURCE_DIR) + "/tests/correctness/variants/" + name; }

// One NVRTC for all tests of a process; fails the test where there is none.
gpu::Compiler& shared_compiler();

struct SuiteKit {
    RealDisk disk;
    task::Task task;
    std::unique_ptr<EmulatedEvaluator> evaluator;

    // Without times, which tests of correctness do not need.
    explicit SuiteKit(const std::string& name, EmulatedSettings settings = {});
};

std::string text_of(const Evaluation& evaluation);

}  // namespace optiml::evaluation
