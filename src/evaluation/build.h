#pragma once
// L0: a candidate's source to PTX, with what the compiler says about its kernels.

#include <memory>
#include <string>
#include <vector>

#include "emulator/emulator.h"
#include "evaluation/evaluation.h"
#include "gpu/compiler.h"
#include "ptx/module.h"
#include "task/candidate.h"

namespace optiml::evaluation {

struct Build {
    std::vector<KernelBuild> kernels;           // those that the plan launches
    std::shared_ptr<const ptx::Module> module;
    std::shared_ptr<const emulator::MachineCode> machine_code;  // null: the cubin could not be read; counts are then estimated from PTX
    std::string source;                         // as compiled, for line numbers
    std::string file;                           // what findings call it
    std::string toolkit_headers;                // the folder of the compiler's own headers
    Digest ptx;                                 // of the normalised PTX

    const KernelBuild* find(std::string_view kernel) const;
    emulator::KernelResources resources(std::string_view kernel) const;
};

struct BuildFailure {
    Finding finding;
    bool is_inconclusive = false;               // the compiler failed, not the source: asked again it may come out otherwise
};

// What is asked of the compiler for a candidate; equal for every stage that needs its code.
gpu::CompileRequest compile_request(const gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                    std::uint32_t compute_capability);

// Compiles for the device's architecture. A candidate that does not compile, whose PTX cannot be read, that lacks a kernel its plan
// launches, or that takes liberties with compile options that the task does not allow, is a failure.
tl::expected<Build, BuildFailure> build(gpu::Compiler& compiler, const task::Task& task, const task::Candidate& candidate,
                                        std::uint32_t compute_capability);

// Whether the module has variables in global memory, which outlive a run of a plan. printf's format strings do not count.
bool has_variables(const ptx::Module& module);

// The line on which a kernel's name stands in its definition; 0 if it is not found.
std::uint32_t line_of_kernel(std::string_view source, std::string_view kernel);

}  // namespace optiml::evaluation
