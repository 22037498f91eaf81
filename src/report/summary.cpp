#include "optiml/summary.h"

#include <nlohmann/json.hpp>

namespace optiml::diagnosis {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Evidence, counter, value, meaning, file, line)

static void to_json(nlohmann::json& json, const Hypothesis& hypothesis) {
    json = {{"bottleneck", name_of(hypothesis.bottleneck)},
            {"weight", hypothesis.weight},
            {"statement", hypothesis.statement},
            {"evidence", hypothesis.evidence}};
}

static void from_json(const nlohmann::json& json, Hypothesis& hypothesis) {
    hypothesis.bottleneck = bottleneck_named(json.at("bottleneck").get<std::string>()).value_or(Bottleneck::memory_bandwidth);
    json.at("weight").get_to(hypothesis.weight);
    json.at("statement").get_to(hypothesis.statement);
    json.at("evidence").get_to(hypothesis.evidence);
}

}  // namespace optiml::diagnosis

namespace optiml::report {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(CounterChange, counter, before, after)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Tried, transformation, candidates, rejected, faster, best_step, best_speedup, moved)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Step, transformation, parameters, site, summary, hypothesis, statement, before_ms,
                                                after_ms, reward, moved)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Summary, run, task, kernel, device, source, collector, sizes, values, original_ms, best_ms, best_warm_ms, interval, path, tried,
                                                original_hypotheses, best_hypotheses, search, seed, evaluations, rejected,
                                                transpositions, seconds, stopped_by, rejections, weights, reward_parts, verification,
                                                original_source, best_source, original_file, kernel_file)

// Sources may hold bytes that are no UTF-8.
std::string to_json(const Summary& summary) { return nlohmann::json(summary).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

Result<Summary> summary_from_json(std::string_view json) {
    try {
        return nlohmann::json::parse(json).get<Summary>();
    } catch (const nlohmann::json::exception& exception) {
        return internal_error(std::string("the stored result of the run cannot be read: ") + exception.what());
    }
}

}  // namespace optiml::report
