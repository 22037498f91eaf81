#pragma once
// The JSON lines between a supervisor and its workers. A request holds "do"; an answer holds "ok" and, where false, "error".
//
//   device worker   prepare   task, settings, knowledge           -> nothing; opens the card, before the original is built
//                   open      task, original (compiled), settings, knowledge -> device's properties, knowledge
//                   evaluate  candidates (compiled), tier,        -> evaluations, in their order; "lost": the context is gone, start
//                             "as_written"                           another worker; a null among the evaluations was not evaluated
//                                                                    since another candidate lost it, or the original in f64 did
//                                                                    ("lost_in_f64": ask "as_written" from now on); "busy" alone:
//                                                                    another run has the card, ask again
//                   profile   candidate (compiled), tier,         -> evaluation with counters only; "lost", "lost_in_f64", "busy"
//                             "as_written"
//   build worker    open      task, settings                      -> nothing
//                   build     candidate                           -> evaluation (L0 to L2), compiled candidate (cubin, kernels)
//                   compile   candidate                           -> compiled candidate, without any check
//   compile worker  open                                          -> version of NVRTC
//                   compile   request (compile_messages.h)        -> outcome
//
// A task or candidate travels as a task file's text with the source beside it, so that workers need no file of ours.

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/result.h"
#include "evaluation/device/device_session.h"
#include "task/task.h"

namespace optiml::workers {

nlohmann::json to_json(const task::Task& task);
Result<task::Task> task_from_json(const nlohmann::json& json);

// A candidate: the task with its source, plan and compile options in place of the original's.
nlohmann::json to_json(const task::Task& task, const task::Candidate& candidate);
Result<task::Candidate> candidate_from_json(const nlohmann::json& json);

nlohmann::json to_json(const task::Task& task, const evaluation::device::CompiledCandidate& compiled);
Result<evaluation::device::CompiledCandidate> compiled_from_json(const nlohmann::json& json);

nlohmann::json to_json(const evaluation::device::SessionSettings& settings);
evaluation::device::SessionSettings session_settings_from_json(const nlohmann::json& json);

nlohmann::json to_json(const evaluation::device::SessionKnowledge& knowledge);
// What is missing or broken is not known.
evaluation::device::SessionKnowledge knowledge_from_json(const nlohmann::json& json);

std::string_view name_of(gpu::MetricTier tier);
std::optional<gpu::MetricTier> tier_named(std::string_view name);

}  // namespace optiml::workers
