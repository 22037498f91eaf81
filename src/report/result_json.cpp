#include "report/result_json.h"

#include <nlohmann/json.hpp>

namespace optiml::report {

std::string result_json(const Summary& summary) {
    nlohmann::json path = nlohmann::json::array();
    for (const Step& step : summary.path) {
        path.push_back({{"transformation", step.transformation},
                        {"parameters", step.parameters},
                        {"site", step.site},
                        {"hypothesis", step.hypothesis},
                        {"speedup", step.speedup()}});
    }
    return nlohmann::json{{"run", summary.run},
                          {"task", summary.task},
                          {"kernel", summary.kernel},
                          {"device", summary.device},
                          {"sizes", summary.sizes},
                          {"original_ms", summary.original_ms},
                          {"best_ms", summary.best_ms},
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
                          {"kernel_file", summary.kernel_file}}
        .dump(2);
}

}  // namespace optiml::report
