#pragma once
// A session on a scripted driver, of a task that doubles n floats.

#include "evaluation/device/device_session.h"

#include <gtest/gtest.h>

#include "scripted_driver.h"

namespace optiml::evaluation::device {

constexpr const char* kScaleTask = R"toml(
kernel = "scale"
source = "scale.cu"
[sizes]
n = { small = 100, large = 4096 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256)"
block = 256
)toml";

inline std::vector<std::uint8_t> image_of(const std::string& code) { return {code.c_str(), code.c_str() + code.size() + 1}; }

class Session : public testing::Test {
protected:
    void SetUp() override {
        scripted_reset();
        (void)disk_.write("scale.cu", "__global__ void scale(const float* x, float* y, int n) {}\n");
        auto task = task::parse_task(task_text_, "scale.toml", disk_);
        ASSERT_TRUE(task) << task.error().text();
        task_ = std::move(*task);
        settings_.timing_sizes = {{"n", 4096}};
        settings_.odd_sizes = {{{"n", 1}}, {{"n", 1031}}};
        settings_.in_process_counters = false;
    }
    // A lost session cannot be closed.
    void TearDown() override {
        if (session_ != nullptr && session_->is_lost()) (void)session_.release();
    }
    // A candidate whose code does what the scripted driver takes this text to say.
    CompiledCandidate compiled(const std::string& code) const { return {task::original_of(task_), image_of(code), {{.name = "scale", .lowered_name = "scale"}}}; }
    void open(const std::string& original, const SessionKnowledge& knowledge = {}) {
        auto tools = DeviceTools::open(0, image_of("evaluator"), {});
        ASSERT_TRUE(tools) << tools.error().text();
        auto session = DeviceSession::open(std::move(*tools), task_, compiled(original), settings_, knowledge, disk_);
        ASSERT_TRUE(session) << session.error().text();
        session_ = std::move(*session);
    }
    std::vector<std::optional<Evaluation>> evaluate_all(const std::vector<std::string>& codes) {
        std::vector<CompiledCandidate> candidates;
        for (const std::string& code : codes) candidates.push_back(compiled(code));
        return session_->evaluate(candidates, gpu::MetricTier::one_pass);
    }
    Evaluation evaluate(const std::string& code) { return evaluate_all({code})[0].value_or(Evaluation{}); }

    std::string task_text_ = kScaleTask;
    MemoryDisk disk_;
    task::Task task_;
    SessionSettings settings_;
    std::unique_ptr<DeviceSession> session_;
};

inline std::string reason(const Evaluation& evaluation) { return evaluation.first_finding() == nullptr ? "" : evaluation.first_finding()->message; }

}  // namespace optiml::evaluation::device
