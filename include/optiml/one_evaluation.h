#pragma once
// What verify and profile do: a single kernel through the evaluator, without search and run store.

#include <string>
#include <vector>

#include "optiml/diagnosis.h"
#include "optiml/evaluation.h"
#include "optiml/log.h"
#include "optiml/settings.h"

namespace optiml::optimizer {

struct VerificationRequest {
    TaskChoice original;                // --set: where to verify, in place of the small sizes; sampled beyond 1 GiB of buffers
    std::string candidate_file;
    std::string candidate_task_file;    // whose launch plan is the candidate's; empty: the one beside it, else the original's
    std::string device;
    std::uint32_t host_threads = 1;
    GpuOptions gpu;
    bool second_opinion = false;        // also run under compute-sanitizer, on the card
};

// Whether the candidate may stand for the original. Errors: as optimize().
Result<evaluation::Evaluation> verify(const VerificationRequest& request, Log& log);

struct Profiling {
    std::string kernel;
    evaluation::Evaluation evaluation;  // accepted, timed and profiled
    std::vector<diagnosis::Hypothesis> hypotheses;
};

Result<Profiling> profile(const TaskChoice& choice, const std::string& device, std::uint32_t host_threads, Log& log, const GpuOptions& gpu = {});

// The machine code (SASS) that the kernel compiles to for the device, as text with its source lines. Errors (environment): no
// nvdisasm; else as profile().
Result<std::string> machine_listing(const TaskChoice& choice, const std::string& device);

}  // namespace optiml::optimizer
