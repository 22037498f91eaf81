#include "evaluation/device/joint_counting.h"

#include <gtest/gtest.h>

namespace optiml::evaluation::device {
namespace {

using gpu::CountedWork;
using gpu::CounterValues;
using gpu::DeviceFailure;
using gpu::DeviceStatus;

// Runs the works as the profiler does; each kernel's counter is its number on the device.
class ScriptedProfiler final : public gpu::Profiler {
public:
    std::string chip() const override { return "GH100"; }
    std::vector<std::string> available(const std::vector<std::string>& metrics) override { return metrics; }
    Result<std::vector<CounterValues>> collect(const std::vector<std::string>&, const std::vector<CountedWork>& works) override {
        sessions.push_back(works.size());
        const std::size_t first = launched;
        for (const CountedWork& work : works) {
            for (const auto* step : {&work.prepare, &work.launch}) {
                if (const auto done = (*step)(); !done) return environment_error(done.error().text());
            }
        }
        if (works.size() > 1 && !can_share) return internal_error("captured another number of kernels");
        std::vector<CounterValues> counters;
        for (std::size_t kernel = first; kernel < launched; ++kernel) counters.push_back({{"kernel", static_cast<double>(kernel)}});
        return counters;
    }
    CountedWork work(std::size_t kernels, DeviceStatus launching = {}) {
        return {kernels, [] { return DeviceStatus(); },
                [this, kernels, launching] {
                    if (launching) launched += kernels;
                    return launching;
                }};
    }

    bool can_share = true;
    std::size_t launched = 0;
    std::vector<std::size_t> sessions;  // works of each
};

DeviceStatus failing(bool sticky) { return tl::make_unexpected(DeviceFailure{"cuLaunchKernel", "CUDA_ERROR", "it failed", sticky}); }

std::vector<double> kernels_of(const std::optional<LaunchesCounted>& counted) {
    std::vector<double> kernels;
    if (!counted || !*counted) return kernels;
    for (const CounterValues& launch : **counted) kernels.push_back(launch.at("kernel"));
    return kernels;
}

TEST(JointCounting, EachWorkGetsItsOwnLaunches) {
    ScriptedProfiler profiler;
    const auto counted = JointCounter().count(profiler, {"kernel"}, {profiler.work(2), profiler.work(1), profiler.work(3)});
    ASSERT_EQ(counted.size(), 3u);
    EXPECT_EQ(kernels_of(counted[0]), (std::vector<double>{0, 1}));
    EXPECT_EQ(kernels_of(counted[1]), (std::vector<double>{2}));
    EXPECT_EQ(kernels_of(counted[2]), (std::vector<double>{3, 4, 5}));
    EXPECT_EQ(profiler.sessions, (std::vector<std::size_t>{3}));
    EXPECT_TRUE(JointCounter().count(profiler, {"kernel"}, {}).empty());
}

TEST(JointCounting, ASessionHoldsSoManyKernels) {
    ScriptedProfiler profiler;
    std::vector<CountedWork> works;
    for (int i = 0; i < 8; ++i) works.push_back(profiler.work(16));
    works.push_back(profiler.work(100));
    const auto counted = JointCounter().count(profiler, {"kernel"}, works);
    EXPECT_EQ(profiler.sessions, (std::vector<std::size_t>{4, 4, 1}));
    EXPECT_EQ(kernels_of(counted[7]).front(), 7 * 16);
    EXPECT_EQ(kernels_of(counted[8]).size(), 100u);
}

TEST(JointCounting, ALaunchThatIsRefusedCostsOnlyItself) {
    ScriptedProfiler profiler;
    const auto counted = JointCounter().count(profiler, {"kernel"}, {profiler.work(1), profiler.work(1, failing(false)), profiler.work(1)});
    EXPECT_EQ(kernels_of(counted[0]).size(), 1u);
    ASSERT_TRUE(counted[1].has_value());
    EXPECT_FALSE(*counted[1]);
    EXPECT_EQ(kernels_of(counted[2]).size(), 1u);
    EXPECT_EQ(profiler.sessions, (std::vector<std::size_t>{3, 1, 1, 1}));
}

TEST(JointCounting, AProfilerThatCannotShareCountsEachAlone) {
    ScriptedProfiler profiler;
    profiler.can_share = false;
    const auto counted = JointCounter().count(profiler, {"kernel"}, {profiler.work(1), profiler.work(2)});
    EXPECT_EQ(kernels_of(counted[0]).size(), 1u);
    EXPECT_EQ(kernels_of(counted[1]).size(), 2u);
}

TEST(JointCounting, SharingThatDoesNotWorkIsTriedOnce) {
    ScriptedProfiler profiler;
    profiler.can_share = false;
    JointCounter counter;
    for (int i = 0; i < 2; ++i) {
        for (const auto& counted : counter.count(profiler, {"kernel"}, {profiler.work(1), profiler.work(1)})) EXPECT_EQ(kernels_of(counted).size(), 1u);
    }
    EXPECT_EQ(profiler.sessions, (std::vector<std::size_t>{2, 1, 1, 1, 1}));
    ScriptedProfiler other;
    JointCounter shared;
    (void)shared.count(other, {"kernel"}, {other.work(1), other.work(1, failing(false))});
    (void)shared.count(other, {"kernel"}, {other.work(1), other.work(1)});
    EXPECT_EQ(other.sessions.back(), 2u) << "that session failed on a kernel's account";
}

TEST(JointCounting, WhoLosesTheDeviceHasTheFailureAndTheOthersNothing) {
    ScriptedProfiler profiler;
    const auto counted = JointCounter().count(profiler, {"kernel"}, {profiler.work(1), profiler.work(1, failing(true)), profiler.work(1)});
    EXPECT_FALSE(counted[0].has_value());
    ASSERT_TRUE(counted[1].has_value());
    ASSERT_FALSE(*counted[1]);
    EXPECT_NE(counted[1]->error().message.find("it failed"), std::string::npos);
    EXPECT_FALSE(counted[2].has_value());
    EXPECT_EQ(profiler.sessions, (std::vector<std::size_t>{3})) << "nothing more is asked of a device that is lost";
}

TEST(JointCounting, ADeviceLostWhileEachIsCountedAloneKeepsWhatWasCounted) {
    ScriptedProfiler profiler;
    profiler.can_share = false;
    int calls = 0;
    CountedWork second = profiler.work(1);
    second.launch = [&profiler, &calls] {
        profiler.launched += 1;
        return ++calls == 1 ? DeviceStatus() : failing(true);
    };
    const auto counted = JointCounter().count(profiler, {"kernel"}, {profiler.work(1), second, profiler.work(1)});
    EXPECT_EQ(kernels_of(counted[0]).size(), 1u);
    ASSERT_TRUE(counted[1].has_value());
    EXPECT_FALSE(*counted[1]);
    EXPECT_FALSE(counted[2].has_value());
}

}  // namespace
}  // namespace optiml::evaluation::device
