#pragma once
// A session on a scripted driver.

#include "evaluation/device/scale_session_test.h"

#include "scripted_driver.h"

namespace optiml::evaluation::device {

inline std::vector<std::uint8_t> image_of(const std::string& code) { return {code.c_str(), code.c_str() + code.size() + 1}; }

class Session : public ScaleSession {
protected:
    void SetUp() override {
        scripted_reset();
        read_task("__global__ void scale(const float* x, float* y, int n) {}\n");
        settings_.timing_sizes = {{"n", 4096}};
        settings_.in_process_counters = false;
    }
    // A candidate whose code does what the scripted driver takes this text to say.
    CompiledCandidate compiled(const std::string& code) const override {
        return {task::original_of(task_), image_of(code), {{.name = "scale", .lowered_name = "scale"}}};
    }
    void open(const std::string& original, const SessionKnowledge& knowledge = {}) {
        open_on(DeviceTools::open(0, image_of("evaluator"), {}), original, knowledge);
    }
    Evaluation evaluate(const std::string& code) { return evaluate_all({code})[0].value_or(Evaluation{}); }
    // This in the place of that in the task's text: before SetUp.
    void replace_in_task(const std::string& what, const std::string& by) { task_text_.replace(task_text_.find(what), what.size(), by); }
};

inline std::string reason(const Evaluation& evaluation) { return evaluation.first_finding() == nullptr ? "" : evaluation.first_finding()->message; }

}  // namespace optiml::evaluation::device
