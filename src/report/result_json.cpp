#include "report/result_json.h"

#include <nlohmann/json.hpp>

namespace optiml::report {
namespace {

nlohmann::json json_of(const std::vector<CounterChange>& moved) {
    nlohmann::json json = nlohmann::json::array();
    for (const CounterChange& change : moved) json.push_back({{"counter", change.counter}, {"before", change.before}, {"after", change.after}});
    return json;
}

nlohmann::json json_of(const std::vector<Tried>& tried) {
    nlohmann::json json = nlohmann::json::array();
    for (const Tried& one : tried) {
        json.push_back({{"transformation", one.transformation},
                        {"candidates", one.candidates},
                        {"rejected", one.rejected},
                        {"faster", one.faster},
                        {"best_step", one.best_step},
                        {"best_speedup", one.best_speedup},
                        {"counters", json_of(one.moved)}});
    }
    return json;
}

}  // namespace

std::string result_json(const Summary& summary) {
    nlohmann::json path = nlohmann::json::array();
    for (const Step& step : summary.path) {
        path.push_back({{"transformation", step.transformation},
                        {"parameters", step.parameters},
                        {"site", step.site},
                        {"hypothesis", step.hypothesis},
                        {"statement", step.statement},
                        {"before_ms", step.before_ms},
                        {"after_ms", step.after_ms},
                        {"speedup", step.speedup()},
                        {"counters", json_of(step.moved)}});
    }
    return nlohmann::json{{"run", summary.run},
                          {"task", summary.task},
                          {"kernel", summary.kernel},
                          {"device", summary.device},
                          {"sizes", summary.sizes},
                          {"values", summary.values},
                          {"original_ms", summary.original_ms},
                          {"best_ms", summary.best_ms},
                          {"best_warm_ms", summary.best_warm_ms},
                          {"speedup", summary.speedup()},
                          {"interval", summary.interval},
                          {"source", summary.source},
                          {"collector", summary.collector},
                          {"evaluations", summary.evaluations},
                          {"rejected", summary.rejected},
                          {"seconds", summary.seconds},
                          {"search", summary.search},
                          {"seed", summary.seed},
                          {"stopped_by", summary.stopped_by},
                          {"path", path},
                          {"tried", json_of(summary.tried)},
                          {"rejections", summary.rejections},
                          {"verification", summary.verification},
                          {"kernel_file", summary.kernel_file}}
        .dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace optiml::report
