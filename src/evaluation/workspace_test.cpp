#include "evaluation/workspace.h"

#include <cmath>

#include <gtest/gtest.h>

#include "evaluation/outputs.h"

namespace optiml::evaluation {
namespace {

constexpr std::uint64_t kElements = 1001;

task::Task task_with_inputs() {
    task::Task task;
    for (const auto& [name, type, role] : {std::tuple{"x", task::ScalarType::f32, task::Role::input},
                                           {"h", task::ScalarType::f16, task::Role::inout},
                                           {"y", task::ScalarType::f64, task::Role::output}}) {
        task::Argument argument;
        argument.name = name;
        argument.type = type;
        argument.role = role;
        argument.extent = task::Expression(static_cast<std::int64_t>(kElements));
        task.arguments.push_back(argument);
    }
    return task;
}

TEST(Workspace, HoldsInputsAndNothingInOutputs) {
    const task::Task task = task_with_inputs();
    const auto plan = task::resolve(task, task.plan, {});
    ASSERT_TRUE(plan);
    auto workspace = make_workspace(task, *plan, {}, MemoryDisk());
    ASSERT_TRUE(workspace) << workspace.error().text();
    float x[3];
    workspace->memory.read(workspace->buffers[0], 4 * 7, x, sizeof x);
    const auto generator = input_generator(task, "x", {}, MemoryDisk());
    float expected[3];
    (*generator)(7, 3, reinterpret_cast<std::uint8_t*>(expected));
    EXPECT_EQ(x[0], expected[0]);
    EXPECT_EQ(x[2], expected[2]);
    const auto outputs = read_outputs(*plan, *workspace);
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(outputs[0].name, "h");
    EXPECT_TRUE(outputs[0].written[5]);
    EXPECT_FALSE(outputs[1].written[5]);
    const double value = 3;
    workspace->memory.write(workspace->buffers[2], 8 * 5, &value, 8);
    const auto written = read_outputs(*plan, *workspace);
    EXPECT_TRUE(written[1].written[5]);
    EXPECT_FALSE(written[1].written[6]);
    EXPECT_EQ(written[1].value(5), 3);
}

TEST(Workspace, BytesInsideElementsAreThoseOfTheWhole) {
    const task::Task task = task_with_inputs();
    const auto plan = task::resolve(task, task.plan, {});
    auto workspace = make_workspace(task, *plan, {}, MemoryDisk());
    std::uint8_t whole[16], part[7];
    workspace->memory.read(workspace->buffers[0], 0, whole, sizeof whole);
    workspace->memory.read(workspace->buffers[0], 5, part, sizeof part);
    for (int i = 0; i < 7; ++i) EXPECT_EQ(part[i], whole[5 + i]);
}

TEST(Perturbation, MovesFloatsToTheirNeighbours) {
    const task::Task task = task_with_inputs();
    InputChoice choice;
    const auto plain = input_generator(task, "x", choice, MemoryDisk());
    choice.perturbed = true;
    const auto moved = input_generator(task, "x", choice, MemoryDisk());
    std::vector<float> a(kElements), b(kElements);
    (*plain)(0, kElements, reinterpret_cast<std::uint8_t*>(a.data()));
    (*moved)(0, kElements, reinterpret_cast<std::uint8_t*>(b.data()));
    int up = 0, down = 0;
    for (std::size_t i = 0; i < kElements; ++i) {
        up += b[i] == std::nextafter(a[i], INFINITY);
        down += b[i] == std::nextafter(a[i], -INFINITY);
    }
    EXPECT_EQ(up + down, static_cast<int>(kElements));
    EXPECT_GT(up, 400);
    EXPECT_GT(down, 400);
}

TEST(Perturbation, LeavesZerosAndSpecialValues) {
    const task::Task task = task_with_inputs();
    for (const task::ValuePattern pattern : {task::ValuePattern::zeros, task::ValuePattern::nan_and_infinity}) {
        const auto moved = input_generator(task, "x", {{}, pattern, 0, true}, MemoryDisk());
        std::vector<float> values(kElements);
        (*moved)(0, kElements, reinterpret_cast<std::uint8_t*>(values.data()));
        if (pattern == task::ValuePattern::zeros) {
            for (const float value : values) EXPECT_EQ(value, 0);
        } else {
            EXPECT_FALSE(std::isfinite(values[0]));
        }
    }
}

}  // namespace
}  // namespace optiml::evaluation
