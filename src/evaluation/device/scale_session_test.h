#pragma once
// What tests of a session share, on a card and on a scripted driver: a task that doubles n floats, and a session of it.

#include "evaluation/device/device_session.h"

#include <gtest/gtest.h>

namespace optiml::evaluation::device {

class ScaleSession : public testing::Test {
protected:
    // What runs on the device in the place of this text.
    virtual CompiledCandidate compiled(const std::string& text) const = 0;

    void read_task(const std::string& source) {
        (void)disk_.write("scale.cu", source);
        auto task = task::parse_task(task_text_, "scale.toml", disk_);
        ASSERT_TRUE(task) << task.error().text();
        task_ = std::move(*task);
        settings_.odd_sizes = {{{"n", 1}}, {{"n", 1031}}};
    }
    void open_on(Result<std::unique_ptr<DeviceTools>> tools, const std::string& original, const SessionKnowledge& knowledge) {
        ASSERT_TRUE(tools) << tools.error().text();
        auto session = DeviceSession::open(std::move(*tools), task_, compiled(original), settings_, knowledge, disk_);
        ASSERT_TRUE(session) << session.error().text();
        session_ = std::move(*session);
    }
    // A lost session cannot be closed.
    void TearDown() override {
        if (session_ != nullptr && session_->is_lost()) (void)session_.release();
    }
    std::vector<std::optional<Evaluation>> evaluate_all(const std::vector<std::string>& texts) {
        std::vector<CompiledCandidate> candidates;
        for (const std::string& text : texts) candidates.push_back(compiled(text));
        return session_->evaluate(candidates, gpu::MetricTier::one_pass);
    }

    std::string task_text_ = R"toml(
kernel = "scale"
source = "scale.cu"
[sizes]
n = { small = 1000, large = 1048576 }
[arguments]
x = { type = "f32", extent = "n" }
y = { type = "f32", extent = "n", role = "output" }
n = "i32"
[launch]
grid = "ceil_div(n, 256)"
block = 256
)toml";
    MemoryDisk disk_;
    task::Task task_;
    SessionSettings settings_;
    std::unique_ptr<DeviceSession> session_;
};

}  // namespace optiml::evaluation::device
