#include "workers/messages.h"

#include <nlohmann/json.hpp>

#include "base/base64.h"
#include "base/disk.h"
#include "gpu/source_bytes.h"
#include "task/task_writer.h"
#include "workers/compile_messages.h"

namespace optiml::workers {
namespace {

using evaluation::device::CompiledCandidate;
using evaluation::device::SessionSettings;
using nlohmann::json;

constexpr const char* kSourceFile = "kernel.cu";
constexpr const char* kTaskFile = "kernel.toml";
constexpr const char* kTierNames[] = {"one_pass", "two_passes", "four_passes", "full"};

json sizes_json(const task::Sizes& sizes) { return json(sizes); }

}  // namespace

json to_json(const task::Task& task) {
    json message{{"name", task.name},
                 {"task_file", task::task_file_text(task, kSourceFile)},
                 {"source", gpu::readable_source(task.source)},  // JSON holds UTF-8 alone
                 {"source_file", task.source_file}};
    if (task.reference) message["reference"] = to_json(*task.reference);
    return message;
}

Result<task::Task> task_from_json(const json& json) {
    MemoryDisk disk;
    (void)disk.write(kSourceFile, json.value("source", ""));
    auto task = task::parse_task(json.value("task_file", ""), kTaskFile, disk);
    if (!task) return task;
    task->name = json.value("name", "");
    task->source_file = json.value("source_file", "");
    if (json.contains("reference")) {
        auto reference = task_from_json(json["reference"]);
        if (!reference) return reference;
        task->reference = std::make_shared<const task::Task>(std::move(*reference));
    }
    return task;
}

json to_json(const task::Task& task, const task::Candidate& candidate) {
    task::Task variant = task;
    variant.source = candidate.source;
    variant.plan = candidate.plan;
    variant.compile = candidate.compile;
    variant.reference = nullptr;
    return to_json(variant);
}

Result<task::Candidate> candidate_from_json(const json& json) {
    const auto task = task_from_json(json);
    if (!task) return tl::make_unexpected(task.error());
    return task::original_of(*task);
}

json to_json(const task::Task& task, const CompiledCandidate& compiled) {
    json message = to_json(task, compiled.candidate);
    message["cubin"] = to_base64(compiled.cubin);
    message["kernels"] = to_json(compiled.kernels);
    return message;
}

Result<CompiledCandidate> compiled_from_json(const json& json) {
    auto candidate = candidate_from_json(json);
    if (!candidate) return tl::make_unexpected(candidate.error());
    auto cubin = from_base64(json.value("cubin", ""));
    if (!cubin) return internal_error("a message holds a cubin that is not base64");
    return CompiledCandidate{std::move(*candidate), std::move(*cubin),
                             kernels_from_json(json.value("kernels", nlohmann::json::array()))};
}

json to_json(const SessionSettings& settings) {
    json odd = json::array();
    for (const task::Sizes& sizes : settings.odd_sizes) odd.push_back(sizes_json(sizes));
    return {{"timing_sizes", sizes_json(settings.timing_sizes)},
            {"large_sizes", settings.large_sizes ? sizes_json(*settings.large_sizes) : json()},
            {"odd_sizes", odd},
            {"seed", settings.seed},
            {"tolerance_factor", settings.tolerance_factor},
            {"half_width", settings.half_width},
            {"seconds_a_candidate", settings.seconds_a_candidate},
            {"confidence", settings.confidence},
            {"hopeless_factor", settings.hopeless_factor},
            {"repeats", settings.repeats},
            {"in_process_counters", settings.in_process_counters},
            {"only_verify", settings.only_verify},
            {"reuse_original", settings.reuse_original},
            {"judges_in_f64", settings.judges_in_f64},
            {"take_warm_time", settings.take_warm_time}};
}

SessionSettings session_settings_from_json(const json& json) {
    SessionSettings settings;
    settings.timing_sizes = json.value("timing_sizes", task::Sizes{});
    if (json.contains("large_sizes") && json["large_sizes"].is_object()) settings.large_sizes = json["large_sizes"].get<task::Sizes>();
    settings.odd_sizes = json.value("odd_sizes", std::vector<task::Sizes>{});
    settings.seed = json.value("seed", settings.seed);
    settings.tolerance_factor = json.value("tolerance_factor", settings.tolerance_factor);
    settings.half_width = json.value("half_width", settings.half_width);
    settings.seconds_a_candidate = json.value("seconds_a_candidate", settings.seconds_a_candidate);
    settings.confidence = json.value("confidence", settings.confidence);
    settings.hopeless_factor = json.value("hopeless_factor", settings.hopeless_factor);
    settings.repeats = json.value("repeats", settings.repeats);
    settings.in_process_counters = json.value("in_process_counters", settings.in_process_counters);
    settings.only_verify = json.value("only_verify", settings.only_verify);
    settings.reuse_original = json.value("reuse_original", settings.reuse_original);
    settings.judges_in_f64 = json.value("judges_in_f64", settings.judges_in_f64);
    settings.take_warm_time = json.value("take_warm_time", settings.take_warm_time);
    return settings;
}

json to_json(const evaluation::device::SessionKnowledge& knowledge) {
    json benches = json::array();
    for (const auto& bench : knowledge.bounds) {
        json& bounds = benches.emplace_back(json::array());
        for (const evaluation::device::Bound& bound : bench) bounds.push_back({bound.absolute, bound.relative, bound.spread});
    }
    return {{"helper_cubin", to_base64(knowledge.helper_cubin)}, {"terms_per_output", knowledge.terms_per_output}, {"bounds", std::move(benches)},
            {"original_seconds", knowledge.original_seconds}};
}

evaluation::device::SessionKnowledge knowledge_from_json(const json& json) {
    evaluation::device::SessionKnowledge knowledge;
    if (!json.is_object()) return knowledge;
    knowledge.helper_cubin = from_base64(json.value("helper_cubin", "")).value_or(std::vector<std::uint8_t>{});
    knowledge.terms_per_output = json.value("terms_per_output", std::vector<double>{});
    for (const auto& bench : json.value("bounds", nlohmann::json::array())) {
        auto& bounds = knowledge.bounds.emplace_back();
        for (const auto& bound : bench) {
            // An infinite one travels as null: such bounds are found out anew.
            const bool is_known = bound.is_array() && bound.size() == 3 && std::all_of(bound.begin(), bound.end(), [](const auto& part) { return part.is_number(); });
            if (is_known) bounds.push_back({bound[0].template get<double>(), bound[1].template get<double>(), bound[2].template get<double>()});
        }
    }
    knowledge.original_seconds = json.value("original_seconds", 0.0);
    return knowledge;
}

std::string_view name_of(gpu::MetricTier tier) { return kTierNames[static_cast<int>(tier)]; }

std::optional<gpu::MetricTier> tier_named(std::string_view name) {
    for (int i = 0; i < 4; ++i) {
        if (name == kTierNames[i]) return static_cast<gpu::MetricTier>(i);
    }
    return std::nullopt;
}

}  // namespace optiml::workers
