#include <nlohmann/json.hpp>

#include "evaluation/evaluation.h"

namespace optiml {

static void to_json(nlohmann::json& json, const Digest& digest) { json = {digest.high, digest.low}; }
static void from_json(const nlohmann::json& json, Digest& digest) {
    json.at(0).get_to(digest.high);
    json.at(1).get_to(digest.low);
}

}  // namespace optiml

namespace optiml::evaluation {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Finding, kind, message, file, line, kernel, block, thread, sizes, pattern)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, source, device, cold_ms, warm_ms, interval, original_ms, speedup, samples, sizes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KernelBuild, kernel, lowered_name, registers, static_shared, local_bytes, spill_store_bytes,
                                   spill_load_bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LineProfile, file, line, counters)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LaunchProfile, kernel, grid, block, repeats, time_ms, counters, lines)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Profile, source, collector, counters, lines, launches)

std::string to_json(const Evaluation& evaluation) {
    nlohmann::json json = {{"level", evaluation.level},       {"accepted", evaluation.accepted}, {"findings", evaluation.findings},
                           {"kernels", evaluation.kernels},   {"ptx", evaluation.ptx},           {"stage_seconds", evaluation.stage_seconds}};
    if (evaluation.timing) json["timing"] = *evaluation.timing;
    if (evaluation.profile) json["profile"] = *evaluation.profile;
    if (evaluation.is_inconclusive) json["is_inconclusive"] = true;
    if (!evaluation.printed.empty()) json["printed"] = evaluation.printed;
    if (!evaluation.accuracy_note.empty()) json["accuracy_note"] = evaluation.accuracy_note;
    if (!evaluation.no_counters_because.empty()) json["no_counters_because"] = evaluation.no_counters_because;
    // Compiler messages may hold bytes of the user's that are no UTF-8.
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<Evaluation> evaluation_from_json(std::string_view text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        Evaluation evaluation;
        json.at("level").get_to(evaluation.level);
        json.at("accepted").get_to(evaluation.accepted);
        json.at("findings").get_to(evaluation.findings);
        json.at("kernels").get_to(evaluation.kernels);
        json.at("ptx").get_to(evaluation.ptx);
        json.at("stage_seconds").get_to(evaluation.stage_seconds);
        if (json.contains("timing")) evaluation.timing = json["timing"].get<Timing>();
        if (json.contains("profile")) evaluation.profile = json["profile"].get<Profile>();
        evaluation.printed = json.value("printed", "");
        evaluation.is_inconclusive = json.value("is_inconclusive", false);
        evaluation.accuracy_note = json.value("accuracy_note", "");
        evaluation.no_counters_because = json.value("no_counters_because", "");
        return evaluation;
    } catch (const nlohmann::json::exception& exception) {
        return internal_error(std::string("an evaluation cannot be read: ") + exception.what());
    }
}

}  // namespace optiml::evaluation
