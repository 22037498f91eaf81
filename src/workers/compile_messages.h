#pragma once
// What goes between an isolated compiler and its workers.

#include <nlohmann/json_fwd.hpp>

#include "gpu/compiler.h"

namespace optiml::workers {

nlohmann::json to_json(const gpu::CompileRequest& request);
gpu::CompileRequest request_from_json(const nlohmann::json& json);

nlohmann::json to_json(const gpu::CompileOutcome& outcome);
// What is no outcome is one that failed and says so.
gpu::CompileOutcome outcome_from_json(const nlohmann::json& json);

// By the workers of builds too.
nlohmann::json to_json(const std::vector<gpu::CompiledKernel>& kernels);
std::vector<gpu::CompiledKernel> kernels_from_json(const nlohmann::json& list);

}  // namespace optiml::workers
